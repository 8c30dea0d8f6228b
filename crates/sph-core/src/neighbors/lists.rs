//! Neighbour lists in compressed rows: one `offsets` entry a point, all `indices` in one array.

use super::{Candidates, NeighborSearch};
use glam::Vec3;
use rayon::prelude::*;

/// Queries that one task answers. Fixed, so that the work is cut alike for any number of threads.
const QUERIES_PER_CHUNK: usize = 256;

/// Whether the queries are the registered points themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Query i is point i and is not its own neighbour.
    Within,
    /// The queries are other points.
    Across,
}

/// What filling the lists took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Points whose distance was tested, over all queries.
    pub candidates: u64,
    /// Points found closer than the radius, over all queries.
    pub neighbors: u64,
}

/// Pairs of points that were found together, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Indices of the points of each pair that touches, the lower first.
    pub touching: Vec<(u32, u32)>,
    /// Pairs whose distance was tested.
    pub tested: u64,
}

impl Pairs {
    pub(super) fn join(mut self, other: Self) -> Self {
        self.touching.extend(other.touching);
        self.tested += other.tested;
        self
    }
}

/// The neighbours of every query point: indices of points strictly closer than the radius, in ascending order.
#[derive(Clone, Debug, Default)]
pub struct NeighborLists {
    /// `offsets[i]..offsets[i + 1]` is the range of query i in `indices`; one entry more than queries.
    offsets: Vec<usize>,
    indices: Vec<u32>,
    chunks: Vec<Chunk>,
}

/// Lists of some successive queries, before they are put into one array.
#[derive(Clone, Debug, Default)]
struct Chunk {
    lengths: Vec<u32>,
    indices: Vec<u32>,
    candidates: u64,
}

impl NeighborLists {
    /// Number of queries answered.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether no query was answered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Indices of the neighbours of query `i`.
    #[inline]
    pub fn of(&self, i: usize) -> &[u32] {
        &self.indices[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Finds the neighbours of every query (m) among the points registered in `search`, within its radius.
    pub fn fill<S: NeighborSearch>(&mut self, search: &S, queries: &[Vec3], pairing: Pairing) -> Tally {
        if pairing == Pairing::Within
            && let Some(pairs) = search.pairs()
        {
            return self.fill_from_pairs(&pairs, queries.len());
        }
        self.chunks.resize_with(queries.len().div_ceil(QUERIES_PER_CHUNK), Chunk::default);
        self.chunks.par_iter_mut().enumerate().for_each(|(number, chunk)| {
            let first = number * QUERIES_PER_CHUNK;
            let last = queries.len().min(first + QUERIES_PER_CHUNK);
            let first_id = match pairing {
                Pairing::Within => Some(first as u32),
                Pairing::Across => None,
            };
            chunk.fill(search, &queries[first..last], first_id);
        });
        self.join();
        Tally { candidates: self.chunks.iter().map(|chunk| chunk.candidates).sum(), neighbors: self.indices.len() as u64 }
    }

    /// Puts both points of every pair into each other's list.
    fn fill_from_pairs(&mut self, pairs: &Pairs, count: usize) -> Tally {
        let Self { offsets, indices, .. } = self;
        offsets.clear();
        offsets.resize(count + 1, 0);
        for &(a, b) in &pairs.touching {
            offsets[a as usize + 1] += 1;
            offsets[b as usize + 1] += 1;
        }
        for index in 0..count {
            offsets[index + 1] += offsets[index];
        }
        indices.resize(2 * pairs.touching.len(), 0);
        let mut ends: Vec<usize> = offsets[..count].to_vec();
        for &(a, b) in &pairs.touching {
            for (from, to) in [(a, b), (b, a)] {
                indices[ends[from as usize]] = to;
                ends[from as usize] += 1;
            }
        }
        let mut rest = indices.as_mut_slice();
        let mut rows = Vec::with_capacity(count);
        for row in offsets.windows(2) {
            let (list, tail) = rest.split_at_mut(row[1] - row[0]);
            rows.push(list);
            rest = tail;
        }
        rows.into_par_iter().with_min_len(QUERIES_PER_CHUNK).for_each(<[u32]>::sort_unstable);
        Tally { candidates: pairs.tested, neighbors: self.indices.len() as u64 }
    }

    /// Puts the chunks' lists into one array.
    fn join(&mut self) {
        let Self { offsets, indices, chunks } = self;
        offsets.clear();
        offsets.push(0);
        let mut end = 0;
        for &length in chunks.iter().flat_map(|chunk| &chunk.lengths) {
            end += length as usize;
            offsets.push(end);
        }
        indices.resize(end, 0);
        let mut rest = indices.as_mut_slice();
        let mut parts = Vec::with_capacity(chunks.len());
        for chunk in &*chunks {
            let (part, tail) = rest.split_at_mut(chunk.indices.len());
            parts.push((part, &chunk.indices));
            rest = tail;
        }
        parts.into_par_iter().for_each(|(part, from)| part.copy_from_slice(from));
    }

    /// Turns `lists` around: the neighbours of point p become the queries that have p in their list. `points` counts the points.
    pub(crate) fn transpose(&mut self, lists: &Self, points: usize) {
        let Self { offsets, indices, .. } = self;
        offsets.clear();
        offsets.resize(points + 1, 0);
        for &point in &lists.indices {
            offsets[point as usize + 1] += 1;
        }
        for point in 0..points {
            offsets[point + 1] += offsets[point];
        }
        indices.resize(lists.indices.len(), 0);
        // Walking the queries backwards fills each row from its end, so that rows ascend; the ends move down to the starts.
        let mut ends: Vec<usize> = offsets[1..].to_vec();
        for query in (0..lists.len()).rev() {
            for &point in lists.of(query) {
                let end = &mut ends[point as usize];
                *end -= 1;
                indices[*end] = query as u32;
            }
        }
    }
}

impl Chunk {
    /// Answers `queries`; when they are points themselves, `first_id` is the index of the first.
    fn fill<S: NeighborSearch>(&mut self, search: &S, queries: &[Vec3], first_id: Option<u32>) {
        let Self { lengths, indices, candidates } = self;
        lengths.clear();
        indices.clear();
        *candidates = 0;
        let mut cursor = S::Cursor::default();
        let mut found = Candidates::default();
        for (query, &center) in queries.iter().enumerate() {
            search.collect(center, &mut cursor, &mut found);
            *candidates += found.len() as u64;
            let first = indices.len();
            found.append_near(center, search.radius(), first_id.map(|first| first + query as u32), indices);
            let list = &mut indices[first..];
            if !list.is_sorted() {
                list.sort_unstable();
            }
            lengths.push(list.len() as u32);
        }
    }
}
