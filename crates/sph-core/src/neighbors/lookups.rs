//! Points that a query finds in the cells of its stencil. Successive stencils mostly move by one cell along x: only the cells that are
//! new are looked up, and those of the next two stencils are asked for in advance.

use super::runs::{Run, Runs};
use super::stencil::CellBox;
use glam::IVec3;
use std::ops::{Range, RangeInclusive};

/// A hash table in which cells are looked up.
pub(crate) trait Directory {
    /// The bucket of `cell`.
    fn bucket(&self, cell: IVec3) -> u32;

    /// Asks for the bucket's entry in the table, long before it is read.
    fn prefetch_entry(&self, bucket: u32);

    /// Reads the bucket's entry in the table and asks for what it refers to.
    fn prefetch_points(&self, bucket: u32);

    /// The points of `cell`, which lies in `bucket`.
    fn find(&self, cell: IVec3, bucket: u32) -> Found;

    /// Number of points in a bucket of [several](Found::Several) runs.
    fn len(&self, bucket: u32) -> usize;

    /// Calls `visit` for each run of such a bucket, in ascending order.
    fn each_run(&self, bucket: u32, visit: impl FnMut(Run));
}

/// Points that a look-up finds: positions in an array of points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// One run, which may be empty.
    One(Run),
    /// Several runs: all in this bucket.
    Several(u32),
}

impl Found {
    /// The points of `bucket`, whose `indices` ascend.
    #[inline(always)]
    pub fn all(bucket: u32, indices: &[u32]) -> Self {
        let (Some(&start), Some(&last)) = (indices.first(), indices.last()) else { return Self::One(Run::EMPTY) };
        // Ascending indices are consecutive if the last is as far from the first as their number says.
        if last - start == indices.len() as u32 - 1 { Self::One(Run { start, end: last + 1 }) } else { Self::Several(bucket) }
    }
}

/// Columns of buckets that are asked for in advance: one whose entries in the table are awaited, one whose points are.
const AHEAD: i32 = 2;

/// Largest number of points in a bucket that is split into its runs when it is found, even if it is found several times.
const LONGEST_SPLIT: usize = 64;

/// The cells of a stencil in columns, one for each x, with what was found in them.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    /// Cells of the previous stencil; `None` before the first.
    cells: Option<CellBox>,
    /// One run a cell, column by column.
    found: Vec<Run>,
    /// Further runs of short buckets, each with the column in which it was found.
    further: Vec<(Run, i32)>,
    /// Long buckets of several runs, each once, with the last column in which it was found.
    long: Vec<(u32, i32)>,
    /// Buckets of the columns behind the stencil.
    ahead: Vec<u32>,
    runs: Runs,
}

impl Lookups {
    /// Forgets what was found.
    pub fn forget(&mut self) {
        self.cells = None;
    }

    /// Ranges of the points in `cells`, which are neither empty nor [vast](super::stencil::is_vast): disjoint and ascending.
    #[inline(always)]
    pub fn look_up(&mut self, cells: CellBox, directory: &impl Directory) -> impl Iterator<Item = Range<usize>> {
        let (low, high) = cells;
        let column = ((high.y - low.y + 1) * (high.z - low.z + 1)) as usize;
        let rows = (low.y, low.z, high.y, high.z);
        match self.cells.replace(cells) {
            // The rows of the previous stencil, moved upwards, or a longer or shorter part of them.
            Some((first, last))
                if (first.y, first.z, last.y, last.z) == rows && (first.x..=last.x).contains(&low.x) && high.x >= last.x =>
            {
                let passed = (low.x - first.x) as usize * column;
                self.found.copy_within(passed.., 0);
                self.found.truncate(self.found.len() - passed);
                self.further.retain(|&(_, x)| x >= low.x);
                self.long.retain(|&(_, x)| x >= low.x);
                if last.x < high.x {
                    (last.x + 1..=high.x).for_each(|x| self.advance(cells, column, x, directory));
                }
            }
            _ => self.start(cells, column, directory),
        }
        self.join(column, directory)
    }

    /// Looks up all of `cells`, which have columns of `length` cells.
    fn start(&mut self, cells: CellBox, length: usize, directory: &impl Directory) {
        let (low, high) = cells;
        self.found.clear();
        self.further.clear();
        self.long.clear();
        self.ahead.clear();
        self.look_ahead(cells, low.x..=high.x, directory);
        self.ahead.iter().for_each(|&bucket| directory.prefetch_points(bucket));
        for x in low.x..=high.x {
            each_in_column(cells, x, |cell| self.find(cell, self.ahead[self.found.len()], length, directory));
        }
        // What is behind the stencil is asked for once it moves there.
        self.ahead.clear();
    }

    /// Appends the buckets of columns to those ahead.
    #[inline(always)]
    fn look_ahead(&mut self, cells: CellBox, columns: RangeInclusive<i32>, directory: &impl Directory) {
        for x in columns {
            each_in_column(cells, x, |cell| {
                let bucket = directory.bucket(cell);
                directory.prefetch_entry(bucket);
                self.ahead.push(bucket);
            });
        }
    }

    /// Looks up the column at `x`, which has `length` cells and is the first of those ahead.
    #[inline(always)]
    fn advance(&mut self, cells: CellBox, length: usize, x: i32, directory: &impl Directory) {
        if self.ahead.is_empty() {
            self.look_ahead(cells, x..=x.saturating_add(AHEAD - 1), directory);
        }
        let mut row = 0;
        each_in_column(cells, x, |cell| {
            self.find(cell, self.ahead[row], length, directory);
            row += 1;
        });
        self.ahead.drain(..length);
        self.ahead.iter().take(length).for_each(|&bucket| directory.prefetch_points(bucket));
        self.look_ahead(cells, x.saturating_add(AHEAD)..=x.saturating_add(AHEAD), directory);
    }

    /// Looks up a cell, whose column has `length` cells.
    #[inline(always)]
    fn find(&mut self, cell: IVec3, bucket: u32, length: usize, directory: &impl Directory) {
        let run = match directory.find(cell, bucket) {
            Found::One(run) => run,
            Found::Several(bucket) => {
                if directory.len(bucket) > LONGEST_SPLIT {
                    match self.long.iter_mut().find(|(other, _)| *other == bucket) {
                        Some((_, x)) => *x = cell.x,
                        None => self.long.push((bucket, cell.x)),
                    }
                    Run::EMPTY
                } else {
                    self.split(bucket, cell.x, length, directory)
                }
            }
        };
        self.found.push(run);
    }

    /// Splits a bucket into its runs. Returns the one that continues what was found in the column before, which is mostly that of the cell
    /// itself.
    fn split(&mut self, bucket: u32, x: i32, length: usize, directory: &impl Directory) -> Run {
        let before = self.found.len().checked_sub(length).map_or(Run::EMPTY, |place| self.found[place]);
        let mut next = Run::EMPTY;
        directory.each_run(bucket, |run| {
            if run.start == before.end && !before.is_empty() {
                next = run;
            } else {
                self.further.push((run, x));
            }
        });
        next
    }

    /// Joins what was found: the cells of each row, then all further runs.
    #[inline(always)]
    fn join(&mut self, column: usize, directory: &impl Directory) -> impl Iterator<Item = Range<usize>> {
        let Self { found, further, long, runs, .. } = self;
        runs.clear();
        for row in 0..column {
            let mut joined = Run::EMPTY;
            let mut place = row;
            while let Some(&run) = found.get(place) {
                if run.start == joined.end {
                    joined.end = run.end;
                } else {
                    if !joined.is_empty() {
                        runs.add(joined);
                    }
                    joined = run;
                }
                place += column;
            }
            if !joined.is_empty() {
                runs.add(joined);
            }
        }
        further.iter().for_each(|&(run, _)| runs.add(run));
        for &(bucket, _) in &*long {
            directory.each_run(bucket, |run| runs.add(run));
        }
        runs.ascending()
    }
}

/// Calls `visit` for the cells of a box at `x`, y fastest.
#[inline(always)]
fn each_in_column((low, high): CellBox, x: i32, mut visit: impl FnMut(IVec3)) {
    for z in low.z..=high.z {
        for y in low.y..=high.y {
            visit(IVec3::new(x, y, z));
        }
    }
}

/// Asks for the cache line of an entry, if there is such an entry. It changes nothing but the time at which the entry arrives.
#[inline(always)]
pub(crate) fn prefetch<T>(entries: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = entries.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a reference, and a prefetch has no effect that a program can observe.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (entries, index);
}
