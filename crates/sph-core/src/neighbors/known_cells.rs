//! What a thread has found in cells. The stencils of neighbouring rows look into the same cells, nine times in all: most are looked up once.

use super::lookups::Directory;
use super::runs::Run;
use glam::IVec3;
use std::sync::atomic::{AtomicU64, Ordering};

/// Cells that were looked up last, in stretches along x. A stretch has one place, which the last of the stretches that share it takes.
#[derive(Debug, Default)]
pub(crate) struct KnownCells {
    /// Contents of the table in which cells are looked up.
    generation: u64,
    /// Those of a row are side by side.
    stretches: Vec<Option<Box<Stretch>>>,
}

/// Cells of one row along x.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    y: i32,
    z: i32,
    /// Place of its stretches.
    first: usize,
}

/// Successive cells along x.
#[derive(Clone, Debug)]
struct Stretch {
    /// Contents of the table in which its cells were looked up.
    generation: u64,
    /// Its number along x, and y and z of its cells.
    place: IVec3,
    /// One bit a cell: it is known.
    known: u32,
    /// One bit a cell: its bucket has more than its first run.
    has_more: u32,
    /// The first run of each cell, which may be empty.
    runs: [Run; LENGTH],
    /// What else the buckets of cells have, each with the cell's x.
    more: Vec<(i32, More)>,
}

/// What the bucket of a cell has besides the first run of the cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum More {
    /// Another run of the cell.
    Own(Run),
    /// A run of another cell.
    Foreign(Run, IVec3),
    /// The bucket, which is long: its runs are gathered for each stencil anew.
    Long(u32),
}

/// Cells of a stretch.
const LENGTH: usize = 32;
const LENGTH_BITS: u32 = LENGTH.trailing_zeros();

/// Numbers of stretches along x, and of rows along y and z, that have places of their own: powers of two.
const PLACES: IVec3 = IVec3::new(8, 64, 8);

impl KnownCells {
    /// Numbers of successive cells along each axis that have places of their own.
    pub const SIZE: IVec3 = IVec3::new(PLACES.x << LENGTH_BITS, PLACES.y, PLACES.z);

    /// Prepares for look-ups in contents of this `generation`.
    pub fn open(&mut self, generation: u64) {
        self.generation = generation;
        if self.stretches.is_empty() {
            self.stretches.resize_with(PLACES.as_usizevec3().element_product(), || None);
        }
    }

    /// The row of cells with these y and z.
    pub fn row(y: i32, z: i32) -> Row {
        let number = (z & (PLACES.z - 1)) * PLACES.y + (y & (PLACES.y - 1));
        Row { y, z, first: (number * PLACES.x) as usize }
    }

    #[inline(always)]
    fn place(row: Row, x: i32) -> usize {
        row.first + ((x >> LENGTH_BITS) & (PLACES.x - 1)) as usize
    }

    /// The stretch in the place of a row's cell at `x`.
    #[inline(always)]
    fn stretch(&self, row: Row, x: i32) -> Option<&Stretch> {
        self.stretches[Self::place(row, x)].as_deref()
    }

    /// True if a row's cell at `x` is known.
    #[inline(always)]
    pub fn contains(&self, row: Row, x: i32) -> bool {
        self.stretch(row, x).is_some_and(|stretch| {
            stretch.generation == self.generation
                && stretch.place == IVec3::new(x >> LENGTH_BITS, row.y, row.z)
                && stretch.known & bit(x) != 0
        })
    }

    /// The first run of a row's known cell at `x`; it may be empty.
    #[inline(always)]
    pub fn run(&self, row: Row, x: i32) -> Run {
        self.stretch(row, x).map_or(Run::EMPTY, |stretch| stretch.runs[number(x)])
    }

    /// True if the bucket of a row's known cell at `x` has more than that run.
    #[inline(always)]
    pub fn has_more(&self, row: Row, x: i32) -> bool {
        self.stretch(row, x).is_some_and(|stretch| stretch.has_more & bit(x) != 0)
    }

    /// What else the bucket of a row's known cell at `x` has.
    pub fn more(&self, row: Row, x: i32) -> impl Iterator<Item = More> {
        let more = self.stretch(row, x).map_or(&[][..], |stretch| &stretch.more);
        more.iter().filter(move |&&(other, _)| other == x).map(|&(_, more)| more)
    }

    /// Looks up a row's cell at `x`, which is not known.
    #[inline(never)]
    pub fn look_up(&mut self, row: Row, x: i32, directory: &impl Directory) {
        let place = IVec3::new(x >> LENGTH_BITS, row.y, row.z);
        let unknown = || {
            let (generation, runs) = (self.generation, [Run::EMPTY; LENGTH]);
            Stretch { generation, place, known: 0, has_more: 0, runs, more: Vec::new() }
        };
        let stretch = self.stretches[Self::place(row, x)].get_or_insert_with(|| Box::new(unknown()));
        if (stretch.generation, stretch.place) != (self.generation, place) {
            (stretch.generation, stretch.place, stretch.known, stretch.has_more) = (self.generation, place, 0, 0);
            stretch.more.clear();
        }
        let cell = row.cell(x);
        let bucket = directory.bucket(cell);
        let (mut own, before) = (Run::EMPTY, stretch.more.len());
        if directory.is_long(bucket) {
            stretch.more.push((x, More::Long(bucket)));
        } else {
            directory.each_run(cell, bucket, |other, run| {
                if other != cell {
                    stretch.more.push((x, More::Foreign(run, other)));
                } else if own.is_empty() {
                    own = run;
                } else {
                    stretch.more.push((x, More::Own(run)));
                }
            });
        }
        stretch.runs[number(x)] = own;
        stretch.known |= bit(x);
        stretch.has_more |= if stretch.more.len() > before { bit(x) } else { 0 };
    }
}

impl Row {
    /// Its cell at `x`.
    #[inline(always)]
    pub fn cell(self, x: i32) -> IVec3 {
        IVec3::new(x, self.y, self.z)
    }
}

/// Number of the cell at `x` in its stretch.
#[inline(always)]
fn number(x: i32) -> usize {
    x as usize % LENGTH
}

#[inline(always)]
fn bit(x: i32) -> u32 {
    1 << number(x)
}

/// A number that no other contents of a table have.
pub(crate) fn next_generation() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
