//! Points that a query finds in the cells of its stencil. Successive stencils mostly move by one cell along x: only the cells that are
//! new are looked up, and those of the next two stencils are asked for in advance.

use super::grid::{CellBox, EMPTY};
use super::known_cells::{KnownCells, More, Row};
use super::runs::Run;
use crate::simd::Prefetch;
use glam::IVec3;
use std::ops::Range;

/// A hash table in which cells are looked up.
pub(crate) trait Directory {
    /// Number of its contents, from [`next_generation`](super::known_cells::next_generation).
    fn generation(&self) -> u64;

    /// The bucket of `cell`.
    fn bucket(&self, cell: IVec3) -> u32;

    /// Asks for the bucket's entry in the table, long before it is read.
    fn prefetch_entry(&self, bucket: u32);

    /// Reads the bucket's entry in the table and asks for what it refers to.
    fn prefetch_runs(&self, bucket: u32);

    /// Asks for the points of a run.
    fn prefetch_points(&self, run: Run);

    /// True if the runs of a bucket are gathered for each stencil anew: there are many, or points of other cells in it may be near.
    fn is_long(&self, bucket: u32) -> bool;

    /// Calls `visit` for each run that a look-up of `cell` finds in `bucket`, in ascending order; unless the bucket is
    /// [long](Self::is_long) with the cell in which all of its points lie.
    fn each_run(&self, cell: IVec3, bucket: u32, visit: impl FnMut(IVec3, Run));
}

/// What is found in the cells of a stencil, row by row.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    /// Cells of the previous stencil; `None` before the first.
    cells: Option<CellBox>,
    known: KnownCells,
    /// The rows of the stencil, y fastest.
    rows: Vec<Row>,
    /// Further runs of its cells, each with the x at which it was found.
    further: Vec<(Run, i32)>,
    /// Runs of other cells that share a bucket with one of its cells.
    foreign: Vec<Foreign>,
    /// Long buckets, each once, with the largest x at which it was found.
    long: Vec<(u32, i32)>,
    /// Buckets of unknown cells behind the stencil whose entries in the table are awaited.
    ahead: Vec<u32>,
    /// What was found, in ascending order.
    runs: Vec<Run>,
}

/// A run of another cell than the one that was looked up.
#[derive(Clone, Copy, Debug)]
struct Foreign {
    run: Run,
    cell: IVec3,
    /// The largest x at which it was found.
    x: i32,
}

/// Largest number of runs in a bucket that is not [long](Directory::is_long).
pub(crate) const MOST_RUNS: usize = 16;

/// Cells behind a stencil for which the table is asked in advance.
const AHEAD: i32 = 2;

impl Lookups {
    /// Forgets what was found.
    pub fn forget(&mut self) {
        self.cells = None;
    }

    /// True if a stencil of these cells, which is not [vast](super::stencil::is_vast), can be looked up.
    #[inline(always)]
    pub fn can_hold((low, high): CellBox) -> bool {
        high.x < i32::MAX - AHEAD && (high - low).cmplt(KnownCells::SIZE - IVec3::X * AHEAD).all()
    }

    /// Looks up `cells`, which are not empty and [can be held](Self::can_hold). All ranges of points found are disjoint. Those of
    /// [`Lookups::near`] ascend, and the points of [`Lookups::far`] are near no query.
    #[inline(always)]
    pub fn look_up(&mut self, cells: CellBox, directory: &impl Directory) {
        let (low, high) = cells;
        let first_new = match self.cells.replace(cells) {
            // The rows of the previous stencil, moved upwards, or a longer or shorter part of them.
            Some((first, last))
                if (first.y, first.z, last.y, last.z) == (low.y, low.z, high.y, high.z)
                    && (first.x..=last.x).contains(&low.x)
                    && high.x >= last.x =>
            {
                self.further.retain(|&(_, x)| x >= low.x);
                self.foreign.retain(|foreign| foreign.x >= low.x);
                self.long.retain(|&(_, x)| x >= low.x);
                self.ahead.iter().for_each(|&bucket| directory.prefetch_runs(bucket));
                last.x + 1
            }
            _ => {
                self.start(cells, directory.generation());
                low.x
            }
        };
        self.ahead.clear();
        self.runs.clear();
        for number in 0..self.rows.len() {
            let row = self.rows[number];
            for x in first_new..=high.x {
                if !self.known.contains(row, x) {
                    self.known.look_up(row, x, directory);
                }
                if self.known.has_more(row, x) {
                    self.find_more(row, x);
                }
            }
            self.ask(row, high.x + AHEAD, directory);
            self.join(row, low.x, high.x);
        }
        self.runs.extend(self.further.iter().map(|&(run, _)| run));
        for &(bucket, _) in &self.long {
            directory.each_run(low, bucket, |_, run| self.runs.push(run));
        }
        // Rows ascend where points lie in memory in the order of cells.
        if !self.runs.is_sorted_by_key(|run| run.start) {
            self.runs.sort_unstable_by_key(|run| run.start);
        }
    }

    /// Points that may be near: ranges of the cells looked up.
    #[inline(always)]
    pub fn near(&self) -> impl Iterator<Item = Range<usize>> {
        self.runs.iter().map(|run| run.range())
    }

    /// Ranges of points of other cells.
    #[inline(always)]
    pub fn far(&self) -> impl Iterator<Item = Range<usize>> {
        let (low, high) = self.cells.unwrap_or(EMPTY);
        // Those of the stencil were found in their own cells.
        let outside = move |foreign: &&Foreign| (foreign.cell.cmplt(low) | foreign.cell.cmpgt(high)).any();
        self.foreign.iter().filter(outside).map(|foreign| foreign.run.range())
    }

    /// Forgets what was found for the previous stencil, and lists the rows of `cells`.
    #[inline(never)]
    fn start(&mut self, (low, high): CellBox, generation: u64) {
        self.known.open(generation);
        self.rows.clear();
        self.further.clear();
        self.foreign.clear();
        self.long.clear();
        for z in low.z..=high.z {
            self.rows.extend((low.y..=high.y).map(|y| KnownCells::row(y, z)));
        }
    }

    /// Puts down what the bucket of a row's cell has besides the first run of the cell.
    #[inline(never)]
    fn find_more(&mut self, row: Row, x: i32) {
        let Self { known, further, foreign, long, .. } = self;
        for more in known.more(row, x) {
            match more {
                More::Own(run) => further.push((run, x)),
                More::Foreign(run, cell) => match foreign.iter_mut().find(|foreign| foreign.run == run) {
                    Some(foreign) => foreign.x = foreign.x.max(x),
                    None => foreign.push(Foreign { run, cell, x }),
                },
                More::Long(bucket) => match long.iter_mut().find(|(other, _)| *other == bucket) {
                    Some((_, last)) => *last = x.max(*last),
                    None => long.push((bucket, x)),
                },
            }
        }
    }

    /// Asks for what will be read when the stencil comes to a row's cell at `x`.
    #[inline(always)]
    fn ask(&mut self, row: Row, x: i32, directory: &impl Directory) {
        if !self.known.contains(row, x) {
            let bucket = directory.bucket(row.cell(x));
            directory.prefetch_entry(bucket);
            self.ahead.push(bucket);
        } else if self.known.has_more(row, x) {
            for more in self.known.more(row, x) {
                if let More::Foreign(run, _) = more {
                    directory.prefetch_points(run);
                }
            }
        }
    }

    /// Joins the first runs of a row's cells from `low` to `high`.
    #[inline(always)]
    fn join(&mut self, row: Row, low: i32, high: i32) {
        let mut joined = Run::EMPTY;
        for x in low..=high {
            let run = self.known.run(row, x);
            if run.is_empty() {
                continue;
            }
            if run.start == joined.end {
                joined.end = run.end;
                continue;
            }
            if !joined.is_empty() {
                self.runs.push(joined);
            }
            joined = run;
        }
        if !joined.is_empty() {
            self.runs.push(joined);
        }
    }
}

/// Asks for the cache line of an entry, if there is such an entry. It changes nothing but the time at which the entry arrives.
#[inline(always)]
pub(crate) fn prefetch<T>(entries: &[T], index: usize) {
    if let Some(entry) = entries.get(index) {
        Prefetch::AllLevels.fetch(entry, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::Table;
    use super::super::known_cells::next_generation;
    use super::*;
    use crate::parameters::HashFunction;
    use std::cell::Cell;
    use std::collections::BTreeSet;

    /// Runs of points by bucket, each with its cell.
    struct Buckets {
        table: Table,
        generation: u64,
        runs: Vec<Vec<(IVec3, Run)>>,
        /// Number of look-ups.
        looks: Cell<usize>,
    }

    impl Buckets {
        /// Buckets without runs.
        fn empty(size: u32) -> Self {
            let (table, runs) = (Table::new(size, HashFunction::Teschner), vec![Vec::new(); size as usize]);
            Self { table, generation: next_generation(), runs, looks: Cell::new(0) }
        }

        /// Rows of up to 300 cells with gaps, where every seventh cell has a second run elsewhere in memory.
        fn new(size: u32, seed: u32) -> Self {
            let mut buckets = Self::empty(size);
            let table = buckets.table;
            let mut end = 0;
            for second in [false, true] {
                for (z, y, x) in (0..4).flat_map(|z| (0..5).flat_map(move |y| (0..300).map(move |x| (z, y, x)))) {
                    let kind = (x as u32 * 37 + y as u32 * 11 + z as u32 * 101 + seed) % 23;
                    if kind < 5 || second && kind < 20 {
                        continue;
                    }
                    let cell = IVec3::new(x - 150, y - 2, z);
                    let run = Run { start: end, end: end + kind % 9 + 1 };
                    buckets.runs[table.bucket(cell) as usize].push((cell, run));
                    end = run.end;
                }
            }
            buckets
        }

        /// Points of the buckets of all `cells`, and those of the cells themselves.
        fn expected(&self, cells: CellBox) -> (BTreeSet<usize>, BTreeSet<usize>) {
            let buckets: BTreeSet<u32> = super::super::stencil::each(cells).map(|cell| self.table.bucket(cell)).collect();
            let runs = || buckets.iter().flat_map(|&bucket| &self.runs[bucket as usize]);
            let is_inside = |cell: IVec3| cell.cmpge(cells.0).all() && cell.cmple(cells.1).all();
            let own = runs().filter(|(cell, _)| is_inside(*cell)).flat_map(|(_, run)| run.range());
            (runs().flat_map(|(_, run)| run.range()).collect(), own.collect())
        }
    }

    impl Directory for Buckets {
        fn generation(&self) -> u64 {
            self.generation
        }

        fn bucket(&self, cell: IVec3) -> u32 {
            self.table.bucket(cell)
        }

        fn prefetch_entry(&self, _bucket: u32) {}

        fn prefetch_runs(&self, _bucket: u32) {}

        fn prefetch_points(&self, _run: Run) {}

        fn is_long(&self, bucket: u32) -> bool {
            self.runs[bucket as usize].len() > MOST_RUNS
        }

        fn each_run(&self, _cell: IVec3, bucket: u32, mut visit: impl FnMut(IVec3, Run)) {
            self.looks.set(self.looks.get() + 1);
            self.runs[bucket as usize].iter().for_each(|&(cell, run)| visit(cell, run));
        }
    }

    /// Stencils that move along rows longer than those that are kept, jump, and grow and shrink, in tables with and without collisions and
    /// with long buckets, find what a look into the bucket of every cell finds, each point once, those of their own cells in order.
    #[test]
    fn stencils_find_all_points_of_their_buckets_once() {
        let mut lookups = Lookups::default();
        for (size, seed) in [(1, 0), (40, 1), (900, 2), (20_000, 3), (20_000, 4)] {
            let buckets = Buckets::new(size, seed);
            lookups.forget();
            for (y, z) in [(-2, 0), (-1, 0), (0, 0), (-2, 1), (-1, 1), (-1, 0), (1, 2)] {
                let step = |k: i32| if k % 41 == 40 { -k } else { 0 };
                for k in 0..290 {
                    // Mostly the next cell, sometimes a wider or narrower stencil, sometimes one far away.
                    let x = k - 149 + step(k) / 3;
                    let wide = if k % 50 < 40 { 2 } else { k % 4 };
                    let cells = (IVec3::new(x - 1, y, z), IVec3::new(x - 1 + wide, y + 2, z + 1));
                    lookups.look_up(cells, &buckets);
                    let near: Vec<usize> = lookups.near().flatten().collect();
                    let far: Vec<usize> = lookups.far().flatten().collect();
                    assert!(near.is_sorted_by(|a, b| a < b), "{size} buckets, {cells:?}");
                    let (all, own) = buckets.expected(cells);
                    let found: BTreeSet<usize> = near.iter().chain(&far).copied().collect();
                    assert!(found == all, "{size} buckets, {cells:?}");
                    assert_eq!(near.len() + far.len(), all.len(), "{size} buckets, {cells:?}");
                    assert!(far.iter().all(|point| !own.contains(point)), "{size} buckets, {cells:?}");
                }
            }
        }
    }

    /// Stencils of all cells, row by row as particles lie in memory, look up each of the cells that they touch once: of a block, of two with a
    /// gap between them, and of rows of several stretches.
    #[test]
    fn cells_are_looked_up_once() {
        let blocks = |ends: &'static [(i32, i32)]| ends.iter().flat_map(|&(first, end)| first..end);
        for ends in [&[(0, 40)][..], &[(0, 20), (70, 90)], &[(-100, 100)]] {
            let (buckets, mut lookups) = (Buckets::empty(1000), Lookups::default());
            let mut touched = BTreeSet::new();
            for (z, y, x) in (0..9).flat_map(|z| (0..20).flat_map(move |y| blocks(ends).map(move |x| (z, y, x)))) {
                let cells = (IVec3::new(x - 1, y - 1, z - 1), IVec3::new(x + 1, y + 1, z + 1));
                lookups.look_up(cells, &buckets);
                touched.extend(super::super::stencil::each(cells).map(|cell| cell.to_array()));
            }
            assert_eq!(buckets.looks.get(), touched.len(), "{ends:?}");
        }
    }
}
