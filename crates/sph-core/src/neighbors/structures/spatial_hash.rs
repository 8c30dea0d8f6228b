//! The spatial hash: an unbounded grid of cells hashed into a dense table (Muller2022, Teschner2003).

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{SortedPoints, counting_sort};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::HashFunction;
use crate::report::held;
use glam::{IVec3, Vec3};
use rayon::prelude::*;
use std::ops::Range;

/// Smallest number of points per parallel task.
const GRAIN: usize = 4096;

/// Two arrays, rebuilt in linear time: `cell_count[b]..cell_count[b + 1]` is the range of bucket b in `particle_map`.
///
/// All points of a cell share a bucket. Several cells may share one too: such a collision costs candidates, never correctness.
#[derive(Clone, Debug)]
pub struct SpatialHash {
    radius: f32,
    cells: Cells,
    table: Table,
    cell_of: Vec<IVec3>,
    bucket_of: Vec<u32>,
    cell_count: Vec<u32>,
    particle_map: Vec<u32>,
    /// Bounding box of the occupied cells.
    bounds: CellBox,
    /// The points in the order of `particle_map`.
    points: SortedPoints,
}

impl SpatialHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table { size: table_size, hash },
            cell_of: Vec::new(),
            bucket_of: Vec::new(),
            cell_count: vec![0; table_size as usize + 1],
            particle_map: Vec::new(),
            bounds: EMPTY,
            points: SortedPoints::default(),
        }
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, self.radius), self.bounds)
    }

    fn range(&self, bucket: u32) -> Range<usize> {
        self.cell_count[bucket as usize] as usize..self.cell_count[bucket as usize + 1] as usize
    }
}

impl NeighborSearch for SpatialHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let Self { cells, table, .. } = *self;
        self.bounds = cells.bounds(points);
        points.par_iter().with_min_len(GRAIN).map(|&point| cells.of(point)).collect_into_vec(&mut self.cell_of);
        self.cell_of.par_iter().with_min_len(GRAIN).map(|&cell| table.bucket(cell)).collect_into_vec(&mut self.bucket_of);
        counting_sort(&self.bucket_of, table.size as usize, &mut self.cell_count, &mut self.particle_map);
        self.points.put(points, &self.particle_map);
        Ok(())
    }

    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, self.radius, self.bounds) else { return };
        self.table.buckets(cells, &mut cursor.buckets, |bucket| !self.range(bucket).is_empty());
        found.clear();
        for &bucket in &cursor.buckets {
            found.take::<16>(&self.points, self.range(bucket), true);
        }
    }

    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(&*self.cell_of)
            + size_of_val(&*self.bucket_of)
            + size_of_val(&*self.cell_count)
            + size_of_val(&*self.particle_map)
            + self.points.bytes();
        let bucket = |bucket, cells: &mut FilledCells| {
            let range = self.range(bucket);
            cells.extend(self.particle_map[range.clone()].iter().map(|&index| (self.cell_of[index as usize], 1)));
            range.len()
        };
        let are_empty = |buckets: Range<usize>| self.cell_count[buckets.start] == self.cell_count[buckets.end];
        Census { table_size: self.table.size as usize, cell_size: self.cells.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { cell_of, bucket_of, cell_count, particle_map, points, .. } = self;
        held(cell_of) + held(bucket_of) + held(cell_count) + held(particle_map) + points.memory()
    }

    fn trace(&self, query: TracedQuery) -> Trace {
        let (reach, buckets) = (self.reach(query.center), self.table.size as usize);
        query.follow(
            (self.cells, self.radius),
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, _, visit| {
                self.range(bucket).map(|position| Entry::tested(self.points.get(position))).for_each(visit);
            },
        )
    }
}
