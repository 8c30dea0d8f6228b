//! Neighbour lists of some hundred successive queries, filled by one task.

use crate::neighbors::NeighborSearch;
use crate::neighbors::grid::Stencil;
use crate::neighbors::query::candidates::{Candidates, grow};
use crate::simd::{Available, WIDTH};
use glam::Vec3;
use std::cell::Cell;

/// Buffers with which a thread answers queries.
#[derive(Debug, Default)]
pub(super) struct QueryBuffers {
    cursor: Stencil,
    found: Candidates,
}

thread_local! {
    pub(super) static QUERY_BUFFERS: Cell<QueryBuffers> = Cell::default();
}

/// Neighbour lists of successive queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// `offsets[k]..offsets[k + 1]` is the range of the chunk's k-th query in `indices`; one entry more than queries.
    pub(super) offsets: Vec<u32>,
    /// Never shrinks. Behind the last row is a block of zeros, so that rows can be read block by block.
    pub(super) indices: Vec<u32>,
    /// Upper bound of the indices in the rows and in the block behind them: `u32::MAX` while rows are written, then the result
    /// of [`Chunk::find_largest`].
    pub(super) largest: u32,
    /// Number of distances tested.
    pub(super) candidates: u64,
}

impl Chunk {
    /// Answers `queries`; if they are registered points, `first_index` is the index of the first.
    #[inline(always)]
    pub(super) fn fill<S: NeighborSearch>(
        &mut self,
        search: &S,
        queries: &[Vec3],
        first_index: Option<u32>,
        simd: Available,
        QueryBuffers { cursor, found }: &mut QueryBuffers,
    ) {
        self.largest = u32::MAX;
        let Self { offsets, indices, candidates, .. } = self;
        cursor.forget();
        let (radius, mut end) = (search.radius(), 0);
        *candidates = 0;
        for (query, &center) in queries.iter().enumerate() {
            search.collect(center, cursor, found);
            // Most queries of the fluid among the walls have no candidates.
            if !found.is_empty() {
                *candidates += found.len() as u64;
                found.append_near(simd, center, radius, first_index.map(|first| first + query as u32), indices, &mut end);
            }
            offsets[query + 1] = end as u32;
        }
        self.close();
        self.find_largest();
    }

    /// Finds the largest index.
    #[inline(always)]
    pub(super) fn find_largest(&mut self) {
        let end = self.offsets[self.offsets.len() - 1] as usize + WIDTH;
        self.largest = self.indices[..end].iter().fold(0, |largest, &index| largest.max(index));
    }

    /// Writes a block of zeros behind the last row.
    fn close(&mut self) {
        let end = self.offsets[self.offsets.len() - 1] as usize;
        if self.indices.len() < end + WIDTH {
            grow(&mut self.indices, end + WIDTH);
        }
        self.indices[end..end + WIDTH].fill(0);
    }

    /// Turns the lengths of rows in `offsets` into their ends, and allocates all rows.
    pub(super) fn make_room(&mut self) {
        self.largest = u32::MAX;
        let mut sum = 0;
        for offset in &mut self.offsets {
            sum += *offset;
            *offset = sum;
        }
        self.close();
    }

    /// See [`NeighborLists::resolve_images`](super::NeighborLists::resolve_images).
    pub(super) fn resolve_images(&mut self, count: usize, sources: &[u32]) {
        self.largest = u32::MAX;
        let Self { offsets, indices, .. } = self;
        for row in offsets.windows(2) {
            let list = &mut indices[row[0] as usize..row[1] as usize];
            let first = list.partition_point(|&index| (index as usize) < count);
            if first < list.len() {
                list[first..].iter_mut().for_each(|index| *index = sources[*index as usize - count]);
                list.sort_unstable();
            }
        }
        self.find_largest();
    }

    pub(super) fn sort(&mut self) {
        let Self { offsets, indices, .. } = self;
        for row in offsets.windows(2) {
            indices[row[0] as usize..row[1] as usize].sort_unstable();
        }
    }
}
