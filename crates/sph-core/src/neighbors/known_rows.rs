//! What a thread has found in rows of cells along x. The stencils of neighbouring rows look into the same cells, nine times in all: each is
//! looked up once.

use super::lookups::Directory;
use super::runs::Run;
use glam::IVec3;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows that were looked up last. A row has one place, which the last of the rows that share it takes.
#[derive(Debug, Default)]
pub(crate) struct KnownRows {
    rows: Vec<Row>,
}

/// Successive cells along x, the last of [`KnownRows::SIZE`]`.x` or fewer.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Contents of the table in which its cells were looked up; 0 for none.
    generation: u64,
    y: i32,
    z: i32,
    /// The known cells: from `first` to before `end`.
    first: i32,
    end: i32,
    /// Each in the place of its x modulo their number; none until the row is opened.
    cells: Vec<KnownCell>,
    /// What else the buckets of cells have, in ascending order of x.
    more: Vec<(i32, More)>,
}

/// What was found in a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownCell {
    /// Its first run. That of an empty cell begins and ends where that of the cell before ends.
    pub run: Run,
    /// True if the run begins where that of the cell before ends.
    pub continues: bool,
    /// True if its bucket has more.
    pub has_more: bool,
}

/// What the bucket of a cell has besides the first run of the cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum More {
    /// Another run of the cell.
    Own(Run),
    /// A run of another cell.
    Foreign(Run, IVec3),
    /// This bucket is long: its runs are gathered for each stencil anew.
    Long(u32),
}

/// Largest number of runs in a bucket that is not long.
const MOST_RUNS: usize = 64;

impl KnownRows {
    /// Numbers of successive cells along each axis that have places of their own, powers of two.
    pub const SIZE: IVec3 = IVec3::new(128, 64, 8);

    /// Number of the row of `cell` in contents of this `generation`. It is known from the cell on, or not at all.
    pub fn open(&mut self, cell: IVec3, generation: u64) -> usize {
        let IVec3 { x, y, z } = cell;
        if self.rows.is_empty() {
            let unknown = Row { generation: 0, y: 0, z: 0, first: 0, end: 0, cells: Vec::new(), more: Vec::new() };
            self.rows.resize((Self::SIZE.y * Self::SIZE.z) as usize, unknown);
        }
        let number = ((z & (Self::SIZE.z - 1)) * Self::SIZE.y + (y & (Self::SIZE.y - 1))) as usize;
        let row = &mut self.rows[number];
        if (row.generation, row.y, row.z) != (generation, y, z) || !(row.first..=row.end).contains(&x) {
            (row.generation, row.y, row.z, row.first, row.end) = (generation, y, z, x, x);
            row.cells.resize(Self::SIZE.x as usize, KnownCell { run: Run::EMPTY, continues: false, has_more: false });
            row.more.clear();
        }
        number
    }

    /// A row by its number.
    #[inline(always)]
    pub fn row(&self, number: usize) -> &Row {
        &self.rows[number]
    }

    /// Looks up the first cell of a row that is not known.
    #[inline(never)]
    pub fn look_up_next(&mut self, number: usize, directory: &impl Directory) {
        let row = &mut self.rows[number];
        let (x, cell) = (row.end, row.coordinates(row.end));
        let bucket = directory.bucket(cell);
        let mut own = Run::EMPTY;
        let before = row.more.len();
        if directory.most_runs(bucket).is_none_or(|runs| runs > MOST_RUNS) {
            row.more.push((x, More::Long(bucket)));
        } else {
            directory.each_run(cell, bucket, |other, run| {
                if other != cell {
                    row.more.push((x, More::Foreign(run, other)));
                } else if own.is_empty() {
                    own = run;
                } else {
                    row.more.push((x, More::Own(run)));
                }
            });
        }
        let end = if x == row.first { 0 } else { row.cell(x - 1).run.end };
        let run = if own.is_empty() { Run { start: end, end } } else { own };
        let known = KnownCell { run, continues: run.start == end, has_more: row.more.len() > before };
        row.cells[(x & (Self::SIZE.x - 1)) as usize] = known;
        row.end += 1;
        if row.end - row.first > Self::SIZE.x {
            row.first = row.end - Self::SIZE.x / 2;
            row.more.retain(|&(x, _)| x >= row.first);
        }
    }
}

impl Row {
    /// The x behind the known cells.
    #[inline(always)]
    pub fn end(&self) -> i32 {
        self.end
    }

    /// The cell at `x`.
    #[inline(always)]
    pub fn coordinates(&self, x: i32) -> IVec3 {
        IVec3::new(x, self.y, self.z)
    }

    /// What was found in the known cell at `x`.
    #[inline(always)]
    pub fn cell(&self, x: i32) -> KnownCell {
        self.cells[(x & (KnownRows::SIZE.x - 1)) as usize]
    }

    /// What else the bucket of the known cell at `x` has.
    pub fn more(&self, x: i32) -> impl Iterator<Item = &More> {
        let first = self.more.partition_point(|&(other, _)| other < x);
        self.more[first..].iter().take_while(move |&&(other, _)| other == x).map(|(_, more)| more)
    }
}

/// A number that no other contents of a table have.
pub(crate) fn next_generation() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
