//! Rows of neighbour lists as passes read them: blocks of sixteen indices with one upper bound.

use crate::passes::QUERIES_PER_CHUNK;
use crate::simd::{Indices, WIDTH};

/// Neighbour lists of one chunk: of [`QUERIES_PER_CHUNK`] successive queries, the first a multiple of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListRows<'a> {
    pub(super) chunk: usize,
    pub(super) offsets: &'a [u32],
    pub(super) indices: &'a [u32],
    pub(super) largest: u32,
}

impl<'a> ListRows<'a> {
    /// Position of the first neighbour of query `i`, which belongs to this chunk, among the entries of the chunk.
    #[inline(always)]
    pub fn place(self, i: usize) -> usize {
        debug_assert_eq!(i / QUERIES_PER_CHUNK, self.chunk);
        self.offsets[i % QUERIES_PER_CHUNK] as usize
    }

    /// The neighbours of query `i`, which belongs to this chunk.
    #[inline(always)]
    pub fn blocks(self, i: usize) -> Blocks<'a> {
        debug_assert_eq!(i / QUERIES_PER_CHUNK, self.chunk);
        let k = i % QUERIES_PER_CHUNK;
        let (start, end) = (self.offsets[k] as usize, self.offsets[k + 1] as usize);
        let left = end - start;
        let blocks = self.indices[start..][..left.next_multiple_of(WIDTH)].as_chunks().0;
        Blocks { blocks, left, largest: self.largest }
    }
}

/// Neighbours in blocks of [`WIDTH`], each with the number of neighbours that are left: if that is less than the width, the
/// rest of the block are indices of other points, to be ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'a> {
    blocks: &'a [[u32; WIDTH]],
    left: usize,
    largest: u32,
}

impl<'a> Blocks<'a> {
    /// Number of blocks.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.blocks.len()
    }

    /// The n-th block, and the number of neighbours in it and after it.
    #[inline(always)]
    pub fn at(self, n: usize) -> (Indices<'a>, usize) {
        // SAFETY: the blocks begin in a row and end in a row or in the block behind the last; `largest` bounds all their
        // indices.
        (unsafe { Indices::up_to(self.largest, &self.blocks[n]) }, self.left - n * WIDTH)
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = (Indices<'a>, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (_, rest) = self.blocks.split_first()?;
        let first = self.at(0);
        self.blocks = rest;
        self.left = self.left.saturating_sub(WIDTH);
        Some(first)
    }
}
