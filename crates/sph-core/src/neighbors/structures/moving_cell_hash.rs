//! The cell hash, updated incrementally: points move between cells, and cells appear and vanish.

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery, compared};
use crate::neighbors::storage::{GrowingLists, PointRegistry};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::HashFunction;
use crate::report::held;
use glam::{IVec3, Vec3};
use std::ops::Range;

/// Initial capacity of a bucket, in cells.
const CELLS_PER_BUCKET: u32 = 2;

/// Initial capacity of a cell, in points.
const POINTS_PER_CELL: u32 = 8;

/// The three lists of [`CellHash`](super::CellHash), preallocated, and growing where needed. A point that stays in its cell
/// costs one comparison.
#[derive(Clone, Debug)]
pub struct MovingCellHash {
    radius: f32,
    cells: Cells,
    table: Table,
    /// Cell numbers in each bucket.
    buckets: GrowingLists,
    /// Coordinates of each cell, by cell number.
    coordinates: Vec<IVec3>,
    /// Ids of the points in each cell, by cell number.
    members: GrowingLists,
    /// Unused cell numbers.
    free: Vec<u32>,
    registry: PointRegistry,
    /// Cell number of each point and its position among the members of the cell, by id.
    position_of: Vec<(u32, u32)>,
    /// Bounding box of the occupied cells.
    bounds: CellBox,
}

impl MovingCellHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            buckets: GrowingLists::new(table_size as usize, CELLS_PER_BUCKET),
            coordinates: Vec::new(),
            members: GrowingLists::new(0, POINTS_PER_CELL),
            free: Vec::new(),
            registry: PointRegistry::default(),
            position_of: Vec::new(),
            bounds: EMPTY,
        }
    }

    /// Box of cells that a query looks into.
    fn reach(&self, center: Vec3, radius: f32) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, radius), self.bounds)
    }

    fn find(&self, cell: IVec3) -> Option<u32> {
        let bucket = self.buckets.of(self.table.bucket(cell));
        bucket.iter().copied().find(|&number| self.coordinates[number as usize] == cell)
    }

    fn insert(&mut self, id: u32, cell: IVec3) {
        let number = self.find(cell).unwrap_or_else(|| {
            let number = self.free.pop().unwrap_or_else(|| {
                self.coordinates.push(cell);
                self.members.add()
            });
            self.coordinates[number as usize] = cell;
            self.buckets.push(self.table.bucket(cell), number);
            number
        });
        let slot = id as usize;
        if self.position_of.len() <= slot {
            self.position_of.resize(slot + 1, (0, 0));
        }
        self.position_of[slot] = (number, self.members.push(number, id));
    }

    fn remove(&mut self, id: u32) {
        let (number, position) = self.position_of[id as usize];
        if let Some(moved) = self.members.swap_remove(number, position) {
            self.position_of[moved as usize].1 = position;
        }
        if self.members.of(number).is_empty() {
            let bucket = self.table.bucket(self.coordinates[number as usize]);
            if let Some(position) = self.buckets.of(bucket).iter().position(|&other| other == number) {
                self.buckets.swap_remove(bucket, position as u32);
            }
            self.free.push(number);
        }
    }
}

impl NeighborSearch for MovingCellHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], ids: &[u32]) -> Result<(), TooManyCells> {
        let cells = self.cells;
        let mut registry = std::mem::take(&mut self.registry);
        self.bounds = registry.update(points, ids, |point| (cells.of(point), cells.of(point)));
        for change in registry.changes() {
            if change.leaves() {
                self.remove(change.id);
            }
            if change.arrives() {
                self.insert(change.id, change.to.0);
            }
        }
        self.registry = registry;
        Ok(())
    }

    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, radius, self.bounds) else { return };
        found.clear();
        let take = |number: u32| {
            for &id in self.members.of(number) {
                let (index, point) = self.registry.get(id);
                found.push(index, point);
            }
        };
        if stencil::is_vast(cells) {
            (0..self.members.len() as u32).for_each(take);
        } else {
            stencil::each(cells).filter_map(|cell| self.find(cell)).for_each(take);
        }
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = self.buckets.bytes()
            + size_of_val(&*self.coordinates)
            + self.members.bytes()
            + self.registry.bytes()
            + size_of_val(&*self.position_of);
        let bucket = |bucket, cells: &mut FilledCells| {
            let numbers = self.buckets.of(bucket);
            let points = |number| self.members.of(number).len();
            cells.extend(numbers.iter().map(|&number| (self.coordinates[number as usize], points(number) as u32)));
            numbers.iter().map(|&number| points(number)).sum()
        };
        let are_empty = |buckets: Range<usize>| self.buckets.are_empty(buckets);
        Census { table_size: self.table.size as usize, cell_size: self.cells.size(), bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        let Self { buckets, coordinates, members, free, registry, position_of, .. } = self;
        buckets.memory() + held(coordinates) + members.memory() + held(free) + registry.memory() + held(position_of)
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let (reach, buckets) = (self.reach(query.center, query.radius), self.table.size as usize);
        query.follow(
            self.cells,
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, wanted, visit| {
                let here = self.buckets.of(bucket);
                let compared = compared(here.iter().map(|&number| self.coordinates[number as usize]), wanted);
                for (&number, tested) in here.iter().zip(compared) {
                    for &id in self.members.of(number) {
                        visit(Entry { tested, ..Entry::tested(self.registry.get(id)) });
                    }
                }
            },
        )
    }
}
