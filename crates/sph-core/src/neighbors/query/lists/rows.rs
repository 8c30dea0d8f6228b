//! Rows of the lists as passes read them: neighbours sixteen at a time, vouched for by the largest index.

use crate::passes::QUERIES_PER_CHUNK;
use crate::simd::{Indices, WIDTH};

/// The lists of the queries of one chunk: of [`QUERIES_PER_CHUNK`], from a multiple of it on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListRows<'a> {
    pub(super) chunk: usize,
    pub(super) offsets: &'a [u32],
    pub(super) indices: &'a [u32],
    pub(super) largest: u32,
}

impl<'a> ListRows<'a> {
    /// The place of the first neighbour of query `i`, which is of this chunk, among all of the chunk.
    #[inline(always)]
    pub fn place(self, i: usize) -> usize {
        debug_assert_eq!(i / QUERIES_PER_CHUNK, self.chunk);
        self.offsets[i % QUERIES_PER_CHUNK] as usize
    }

    /// The neighbours of query `i`, which is of this chunk.
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

/// Neighbours, [`WIDTH`] at a time, each time with the number of those that are left: where that is less than the width, the rest of the
/// block are indices of other points, to be passed over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'a> {
    blocks: &'a [[u32; WIDTH]],
    left: usize,
    largest: u32,
}

impl<'a> Blocks<'a> {
    /// How many there are.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.blocks.len()
    }

    /// The n-th.
    #[inline(always)]
    pub fn at(self, n: usize) -> (Indices<'a>, usize) {
        // SAFETY: the blocks begin in a row and end in one or in the block behind them: the largest is that of all of these.
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
