//! Counts over a structure, bucket by bucket.

use super::contents::{Contents, OccupiedCell};
use super::occupancy::Occupancy;
use crate::passes::with_kept;
use glam::IVec3;
use rayon::prelude::*;
use std::cell::Cell;
use std::ops::Range;

/// Buckets per parallel task. Fixed, so that tasks are the same for any number of threads.
const BUCKETS_PER_CHUNK: usize = 4096;

/// Most buckets that are looked into one by one because one of them is occupied.
const BUCKETS_PER_LOOK: usize = 8;

/// Cells, each with its number of points.
pub(crate) type FilledCells = Vec<(IVec3, u32)>;

thread_local! {
    static CELLS: Cell<FilledCells> = const { Cell::new(FilledCells::new()) };
}

/// Access to the buckets of a structure, from which its statistics are counted.
#[derive(Debug)]
pub struct Census<F, E> {
    /// Number of buckets.
    pub(crate) table_size: usize,
    /// Side of a cell, m; 0 if the structure has no cells.
    pub(crate) cell_size: f32,
    /// Memory of the structure's contents, bytes.
    pub(crate) bytes: usize,
    /// Number of points that did not fit into their buckets.
    pub(crate) spills: usize,
    /// `bucket(b, cells)` appends the cells of bucket b with their numbers of points to `cells`, in any order, a cell in one
    /// entry or several, and returns the number of points in the bucket.
    pub(crate) bucket: F,
    /// `are_empty(buckets)` tells of one bucket or more whether none of them holds a point.
    pub(crate) are_empty: E,
}

impl<F: Fn(u32, &mut FilledCells) -> usize + Sync, E: Fn(Range<usize>) -> bool + Sync> Census<F, E> {
    /// Counts the occupancy.
    pub(crate) fn occupancy(&self) -> Occupancy {
        let empty = Occupancy { table_size: self.table_size, bytes: self.bytes, spills: self.spills, ..Occupancy::default() };
        let parts = self.chunks().map(|chunk| {
            let mut part = empty.clone();
            self.count(chunk, |_, length, cells| part.add_bucket(length, cells));
            part
        });
        let mut occupancy = parts.reduce(|| empty.clone(), Occupancy::merge);
        occupancy.add_empty_buckets();
        occupancy
    }

    /// Lists the occupied cells and the bucket lengths.
    pub(crate) fn contents(&self) -> Contents {
        let mut bucket_lengths = vec![0; self.table_size];
        let parts = self.chunks().zip(bucket_lengths.par_chunks_mut(BUCKETS_PER_CHUNK)).map(|(chunk, lengths)| {
            let mut occupied = Vec::new();
            let first = chunk.start;
            self.count(chunk, |bucket, length, cells| {
                let sharing = cells.len() as u32;
                occupied.extend(cells.iter().map(|&(cell, points)| OccupiedCell { cell, bucket, points, sharing }));
                lengths[bucket as usize - first] = length as u32;
            });
            occupied
        });
        let parts: Vec<_> = parts.collect();
        Contents { cell_size: self.cell_size, cells: parts.concat(), bucket_lengths }
    }

    fn chunks(&self) -> impl IndexedParallelIterator<Item = Range<usize>> {
        let end = self.table_size;
        let chunks = (0..end.div_ceil(BUCKETS_PER_CHUNK)).into_par_iter();
        chunks.map(move |chunk| chunk * BUCKETS_PER_CHUNK..end.min((chunk + 1) * BUCKETS_PER_CHUNK))
    }

    /// Calls `add(bucket, length, cells)` for each occupied bucket of a chunk, in their order, with its occupied cells, each once, sorted
    /// by coordinates z, y, x.
    fn count(&self, chunk: Range<usize>, mut add: impl FnMut(u32, usize, &[(IVec3, u32)])) {
        with_kept(&CELLS, |cells| self.count_occupied(chunk, cells, &mut add));
    }

    /// Halves the range until what is left is empty or short: large tables are mostly empty, and cost by the occupied buckets.
    fn count_occupied(
        &self,
        buckets: Range<usize>,
        cells: &mut FilledCells,
        add: &mut impl FnMut(u32, usize, &[(IVec3, u32)]),
    ) {
        if (self.are_empty)(buckets.clone()) {
            return;
        }
        if buckets.len() > BUCKETS_PER_LOOK {
            let middle = buckets.start + buckets.len() / 2;
            self.count_occupied(buckets.start..middle, cells, add);
            self.count_occupied(middle..buckets.end, cells, add);
            return;
        }
        for bucket in buckets.map(|bucket| bucket as u32) {
            cells.clear();
            let length = (self.bucket)(bucket, cells);
            if length > 0 {
                // Points of a cell are mostly adjacent: joining them first leaves few entries to sort.
                join_repeated(cells);
                cells.sort_unstable_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
                join_repeated(cells);
                add(bucket, length, cells);
            }
        }
    }
}

/// Joins adjacent entries of the same cell.
fn join_repeated(cells: &mut FilledCells) {
    cells.dedup_by(|(cell, points), (kept, sum)| {
        let same = cell == kept;
        *sum += if same { *points } else { 0 };
        same
    });
}
