//! The bucket hash, updated incrementally: points move between buckets.

use super::bucket_hash::BucketHashOptions;
use crate::neighbors::Candidates;
use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{Buckets, CellCounts, PointRegistry};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::{HashFunction, Registration};
use glam::Vec3;
use std::ops::Range;

/// The lists of [`BucketHash`](super::BucketHash), of stable ids. A point that stays in its cells costs one comparison.
#[derive(Clone, Debug)]
pub struct MovingBucketHash {
    radius: f32,
    cells: Cells,
    table: Table,
    registration: Registration,
    buckets: Buckets,
    registry: PointRegistry,
    /// Bounding box of the cells in which points are registered.
    bounds: CellBox,
}

impl MovingBucketHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32, options: BucketHashOptions) -> Self {
        let BucketHashOptions { storage, capacity, registration } = options;
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            registration,
            buckets: Buckets::new(storage, table_size, capacity),
            registry: PointRegistry::default(),
            bounds: EMPTY,
        }
    }
}

impl NeighborSearch for MovingBucketHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], ids: &[u32]) -> Result<(), TooManyCells> {
        let Self { cells, table, radius, registration, .. } = *self;
        self.bounds = self.registry.update(points, ids, |point| registration.registered(cells, point, radius));
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for &change in self.registry.changes() {
            table.buckets(change.to, &mut new, |_| true);
            if !change.leaves() {
                new.iter().for_each(|&bucket| self.buckets.insert(bucket, change.id));
                continue;
            }
            table.buckets(change.from, &mut old, |_| true);
            // A point that moves by one cell stays in most of its buckets.
            old.sort_unstable();
            new.sort_unstable();
            old.iter()
                .filter(|bucket| new.binary_search(bucket).is_err())
                .for_each(|&bucket| self.buckets.remove(bucket, change.id));
            new.iter()
                .filter(|bucket| old.binary_search(bucket).is_err())
                .for_each(|&bucket| self.buckets.insert(bucket, change.id));
        }
        Ok(())
    }

    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let cells = self.registration.looked_into(self.cells, center, radius, self.bounds);
        if cursor.moves_to(cells) {
            self.table.buckets(cells, &mut cursor.buckets, |bucket| !self.buckets.is_empty(bucket));
            found.clear();
            for &bucket in &cursor.buckets {
                self.buckets.each(bucket, |id| {
                    let (index, point) = self.registry.get(id);
                    found.push(index, point);
                });
            }
        }
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = self.buckets.bytes() + self.registry.bytes();
        self.buckets.census(self.table, self.cells.size(), CellCounts::new(self.registry.cells(), self.table), bytes)
    }

    fn memory(&self) -> usize {
        self.buckets.memory() + self.registry.memory()
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let (reach, buckets) =
            (self.registration.looked_into(self.cells, query.center, query.radius, self.bounds), self.table.size as usize);
        query.follow(
            self.cells,
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, _, visit| {
                self.buckets.each(bucket, |id| {
                    let registered = Some(self.registry.cells()[id as usize]);
                    visit(Entry { registered, ..Entry::tested(self.registry.get(id)) });
                });
            },
        )
    }
}
