//! The spatial hash: an unbounded grid of cells hashed into a dense table (Muller2022, Teschner2003).

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::lookups::{Directory, Found, prefetch};
use crate::neighbors::runs::{Run, each_run, lie_in_runs};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{SortedPoints, counting_sort};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::HashFunction;
use crate::report::held;
use glam::{IVec3, Vec3};
use std::ops::Range;

/// Two arrays, rebuilt in linear time: `cell_count[b]..cell_count[b + 1]` is the range of bucket b in `particle_map`.
///
/// All points of a cell share a bucket. Several cells may share one too: such a collision costs candidates, never correctness.
#[derive(Clone, Debug)]
pub struct SpatialHash {
    radius: f32,
    cells: Cells,
    table: Table,
    bucket_of: Vec<u32>,
    cell_count: Vec<u32>,
    particle_map: Vec<u32>,
    /// Bounding box of the occupied cells.
    bounds: CellBox,
    /// True if the points are kept in the order in which they were given, else they are in the order of `particle_map`.
    in_order: bool,
    points: SortedPoints,
}

impl SpatialHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            bucket_of: Vec::new(),
            cell_count: vec![0; table_size as usize + 1],
            particle_map: Vec::new(),
            bounds: EMPTY,
            in_order: true,
            points: SortedPoints::default(),
        }
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3, radius: f32) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, radius), self.bounds)
    }

    /// Index and position (m) of the point at a place of `particle_map`.
    fn point(&self, place: usize) -> (u32, Vec3) {
        self.points.get(if self.in_order { self.particle_map[place] as usize } else { place })
    }

    #[inline(always)]
    fn range(&self, bucket: u32) -> Range<usize> {
        self.cell_count[bucket as usize] as usize..self.cell_count[bucket as usize + 1] as usize
    }
}

impl Directory for SpatialHash {
    #[inline(always)]
    fn bucket(&self, cell: IVec3) -> u32 {
        self.table.bucket(cell)
    }

    #[inline(always)]
    fn prefetch_entry(&self, bucket: u32) {
        prefetch(&self.cell_count, bucket as usize);
    }

    #[inline(always)]
    fn prefetch_points(&self, bucket: u32) {
        // A bucket of usual length may extend into a second cache line.
        let Range { start, end } = self.range(bucket);
        prefetch(&self.particle_map, start);
        prefetch(&self.particle_map, end.saturating_sub(1));
    }

    #[inline(always)]
    fn find(&self, _cell: IVec3, bucket: u32) -> Found {
        Found::all(bucket, &self.particle_map[self.range(bucket)])
    }

    fn len(&self, bucket: u32) -> usize {
        self.range(bucket).len()
    }

    #[inline(always)]
    fn each_run(&self, bucket: u32, visit: impl FnMut(Run)) {
        each_run(self.particle_map[self.range(bucket)].iter().copied(), visit);
    }
}

impl NeighborSearch for SpatialHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let Self { cells, table, .. } = *self;
        self.bounds = cells.bounds(points);
        cells.map_runs_into(points, |cell| table.bucket(cell), &mut self.bucket_of);
        counting_sort(&self.bucket_of, table.size as usize, &mut self.cell_count, &mut self.particle_map);
        self.in_order = lie_in_runs(&self.bucket_of, table.size);
        if self.in_order {
            self.points.put_as_they_are(points);
        } else {
            self.points.put(points, &self.particle_map);
        }
        Ok(())
    }

    #[inline(always)]
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, radius, self.bounds) else { return };
        found.clear();
        if stencil::is_vast(cells) {
            found.take::<32>(&self.points, 0..self.points.len(), self.in_order);
        } else if !self.in_order {
            self.table.buckets(cells, &mut cursor.buckets, |bucket| !self.range(bucket).is_empty());
            for &bucket in &cursor.buckets {
                found.take::<16>(&self.points, self.range(bucket), true);
            }
        } else if !stencil::is_empty(cells) {
            for run in cursor.lookups.look_up(cells, self) {
                found.take::<32>(&self.points, run, true);
            }
        }
    }

    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(&*self.bucket_of)
            + size_of_val(&*self.cell_count)
            + size_of_val(&*self.particle_map)
            + self.points.bytes();
        let bucket = |bucket, cells: &mut FilledCells| {
            let range = self.range(bucket);
            cells.extend(range.clone().map(|place| (self.cells.of(self.point(place).1), 1)));
            range.len()
        };
        let are_empty = |buckets: Range<usize>| self.cell_count[buckets.start] == self.cell_count[buckets.end];
        Census { table_size: self.table.size as usize, cell_size: self.cells.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { bucket_of, cell_count, particle_map, points, .. } = self;
        held(bucket_of) + held(cell_count) + held(particle_map) + points.memory()
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let (reach, buckets) = (self.reach(query.center, query.radius), self.table.size as usize);
        query.follow(
            self.cells,
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, _, visit| {
                self.range(bucket).map(|place| Entry::tested(self.point(place))).for_each(visit);
            },
        )
    }
}
