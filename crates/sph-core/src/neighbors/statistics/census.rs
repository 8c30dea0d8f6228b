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

/// Cells, each with its number of points.
pub(crate) type FilledCells = Vec<(IVec3, u32)>;

thread_local! {
    static CELLS: Cell<FilledCells> = const { Cell::new(FilledCells::new()) };
}

/// Access to the buckets of a structure, from which its statistics are counted.
#[derive(Debug)]
pub struct Census<F> {
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
}

impl<F: Fn(u32, &mut FilledCells) -> usize + Sync> Census<F> {
    /// Counts the occupancy.
    pub(crate) fn occupancy(&self) -> Occupancy {
        let empty = Occupancy { table_size: self.table_size, bytes: self.bytes, spills: self.spills, ..Occupancy::default() };
        let parts = self.chunks().map(|chunk| {
            let mut part = empty.clone();
            self.count(chunk, |_, length, cells| part.add_bucket(length, cells));
            part
        });
        parts.reduce(|| empty.clone(), Occupancy::merge)
    }

    /// Lists the occupied cells and the bucket lengths.
    pub(crate) fn contents(&self) -> Contents {
        let mut bucket_lengths = vec![0; self.table_size];
        let parts = self.chunks().zip(bucket_lengths.par_chunks_mut(BUCKETS_PER_CHUNK)).map(|(chunk, lengths)| {
            let mut occupied = Vec::new();
            let mut lengths = lengths.iter_mut();
            self.count(chunk, |bucket, length, cells| {
                let sharing = cells.len() as u32;
                occupied.extend(cells.iter().map(|&(cell, points)| OccupiedCell { cell, bucket, points, sharing }));
                lengths.next().into_iter().for_each(|entry| *entry = length as u32);
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

    /// Calls `add(bucket, length, cells)` for each bucket of a chunk, with its occupied cells, each once, sorted by coordinates
    /// z, y, x.
    fn count(&self, chunk: Range<usize>, mut add: impl FnMut(u32, usize, &[(IVec3, u32)])) {
        with_kept(&CELLS, |cells| {
            for bucket in chunk.map(|bucket| bucket as u32) {
                cells.clear();
                let length = (self.bucket)(bucket, cells);
                if length == 0 {
                    // Large tables are mostly empty: an empty bucket costs no more than the look at it.
                    add(bucket, 0, &[]);
                    continue;
                }
                // Points of a cell are mostly adjacent: joining them first leaves few entries to sort.
                join_repeated(cells);
                cells.sort_unstable_by_key(|(cell, _)| (cell.z, cell.y, cell.x));
                join_repeated(cells);
                add(bucket, length, cells);
            }
        });
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
