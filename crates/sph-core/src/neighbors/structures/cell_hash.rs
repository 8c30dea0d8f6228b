//! The cell hash: a hash table of cells instead of points, so that points of foreign cells are skipped together.

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::known_cells::next_generation;
use crate::neighbors::lookups::{Directory, Lookups, prefetch};
use crate::neighbors::runs::Run;
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery, compared};
use crate::neighbors::storage::{CellOrder, SortedPoints, sort_values};
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
    /// Number of the contents, by which queries know them.
    generation: u64,
    order: CellOrder,
    /// `bucket_starts[b]..bucket_starts[b + 1]` is the range of bucket b in `cells`.
    bucket_starts: Vec<u32>,
    cells: Vec<Cell>,
    points: SortedPoints,
    /// Bounding box of the occupied cells.
    bounds: CellBox,
    /// The cells in the order of their points, from which they are sorted by bucket, and the bucket of each.
    sorted: Vec<Cell>,
    buckets: Vec<u32>,
}

/// An occupied cell and its points.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    coordinates: IVec3,
    points: Run,
}

impl CellHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            grid: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            generation: next_generation(),
            order: CellOrder::default(),
            bucket_starts: vec![0; table_size as usize + 1],
            cells: Vec::new(),
            points: SortedPoints::default(),
            bounds: EMPTY,
            sorted: Vec::new(),
            buckets: Vec::new(),
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
    fn generation(&self) -> u64 {
        self.generation
    }

    #[inline(always)]
    fn bucket(&self, cell: IVec3) -> u32 {
        self.table.bucket(cell)
    }

    #[inline(always)]
    fn prefetch_entry(&self, bucket: u32) {
        prefetch(&self.bucket_starts, bucket as usize);
    }

    #[inline(always)]
    fn prefetch_runs(&self, bucket: u32) {
        prefetch(&self.cells, self.bucket_starts[bucket as usize] as usize);
    }

    #[inline(always)]
    fn prefetch_points(&self, _run: Run) {}

    #[inline(always)]
    fn is_long(&self, _bucket: u32) -> bool {
        false
    }

    /// Points of other cells are skipped.
    #[inline(always)]
    fn each_run(&self, cell: IVec3, bucket: u32, mut visit: impl FnMut(IVec3, Run)) {
        if let Some(&Cell { points, .. }) = self.cells_in(bucket).iter().find(|entry| entry.coordinates == cell) {
            visit(cell, points);
        }
    }
}

impl NeighborSearch for CellHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let grid = self.grid;
        self.generation = next_generation();
        self.bounds = grid.bounds(points);
        self.points.put(points, self.order.sort(points, grid.size()));
        self.order.find_cells(points, grid.size());
        let Self { table, order, bucket_starts, cells, points, sorted, buckets, .. } = self;
        let cell = |&[start, end]: &[u32; 2]| {
            let coordinates = grid.of(points.get(start as usize).1);
            Cell { coordinates, points: Run { start, end } }
        };
        sorted.clear();
        sorted.extend(order.cells().array_windows().map(cell));
        buckets.clear();
        buckets.extend(sorted.iter().map(|cell| table.bucket(cell.coordinates)));
        sort_values(buckets, table.size as usize, bucket_starts, cells, |number| sorted[number]);
        Ok(())
    }

    #[inline(always)]
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.grid, center, radius, self.bounds) else { return };
        found.clear();
        if stencil::is_empty(cells) {
            return;
        }
        let ascend = self.points.is_ascending();
        if stencil::is_vast(cells) {
            found.take::<32>(&self.points, 0..self.points.len(), ascend);
        } else if !Lookups::can_hold(cells) {
            for cell in stencil::each(cells) {
                self.each_run(cell, self.table.bucket(cell), |_, run| found.take::<16>(&self.points, run.range(), ascend));
            }
        } else {
            found.look_up(cells, self, &self.points, &mut cursor.lookups);
        }
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(&*self.bucket_starts) + size_of_val(&*self.cells) + self.points.bytes();
        let bucket = |bucket, cells: &mut FilledCells| {
            let bucket = self.cells_in(bucket);
            cells.extend(bucket.iter().map(|cell| (cell.coordinates, cell.points.range().len() as u32)));
            bucket.iter().map(|cell| cell.points.range().len()).sum()
        };
        let are_empty = |buckets: Range<usize>| self.bucket_starts[buckets.start] == self.bucket_starts[buckets.end];
        Census { table_size: self.table.size as usize, cell_size: self.grid.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { order, bucket_starts, cells, points, sorted, buckets, .. } = self;
        order.memory() + held(bucket_starts) + held(cells) + points.memory() + held(sorted) + held(buckets)
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
                    for position in cell.points.range() {
                        visit(Entry { tested, ..Entry::tested(self.points.get(position)) });
                    }
                }
            },
        )
    }
}
