//! The cell hash: a hash table of cells instead of points, so that points of foreign cells are skipped together.

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::lookups::{Directory, Found, prefetch};
use crate::neighbors::runs::Run;
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery, compared};
use crate::neighbors::storage::{CellOrder, SortedPoints, counting_sort};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::HashFunction;
use crate::report::held;
use glam::{IVec3, Vec3};
use std::ops::Range;

/// Three contiguous lists, rebuilt from scratch: table → cells sorted by bucket → points sorted by cell. A query compares cell
/// coordinates first: O(cells in the bucket), where the spatial hash takes O(points in the bucket).
#[derive(Clone, Debug)]
pub struct CellHash {
    radius: f32,
    grid: Cells,
    table: Table,
    order: CellOrder,
    /// `bucket_starts[b]..bucket_starts[b + 1]` is the range of bucket b in `cells`.
    bucket_starts: Vec<u32>,
    cells: Vec<Cell>,
    points: SortedPoints,
    /// Bounding box of the occupied cells.
    bounds: CellBox,
}

/// An occupied cell, and the range of its points.
#[derive(Clone, Debug)]
struct Cell {
    coordinates: IVec3,
    points: Range<u32>,
}

impl CellHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            grid: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            order: CellOrder::default(),
            bucket_starts: vec![0; table_size as usize + 1],
            cells: Vec::new(),
            points: SortedPoints::default(),
            bounds: EMPTY,
        }
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3, radius: f32) -> CellBox {
        stencil::common(self.grid.touched_by_cube(center, radius), self.bounds)
    }

    #[inline(always)]
    fn cells_in(&self, bucket: u32) -> &[Cell] {
        &self.cells[self.bucket_starts[bucket as usize] as usize..self.bucket_starts[bucket as usize + 1] as usize]
    }
}

impl Directory for CellHash {
    #[inline(always)]
    fn bucket(&self, cell: IVec3) -> u32 {
        self.table.bucket(cell)
    }

    #[inline(always)]
    fn prefetch_entry(&self, bucket: u32) {
        prefetch(&self.bucket_starts, bucket as usize);
    }

    #[inline(always)]
    fn prefetch_points(&self, bucket: u32) {
        prefetch(&self.cells, self.bucket_starts[bucket as usize] as usize);
    }

    #[inline(always)]
    fn find(&self, cell: IVec3, bucket: u32) -> Found {
        let here = self.cells_in(bucket).iter().find(|entry| entry.coordinates == cell);
        Found::One(here.map_or(Run::EMPTY, |entry| Run { start: entry.points.start, end: entry.points.end }))
    }

    /// No bucket has several runs for a cell, as points are sorted by cell.
    fn len(&self, _bucket: u32) -> usize {
        0
    }

    fn each_run(&self, _bucket: u32, _visit: impl FnMut(Run)) {}
}

impl NeighborSearch for CellHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let cells = self.grid;
        self.bounds = cells.bounds(points);
        let order = self.order.sort(points, cells.size());
        self.points.put(points, order);

        let mut start = 0;
        let cell_of = |index: u32| cells.of(points[index as usize]);
        let runs = order.chunk_by(|&a, &b| cell_of(a) == cell_of(b));
        let found: Vec<Cell> = runs
            .map(|run| {
                let range = start..start + run.len() as u32;
                start = range.end;
                Cell { coordinates: cell_of(run[0]), points: range }
            })
            .collect();
        let buckets: Vec<u32> = found.iter().map(|cell| self.table.bucket(cell.coordinates)).collect();
        let mut by_bucket = Vec::new();
        counting_sort(&buckets, self.table.size as usize, &mut self.bucket_starts, &mut by_bucket);
        self.cells.clear();
        self.cells.extend(by_bucket.iter().map(|&cell| found[cell as usize].clone()));
        Ok(())
    }

    #[inline(always)]
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.grid, center, radius, self.bounds) else { return };
        found.clear();
        let ascend = self.points.is_ascending();
        if stencil::is_vast(cells) {
            found.take::<32>(&self.points, 0..self.points.len(), ascend);
        } else if !stencil::is_empty(cells) {
            for run in cursor.lookups.look_up(cells, self) {
                found.take::<32>(&self.points, run, ascend);
            }
        }
    }

    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(&*self.bucket_starts) + size_of_val(&*self.cells) + self.points.bytes();
        let bucket = |bucket, cells: &mut FilledCells| {
            let bucket = self.cells_in(bucket);
            cells.extend(bucket.iter().map(|cell| (cell.coordinates, cell.points.len() as u32)));
            bucket.iter().map(|cell| cell.points.len()).sum()
        };
        let are_empty = |buckets: Range<usize>| self.bucket_starts[buckets.start] == self.bucket_starts[buckets.end];
        Census { table_size: self.table.size as usize, cell_size: self.grid.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { order, bucket_starts, cells, points, .. } = self;
        order.memory() + held(bucket_starts) + held(cells) + points.memory()
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let (reach, buckets) = (self.reach(query.center, query.radius), self.table.size as usize);
        query.follow(
            self.grid,
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, wanted, visit| {
                let here = self.cells_in(bucket);
                let compared = compared(here.iter().map(|cell| cell.coordinates), wanted);
                for (cell, tested) in here.iter().zip(compared) {
                    for position in cell.points.start as usize..cell.points.end as usize {
                        visit(Entry { tested, ..Entry::tested(self.points.get(position)) });
                    }
                }
            },
        )
    }
}
