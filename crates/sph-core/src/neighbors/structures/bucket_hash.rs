//! The bucket hash: the original spatial hash, with a list of points in each bucket of the table.

use crate::neighbors::grid::{CellBox, Cells, EMPTY, Stencil, Table};
use crate::neighbors::known_cells::next_generation;
use crate::neighbors::lookups::{Directory, Lookups, MOST_RUNS};
use crate::neighbors::runs::{CellRuns, Run};
use crate::neighbors::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use crate::neighbors::storage::{Buckets, CellCounts, SortedPoints};
use crate::neighbors::{Candidates, stencil};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::parameters::{HashFunction, Registration, Storage};
use glam::{IVec3, Vec3};
use std::ops::Range;

/// A hash table of buckets, each with the points of its cells, rebuilt from scratch.
///
/// Entries of a bucket are places of the points as they were given, and ascend: where points lie in memory by cells, a query reads them
/// in runs, as those of [`SpatialHash`](super::SpatialHash) do.
#[derive(Clone, Debug)]
pub struct BucketHash {
    radius: f32,
    cells: Cells,
    table: Table,
    /// Number of the contents, by which queries know them.
    generation: u64,
    registration: Registration,
    /// Points side by side in one cell, in the order of memory.
    runs: CellRuns,
    buckets: Buckets,
    points: SortedPoints,
    /// True if the runs are long.
    in_runs: bool,
    /// Bounding box of the points' own cells.
    bounds: CellBox,
}

/// Parameters of a [`BucketHash`].
#[derive(Clone, Copy, Debug)]
pub struct BucketHashOptions {
    /// Storage of a bucket's points.
    pub storage: Storage,
    /// Capacity of a bucket with [`Storage::Fixed`], in points; at least 1.
    pub capacity: u32,
    /// Cells in which points are registered.
    pub registration: Registration,
}

impl BucketHash {
    /// An empty table of `table_size` ≥ 1 buckets over cells of side `cell_size` > 0, for neighbours within `radius` (both m).
    pub fn new(table_size: u32, cell_size: f32, hash: HashFunction, radius: f32, options: BucketHashOptions) -> Self {
        let BucketHashOptions { storage, capacity, registration } = options;
        Self {
            radius,
            cells: Cells::new(cell_size),
            table: Table::new(table_size, hash),
            generation: next_generation(),
            registration,
            runs: CellRuns::default(),
            buckets: Buckets::new(storage, table_size, capacity),
            points: SortedPoints::default(),
            in_runs: true,
            bounds: EMPTY,
        }
    }

    /// Index and position (m) of the point that an entry stands for.
    fn point(&self, entry: u32) -> (u32, Vec3) {
        self.points.get(entry as usize)
    }
}

impl Registration {
    /// Cells in which a structure that is searched within `radius` registers `point` (both m).
    pub(super) fn registered(self, cells: Cells, point: Vec3, radius: f32) -> CellBox {
        match self {
            Self::Once => (cells.of(point), cells.of(point)),
            Self::Everywhere => cells.touched_by_cube(point, radius),
        }
    }

    /// Cells among `bounds` that a query for points within `radius` of `center` (both m) looks into.
    pub(super) fn looked_into(self, cells: Cells, center: Vec3, radius: f32, bounds: CellBox) -> CellBox {
        match self {
            Self::Once => stencil::common(cells.touched_by_cube(center, radius), bounds),
            Self::Everywhere => (cells.of(center), cells.of(center)),
        }
    }
}

impl Directory for BucketHash {
    fn generation(&self) -> u64 {
        self.generation
    }

    #[inline(always)]
    fn bucket(&self, cell: IVec3) -> u32 {
        self.table.bucket(cell)
    }

    #[inline(always)]
    fn prefetch_entry(&self, bucket: u32) {
        self.buckets.prefetch_length(bucket);
    }

    #[inline(always)]
    fn prefetch_runs(&self, bucket: u32) {
        self.buckets.prefetch_entries(bucket);
    }

    #[inline(always)]
    fn prefetch_points(&self, run: Run) {
        self.points.prefetch(run);
    }

    #[inline(always)]
    fn is_long(&self, bucket: u32) -> bool {
        self.registration == Registration::Everywhere || self.buckets.len(bucket) > 8 * MOST_RUNS
    }

    #[inline(always)]
    fn each_run(&self, cell: IVec3, bucket: u32, mut visit: impl FnMut(IVec3, Run)) {
        self.buckets.each_run(bucket, |run| {
            if self.registration == Registration::Everywhere {
                return visit(cell, run);
            }
            // Cells of one bucket may adjoin.
            let cell_of = |entry: u32| self.cells.of(self.point(entry).1);
            let (mut start, mut cell) = (run.start, cell_of(run.start));
            for entry in run.start + 1..run.end {
                let here = cell_of(entry);
                if here != cell {
                    visit(cell, Run { start, end: entry });
                    (start, cell) = (entry, here);
                }
            }
            visit(cell, Run { start, end: run.end });
        });
    }
}

impl NeighborSearch for BucketHash {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        let Self { cells, table, radius, .. } = *self;
        self.generation = next_generation();
        self.bounds = cells.bounds(points);
        self.runs.find(cells, points, table);
        self.in_runs = self.runs.are_long(table.size);
        match self.registration {
            Registration::Once => {
                self.buckets.refill(self.runs.iter(), |buckets, entry, bucket| buckets.insert(bucket, entry));
            }
            Registration::Everywhere => {
                let (mut present, mut registered) = (EMPTY, Vec::new());
                self.buckets.refill(self.runs.iter(), |buckets, entry, _| {
                    let touched = cells.touched_by_cube(points[entry as usize], radius);
                    if touched != present {
                        table.buckets(touched, &mut registered, |_| true);
                        present = touched;
                    }
                    registered.iter().for_each(|&bucket| buckets.insert(bucket, entry));
                });
            }
        }
        self.points.put_as_they_are(points);
        Ok(())
    }

    #[inline(always)]
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        let cells = match self.registration {
            Registration::Once => cursor.look(self.cells, center, radius, self.bounds),
            Registration::Everywhere => Some(self.registration.looked_into(self.cells, center, radius, self.bounds))
                .filter(|&cell| cursor.moves_to(cell)),
        };
        let Some(cells) = cells else { return };
        found.clear();
        if stencil::is_empty(cells) {
            return;
        }
        if stencil::is_vast(cells) {
            found.take::<32>(&self.points, 0..self.points.len(), true);
        } else if !self.in_runs || !Lookups::can_hold(cells) {
            self.table.buckets(cells, &mut cursor.buckets, |bucket| !self.buckets.is_empty(bucket));
            for &bucket in &cursor.buckets {
                self.buckets.each(bucket, |entry| {
                    let (index, point) = self.point(entry);
                    found.push(index, point);
                });
            }
        } else {
            found.look_up(cells, self, &self.points, &mut cursor.lookups);
        }
    }

    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = self.buckets.bytes() + self.points.bytes();
        let Self { cells, registration, radius, .. } = *self;
        let registered = |entry| registration.registered(cells, self.points.get(entry).1, radius);
        let registered: Vec<CellBox> = (0..self.points.len()).map(registered).collect();
        self.buckets.census(self.table, self.cells.size(), CellCounts::new(&registered, self.table), bytes)
    }

    fn memory(&self) -> usize {
        self.runs.memory() + self.buckets.memory() + self.points.memory()
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let Self { cells, registration, radius, bounds, .. } = *self;
        let (reach, buckets) = (registration.looked_into(cells, query.center, query.radius, bounds), self.table.size as usize);
        query.follow(
            self.cells,
            reach,
            buckets,
            |cell| self.table.bucket(cell),
            |bucket, _, visit| {
                self.buckets.each(bucket, |entry| {
                    let (index, point) = self.point(entry);
                    visit(Entry {
                        registered: Some(registration.registered(cells, point, radius)),
                        ..Entry::tested((index, point))
                    });
                });
            },
        )
    }
}
