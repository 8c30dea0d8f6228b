//! The spatial hash: an unbounded grid of cells hashed into a dense table (Muller2022, Teschner2003).

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::known_cells::next_generation;
use crate::neighbors::lookups::{Directory, Lookups, MOST_RUNS, prefetch};
use crate::neighbors::runs::{CellRuns, Run};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{SortedPoints, counting_sort, sort_values};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::HashFunction;
use crate::report::held;
use glam::{IVec3, Vec3};
use std::ops::Range;

/// Two arrays, rebuilt in linear time: `cell_count[b]..cell_count[b + 1]` is the range of bucket b in `particle_map`.
///
/// All points of a cell share a bucket. Several cells may share one too: such a collision costs candidates, never correctness.
///
/// Where the points of a cell mostly lie side by side in memory, the map is one of runs of points, mostly one a cell: far fewer are sorted, and a
/// query reads far fewer.
#[derive(Clone, Debug)]
pub struct SpatialHash {
    radius: f32,
    cells: Cells,
    table: Table,
    /// Number of the contents, by which queries know them.
    generation: u64,
    /// Points side by side in one cell, in the order of memory.
    runs: CellRuns,
    /// True if they are long, and the map has them instead of points.
    in_runs: bool,
    cell_count: Vec<u32>,
    run_map: Vec<Run>,
    particle_map: Vec<u32>,
    /// Bucket of each point, from which points are sorted.
    bucket_of: Vec<u32>,
    /// Bounding box of the occupied cells.
    bounds: CellBox,
    /// The points: as they were given if they lie in runs, else in the order of `particle_map`.
    points: SortedPoints,
}

impl SpatialHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            generation: next_generation(),
            runs: CellRuns::default(),
            in_runs: true,
            cell_count: vec![0; table_size as usize + 1],
            run_map: Vec::new(),
            particle_map: Vec::new(),
            bucket_of: Vec::new(),
            bounds: EMPTY,
            points: SortedPoints::default(),
        }
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3, radius: f32) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, radius), self.bounds)
    }

    /// Range of a bucket in the map.
    #[inline(always)]
    fn range(&self, bucket: u32) -> Range<usize> {
        self.cell_count[bucket as usize] as usize..self.cell_count[bucket as usize + 1] as usize
    }

    /// Runs of a bucket's places in `points`. Those of one run lie in one cell if points lie in runs.
    fn runs_of(&self, bucket: u32) -> impl Iterator<Item = Run> {
        let Range { start, end } = self.range(bucket);
        let (runs, places) = if self.in_runs { (&self.run_map[start..end], 0..0) } else { (&[][..], start as u32..end as u32) };
        runs.iter().copied().chain(places.map(|place| Run { start: place, end: place + 1 }))
    }
}

impl Directory for SpatialHash {
    fn generation(&self) -> u64 {
        self.generation
    }

    #[inline(always)]
    fn bucket(&self, cell: IVec3) -> u32 {
        self.table.bucket(cell)
    }

    #[inline(always)]
    fn prefetch_entry(&self, bucket: u32) {
        prefetch(&self.cell_count, bucket as usize);
    }

    #[inline(always)]
    fn prefetch_runs(&self, bucket: u32) {
        prefetch(&self.run_map, self.range(bucket).start);
    }

    #[inline(always)]
    fn prefetch_points(&self, run: Run) {
        self.points.prefetch(run);
    }

    #[inline(always)]
    fn is_long(&self, bucket: u32) -> bool {
        self.range(bucket).len() > MOST_RUNS
    }

    #[inline(always)]
    fn each_run(&self, _cell: IVec3, bucket: u32, mut visit: impl FnMut(IVec3, Run)) {
        for &run in &self.run_map[self.range(bucket)] {
            visit(self.cells.of(self.points.get(run.start as usize).1), run);
        }
    }
}

impl NeighborSearch for SpatialHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let Self { cells, table, .. } = *self;
        self.generation = next_generation();
        self.bounds = cells.bounds(points);
        let Self { runs, cell_count, run_map, bucket_of, particle_map, .. } = self;
        runs.find(cells, points, table);
        self.in_runs = runs.are_long(table.size);
        if self.in_runs {
            sort_values(runs.buckets(), table.size as usize, cell_count, run_map, |number| runs.run(number));
            self.points.put_as_they_are(points);
        } else {
            runs.put_buckets_of_points(bucket_of);
            counting_sort(bucket_of, table.size as usize, cell_count, particle_map);
            self.points.put(points, particle_map);
        }
        Ok(())
    }

    #[inline(always)]
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, radius, self.bounds) else { return };
        found.clear();
        if stencil::is_empty(cells) {
            return;
        }
        if stencil::is_vast(cells) {
            found.take::<32>(&self.points, 0..self.points.len(), self.in_runs);
        } else if !self.in_runs || !Lookups::can_hold(cells) {
            self.table.buckets(cells, &mut cursor.buckets, |bucket| !self.range(bucket).is_empty());
            for &bucket in &cursor.buckets {
                if self.in_runs {
                    self.run_map[self.range(bucket)].iter().for_each(|run| found.take::<16>(&self.points, run.range(), true));
                } else {
                    found.take::<16>(&self.points, self.range(bucket), true);
                }
            }
        } else {
            found.look_up(cells, self, &self.points, &mut cursor.lookups);
        }
    }

    fn census(
        &self,
        needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let map = if self.in_runs { size_of_val(&*self.run_map) } else { size_of_val(&*self.particle_map) };
        let bytes = size_of_val(&*self.cell_count) + map + self.points.bytes();
        let bucket = move |bucket, cells: &mut FilledCells| {
            if self.in_runs && !needs_cells {
                // Nearly all buckets have one run or none: to read its first point only for the cell would take longer than all else.
                match self.run_map[self.range(bucket)] {
                    [] => return 0,
                    [run] => {
                        cells.push((IVec3::ZERO, run.end - run.start));
                        return run.range().len();
                    }
                    _ => {}
                }
            }
            let mut length = 0;
            cells.extend(self.runs_of(bucket).map(|run| {
                length += run.range().len();
                (self.cells.of(self.points.get(run.start as usize).1), run.end - run.start)
            }));
            length
        };
        let are_empty = |buckets: Range<usize>| self.cell_count[buckets.start] == self.cell_count[buckets.end];
        Census { table_size: self.table.size as usize, cell_size: self.cells.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { runs, cell_count, run_map, particle_map, bucket_of, points, .. } = self;
        runs.memory() + held(cell_count) + held(run_map) + held(particle_map) + held(bucket_of) + points.memory()
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let (reach, buckets) = (self.reach(query.center, query.radius), self.table.size as usize);
        query.follow(
            self.cells,
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, _, visit| {
                let places = self.runs_of(bucket).flat_map(Run::range);
                places.map(|place| Entry::tested(self.points.get(place))).for_each(visit);
            },
        )
    }
}
