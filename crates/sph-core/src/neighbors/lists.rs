//! Neighbour lists in compressed rows: one entry of `offsets` per point, all `indices` in one array. They are filled in chunks, and
//! passes read their rows in blocks.

use std::cell::Cell;
use std::ops::Range;

use super::NeighborSearch;
use super::candidates::{Candidates, Pairs, Tally, grow};
use super::grid::Stencil;
use crate::passes::{QUERIES_PER_CHUNK, Source, with_kept};
use crate::report::held;
use crate::simd::{Available, Indices, Prefetch, WIDTH, with_simd};
use glam::Vec3;
use rayon::prelude::*;

/// Relation of the queries to the registered points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Query i is point i and is not its own neighbour. There may be more points than queries.
    Within,
    /// The queries are other points.
    Across,
}

/// Neighbour lists: for every query the indices of points strictly closer than the radius, in ascending order.
///
/// Rows are stored in chunks of some hundred, each filled by one task into its own arrays: results are not copied together, and
/// allocations are reused.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    count: usize,
    chunks: Vec<Chunk>,
}

impl NeighborLists {
    /// Number of queries answered.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if no query was answered.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Indices of the neighbours of query `i`.
    #[inline]
    pub fn of(&self, i: usize) -> &[u32] {
        self.row(i).0
    }

    /// The neighbours of query `i`, and their range among the entries of its chunk.
    #[inline]
    pub(crate) fn row(&self, i: usize) -> (&[u32], Range<usize>) {
        let Chunk { offsets, indices, .. } = &self.chunks[i / QUERIES_PER_CHUNK];
        let k = i % QUERIES_PER_CHUNK;
        let range = offsets[k] as usize..offsets[k + 1] as usize;
        (&indices[range.clone()], range)
    }

    /// Number of entries in all rows of a chunk.
    pub(crate) fn entries_of_chunk(&self, number: usize) -> usize {
        self.chunks[number].offsets.last().map_or(0, |&end| end as usize)
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        held(&self.chunks) + self.chunks.iter().map(|chunk| held(&chunk.offsets) + held(&chunk.indices)).sum::<usize>()
    }

    /// The lists of the chunk that contains query `i`.
    #[inline(always)]
    pub(crate) fn rows(&self, i: usize) -> ListRows<'_> {
        let chunk = i / QUERIES_PER_CHUNK;
        let Chunk { offsets, indices, largest, .. } = &self.chunks[chunk];
        ListRows { chunk, offsets, indices, largest: *largest }
    }

    /// Finds the neighbours of every query (m) among the points registered in `search`, within its radius.
    pub fn fill<S: NeighborSearch>(&mut self, search: &S, queries: &[Vec3], pairing: Pairing) -> Tally {
        if pairing == Pairing::Within
            && let Some(pairs) = search.pairs()
        {
            return self.fill_from_pairs(&pairs, queries.len());
        }
        self.set_len(queries.len());
        self.chunks.par_iter_mut().zip(queries.par_chunks(QUERIES_PER_CHUNK)).enumerate().for_each(
            |(number, (chunk, queries))| {
                let first_index = match pairing {
                    Pairing::Within => Some((number * QUERIES_PER_CHUNK) as u32),
                    Pairing::Across => None,
                };
                let simd = Available::best();
                with_kept(&QUERY_BUFFERS, |buffers| {
                    with_simd!(
                        simd,
                        (
                            chunk: &mut Chunk,
                            search: &S,
                            queries: &[Vec3],
                            first_index: Option<u32>,
                            simd: Available,
                            buffers: &mut QueryBuffers
                        ),
                        [S: NeighborSearch],
                        chunk.fill(search, queries, first_index, simd, buffers)
                    );
                });
            },
        );
        Tally { candidates: self.chunks.iter().map(|chunk| chunk.candidates).sum(), neighbors: self.entries() }
    }

    /// Adds each point of a pair to the list of the other, if the other is one of the `count` queries.
    fn fill_from_pairs(&mut self, pairs: &Pairs, count: usize) -> Tally {
        let both = |&(a, b): &(u32, u32)| [(a as usize, b), (b as usize, a)];
        let entries = || pairs.touching.iter().flat_map(both).filter(|&(from, _)| from < count);
        self.gather(count, entries);
        self.chunks.par_iter_mut().for_each(Chunk::sort);
        Tally { candidates: pairs.tested, neighbors: self.entries() }
    }

    /// Replaces the lists by those of `count` points: of each pair, which has the lower index first, the second is in the list of the
    /// first.
    pub(crate) fn put_pairs(&mut self, pairs: &Pairs, count: usize) {
        self.gather(count, || pairs.touching.iter().map(|&(a, b)| (a as usize, b)));
        self.chunks.par_iter_mut().for_each(Chunk::sort);
    }

    /// Replaces the index of each periodic image, which is at least `count`, by that of its original, `sources[index − count]`,
    /// and sorts the lists again.
    pub(crate) fn resolve_images(&mut self, count: usize, sources: &[u32]) {
        if !sources.is_empty() {
            self.chunks.par_iter_mut().for_each(|chunk| chunk.resolve_images(count, sources));
        }
    }

    /// Builds `count` rows from entries `(row, index)`, which are iterated twice. Each row holds its entries in reverse order.
    fn gather<I: Iterator<Item = (usize, u32)>>(&mut self, count: usize, entries: impl Fn() -> I) {
        self.set_len(count);
        for (row, _) in entries() {
            self.chunks[row / QUERIES_PER_CHUNK].offsets[row % QUERIES_PER_CHUNK] += 1;
        }
        // Each offset becomes the end of its row, and moves down to the start while the row is filled.
        self.chunks.par_iter_mut().for_each(Chunk::make_room);
        for (row, index) in entries() {
            let Chunk { offsets, indices, .. } = &mut self.chunks[row / QUERIES_PER_CHUNK];
            let place = &mut offsets[row % QUERIES_PER_CHUNK];
            *place -= 1;
            indices[*place as usize] = index;
        }
        self.chunks.par_iter_mut().for_each(Chunk::find_largest);
    }

    /// Prepares `count` empty rows.
    fn set_len(&mut self, count: usize) {
        self.count = count;
        self.chunks.resize_with(count.div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        for (number, chunk) in self.chunks.iter_mut().enumerate() {
            chunk.offsets.clear();
            chunk.offsets.resize(QUERIES_PER_CHUNK.min(count - number * QUERIES_PER_CHUNK) + 1, 0);
        }
    }

    /// Number of entries in all rows.
    fn entries(&self) -> u64 {
        self.chunks.iter().map(|chunk| u64::from(chunk.offsets[chunk.offsets.len() - 1])).sum()
    }
}

impl Source for NeighborLists {
    type Rows<'a> = ListRows<'a>;

    #[inline(always)]
    fn rows(&self, first: usize) -> ListRows<'_> {
        self.rows(first)
    }
}

// Neighbour lists of some hundred successive queries, filled by one task.

/// Buffers with which a thread answers queries.
#[derive(Debug, Default)]
struct QueryBuffers {
    cursor: Stencil,
    found: Candidates,
}

thread_local! {
    static QUERY_BUFFERS: Cell<QueryBuffers> = Cell::default();
}

/// Neighbour lists of successive queries.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// `offsets[k]..offsets[k + 1]` is the range of the chunk's k-th query in `indices`; one entry more than queries.
    offsets: Vec<u32>,
    /// Never shrinks. Behind the last row is a block of zeros, so that rows can be read block by block.
    indices: Vec<u32>,
    /// Upper bound of the indices in the rows and in the block behind them: `u32::MAX` while rows are written, then the result
    /// of [`Chunk::find_largest`].
    largest: u32,
    /// Number of distances tested.
    candidates: u64,
}

impl Chunk {
    /// Answers `queries`; if they are registered points, `first_index` is the index of the first.
    #[inline(always)]
    fn fill<S: NeighborSearch>(
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
            search.collect(center, radius, cursor, found);
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
    fn find_largest(&mut self) {
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
    fn make_room(&mut self) {
        self.largest = u32::MAX;
        let mut sum = 0;
        for offset in &mut self.offsets {
            sum += *offset;
            *offset = sum;
        }
        self.close();
    }

    /// See [`NeighborLists::resolve_images`](NeighborLists::resolve_images).
    fn resolve_images(&mut self, count: usize, sources: &[u32]) {
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

    fn sort(&mut self) {
        let Self { offsets, indices, .. } = self;
        for row in offsets.windows(2) {
            indices[row[0] as usize..row[1] as usize].sort_unstable();
        }
    }
}

// Rows of neighbour lists as passes read them: blocks of indices with one upper bound.

/// Neighbour lists of one chunk: of [`QUERIES_PER_CHUNK`] successive queries, the first a multiple of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListRows<'a> {
    chunk: usize,
    offsets: &'a [u32],
    indices: &'a [u32],
    largest: u32,
}

impl<'a> ListRows<'a> {
    /// Position of the first neighbour of query `i`, which belongs to this chunk, among the entries of the chunk.
    #[inline(always)]
    pub fn place(self, i: usize) -> usize {
        debug_assert_eq!(i / QUERIES_PER_CHUNK, self.chunk);
        self.offsets[i % QUERIES_PER_CHUNK] as usize
    }

    /// The neighbours of query `i`, which belongs to this chunk, in blocks of N, at most [`WIDTH`].
    #[inline(always)]
    pub fn blocks<const N: usize>(self, i: usize) -> Blocks<'a, N> {
        const { assert!(N <= WIDTH) }
        debug_assert_eq!(i / QUERIES_PER_CHUNK, self.chunk);
        let k = i % QUERIES_PER_CHUNK;
        let (start, end) = (self.offsets[k] as usize, self.offsets[k + 1] as usize);
        let left = end - start;
        let blocks = self.indices[start..][..left.next_multiple_of(N)].as_chunks().0;
        Blocks { blocks, left, largest: self.largest }
    }
}

/// Neighbours in blocks of N, each with the number of neighbours that are left: if fewer than N are, the rest of the block are
/// indices of other points, to be ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks<'a, const N: usize = WIDTH> {
    blocks: &'a [[u32; N]],
    left: usize,
    largest: u32,
}

impl<'a, const N: usize> Blocks<'a, N> {
    /// Number of blocks.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.blocks.len()
    }

    /// Fetches the indices `ahead` blocks after the n-th.
    #[inline(always)]
    pub fn prefetch(self, way: Prefetch, n: usize, ahead: usize) {
        way.fetch(&self.blocks[n], ahead * size_of::<[u32; N]>());
    }

    /// The n-th block, and the number of neighbours in it and after it.
    #[inline(always)]
    pub fn at(self, n: usize) -> (Indices<'a, N>, usize) {
        // SAFETY: the blocks begin in a row and end in a row or in the block behind the last; `largest` bounds all their
        // indices.
        (unsafe { Indices::up_to(self.largest, &self.blocks[n]) }, self.left - n * N)
    }
}

impl<'a, const N: usize> Iterator for Blocks<'a, N> {
    type Item = (Indices<'a, N>, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let (_, rest) = self.blocks.split_first()?;
        let first = self.at(0);
        self.blocks = rest;
        self.left = self.left.saturating_sub(N);
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::SortedCells;

    /// The largest index bound of the blocks of all queries.
    fn largest(lists: &NeighborLists) -> u32 {
        (0..lists.len()).flat_map(|i| lists.rows(i).blocks::<WIDTH>(i)).map(|(block, _)| block.largest()).max().unwrap_or(0)
    }

    #[test]
    fn lists_know_their_largest_index() {
        let points: Vec<Vec3> = (0..600).map(|k| Vec3::new(0.1 * k as f32, 0.0, 0.0)).collect();
        let mut search = SortedCells::new(0.5, 0.25);
        let mut lists = NeighborLists::default();
        for count in [600, 40] {
            let ids: Vec<u32> = (0..count as u32).collect();
            search.update(&points[..count], &ids).expect("few cells");
            lists.fill(&search, &points[..count], Pairing::Within);
            assert_eq!(largest(&lists), count as u32 - 1);
        }
        // The last ten are images of the first.
        lists.fill(&search, &points[..30], Pairing::Within);
        assert_eq!(largest(&lists), 31);
        lists.resolve_images(30, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(largest(&lists), 29);
    }

    #[test]
    fn blocks_concatenate_to_the_list() {
        // Lists of 0 to 19 entries, in more than one chunk; the last list has 3.
        let count = QUERIES_PER_CHUNK + 7;
        let length = |i: usize| if i + 1 == count { 3 } else { i % 20 };
        let mut lists = NeighborLists::default();
        lists.gather(count, || (0..count).flat_map(|i| (0..length(i)).rev().map(move |k| (i, (i + k) as u32))));
        for i in 0..count {
            // The rows of a chunk are the same for any of its queries.
            let blocks = lists
                .rows((i | 1).min(count - 1))
                .blocks::<WIDTH>(i)
                .flat_map(|(block, left)| block.values().iter().take(left));
            assert!(blocks.eq(lists.of(i)), "list {i}");
            assert_eq!(lists.of(i).len(), length(i));
        }
    }
}
