//! The cell hash, updated incrementally: points move between cells, cells appear and vanish.

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table, stencil};
use crate::neighbors::query::Candidates;
use crate::neighbors::statistics::{Census, Entry, FilledCells, Question, Trace, compared};
use crate::neighbors::storage::{GrowingLists, PointRegistry};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::HashFunction;
use crate::report::held;
use glam::{IVec3, Vec3};

/// Cells a bucket has room for at first.
const CELLS_PER_BUCKET: u32 = 2;

/// Points a cell has room for at first.
const POINTS_PER_CELL: u32 = 8;

/// The three lists of [`CellHash`](super::CellHash), preallocated and growing where they must. What has not changed its cell costs
/// nothing but the look.
#[derive(Clone, Debug)]
pub struct MovingCellHash {
    radius: f32,
    cells: Cells,
    table: Table,
    /// Numbers of the cells of each bucket.
    buckets: GrowingLists,
    /// Coordinates of each cell, by its number.
    coordinates: Vec<IVec3>,
    /// Names of the points of each cell, by its number.
    members: GrowingLists,
    /// Numbers that no cell has.
    free: Vec<u32>,
    registry: PointRegistry,
    /// Number of the point's cell and the point's place among its members, by name.
    place_of: Vec<(u32, u32)>,
    /// The cells that hold anything lie in here.
    bounds: CellBox,
}

impl MovingCellHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32) -> Self {
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table { size: table_size, hash },
            buckets: GrowingLists::new(table_size as usize, CELLS_PER_BUCKET),
            coordinates: Vec::new(),
            members: GrowingLists::new(0, POINTS_PER_CELL),
            free: Vec::new(),
            registry: PointRegistry::default(),
            place_of: Vec::new(),
            bounds: EMPTY,
        }
    }

    /// The cells that a query looks into.
    fn reach(&self, center: Vec3) -> CellBox {
        stencil::common(self.cells.touched_by_cube(center, self.radius), self.bounds)
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
        if self.place_of.len() <= slot {
            self.place_of.resize(slot + 1, (0, 0));
        }
        self.place_of[slot] = (number, self.members.push(number, id));
    }

    fn remove(&mut self, id: u32) {
        let (number, place) = self.place_of[id as usize];
        if let Some(moved) = self.members.swap_remove(number, place) {
            self.place_of[moved as usize].1 = place;
        }
        if self.members.of(number).is_empty() {
            let bucket = self.table.bucket(self.coordinates[number as usize]);
            if let Some(place) = self.buckets.of(bucket).iter().position(|&other| other == number) {
                self.buckets.swap_remove(bucket, place as u32);
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

    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates) {
        let Some(cells) = cursor.look(self.cells, center, self.radius, self.bounds) else { return };
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

    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync> {
        let bytes = self.buckets.bytes()
            + size_of_val(&*self.coordinates)
            + self.members.bytes()
            + self.registry.bytes()
            + size_of_val(&*self.place_of);
        let bucket = |bucket, cells: &mut FilledCells| {
            let numbers = self.buckets.of(bucket);
            let points = |number| self.members.of(number).len();
            cells.extend(numbers.iter().map(|&number| (self.coordinates[number as usize], points(number) as u32)));
            numbers.iter().map(|&number| points(number)).sum()
        };
        Census { table_size: self.table.size as usize, cell_size: self.cells.size(), bytes, spills: 0, bucket }
    }

    fn memory(&self) -> usize {
        let Self { buckets, coordinates, members, free, registry, place_of, .. } = self;
        buckets.memory() + held(coordinates) + members.memory() + held(free) + registry.memory() + held(place_of)
    }

    fn trace(&self, question: Question) -> Trace {
        let (reach, buckets) = (self.reach(question.center), self.table.size as usize);
        question.follow(
            (self.cells, self.radius),
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, wanted, meet| {
                let here = self.buckets.of(bucket);
                let compared = compared(here.iter().map(|&number| self.coordinates[number as usize]), wanted);
                for (&number, tested) in here.iter().zip(compared) {
                    for &id in self.members.of(number) {
                        meet(Entry { tested, ..Entry::tested(self.registry.get(id)) });
                    }
                }
            },
        )
    }
}
