//! Candidates of successive queries from one cell, the pairs that structures find themselves, and counts of both.

use std::ops::Range;

use super::distance_test::{NO_INDEX, Query, select};
use super::grid::CellBox;
use super::lookups::{Directory, Lookups};
use super::storage::{LANES, PADDING, PointSlices, SortedPoints};
use crate::simd::Available;
use glam::Vec3;

/// Points whose distance is to be tested. Each coordinate has its own array, so that several distances are computed at once.
#[derive(Clone, Debug)]
pub struct Candidates {
    count: usize,
    /// True if the indices ascend, apart from candidates that are certainly not near.
    ascending: bool,
    // The arrays never shrink; their length is a multiple of `PADDING`.
    indices: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

impl Default for Candidates {
    fn default() -> Self {
        let (indices, x, y, z) = Default::default();
        Self { count: 0, ascending: true, indices, x, y, z }
    }
}

impl Candidates {
    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Indices of the candidates, in the order in which they were collected.
    pub fn indices(&self) -> &[u32] {
        &self.indices[..self.count]
    }

    /// Removes all candidates.
    pub fn clear(&mut self) {
        self.count = 0;
        self.ascending = true;
    }

    /// Adds the point `index` at `point`, m.
    #[inline]
    pub fn push(&mut self, index: u32, point: Vec3) {
        self.make_room(1);
        let position = self.count;
        self.ascending &= position == 0 || self.indices[position - 1] < index;
        (self.indices[position], self.x[position], self.y[position], self.z[position]) = (index, point.x, point.y, point.z);
        self.count += 1;
    }

    /// Adds points with their `indices`, slices of one length; `points` in m.
    pub fn extend(&mut self, indices: &[u32], points: &[Vec3]) {
        indices.iter().zip(points).for_each(|(&index, &point)| self.push(index, point));
    }

    /// Adds the points of `sorted` that are found in `cells`.
    #[inline(always)]
    pub(crate) fn look_up(&mut self, cells: CellBox, directory: &impl Directory, sorted: &SortedPoints, lookups: &mut Lookups) {
        lookups.look_up(cells, directory);
        let ascend = sorted.is_ascending();
        for range in lookups.near() {
            self.take::<32>(sorted, range, ascend);
        }
        // Out of order, which does not matter for points that are never selected.
        let ascending = self.ascending;
        for range in lookups.far() {
            self.take::<16>(sorted, range, ascend);
        }
        self.ascending = ascending;
    }

    /// Adds the points of `sorted` in `range`; `ascend` is true if their indices ascend.
    ///
    /// Copies blocks of `BLOCK` ≤ [`PADDING`] points; best is slightly more than the usual length of a run. Entries copied
    /// beyond the last point are overwritten by the next run, or by the padding.
    #[inline(always)]
    pub(crate) fn take<const BLOCK: usize>(&mut self, sorted: &SortedPoints, range: Range<usize>, ascend: bool) {
        let length = range.len();
        if length == 0 {
            return;
        }
        self.make_room(length);
        let Self { count, indices, x, y, z, ascending, .. } = self;
        let rounded = length.next_multiple_of(BLOCK);
        let from = sorted.from(range.start, rounded);
        let to = *count..*count + rounded;
        let in_order = sorted.is_ascending();
        let first_index = if in_order { range.start as u32 } else { from.indices[0] };
        debug_assert!(!ascend || from.indices[..length].is_sorted());
        *ascending &= ascend && (*count == 0 || indices[*count - 1] < first_index);
        let (indices, x, y, z) = (&mut indices[to.clone()], &mut x[to.clone()], &mut y[to.clone()], &mut z[to]);
        for first in (0..rounded).step_by(BLOCK) {
            if in_order {
                // Indices are places: written, not read.
                count_up::<BLOCK>(indices, first, first_index + first as u32);
            } else {
                copy::<_, BLOCK>(indices, from.indices, first);
            }
            copy::<_, BLOCK>(x, from.x, first);
            copy::<_, BLOCK>(y, from.y, first);
            copy::<_, BLOCK>(z, from.z, first);
        }
        *count += length;
    }

    /// Writes the indices of candidates strictly closer than `radius`, at most that with which they were collected, to `center` (both m),
    /// except `itself`, to `neighbors` from `*end` on, in ascending order, and moves `*end` behind them. Lengthens `neighbors` where needed.
    #[inline(always)]
    pub(crate) fn append_near(
        &mut self,
        simd: Available,
        center: Vec3,
        radius: f32,
        itself: Option<u32>,
        neighbors: &mut Vec<u32>,
        end: &mut usize,
    ) {
        let padded = self.pad();
        if neighbors.len() < *end + padded {
            grow(neighbors, *end + padded);
        }
        let query = Query { center, radius_squared: radius * radius, itself: itself.unwrap_or(NO_INDEX) };
        let Self { indices, x, y, z, .. } = &*self;
        let all = PointSlices { indices: &indices[..padded], x: &x[..padded], y: &y[..padded], z: &z[..padded] };
        let list = &mut neighbors[*end..];
        let found = select(simd, all, query, list);
        if !self.ascending {
            list[..found].sort_unstable();
        }
        debug_assert!(list[..found].is_sorted(), "candidates out of order are far");
        *end += found;
    }

    /// Fills the last block with points at infinity, which are near no query; returns the padded length.
    fn pad(&mut self) -> usize {
        self.make_room(0);
        self.x[self.count..self.count + LANES].fill(f32::INFINITY);
        self.count.next_multiple_of(LANES)
    }

    /// Makes room for `more` points, and for the padding behind them.
    #[inline]
    fn make_room(&mut self, more: usize) {
        let needed = self.count + more + PADDING;
        if self.indices.len() < needed {
            self.grow(needed);
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let length = (needed + needed / 2).next_multiple_of(PADDING);
        self.indices.resize(length, 0);
        for coordinates in [&mut self.x, &mut self.y, &mut self.z] {
            coordinates.resize(length, 0.0);
        }
    }
}

/// Lengthens `indices` to `needed` and a little more, so that later steps that need slightly more do not allocate.
#[cold]
pub(crate) fn grow(indices: &mut Vec<u32>, needed: usize) {
    let length = needed + needed / 16;
    indices.reserve_exact(length - indices.len());
    indices.resize(length, 0);
}

/// Writes `start`, `start + 1` and so on to the block that begins at entry `first`.
#[inline(always)]
fn count_up<const BLOCK: usize>(to: &mut [u32], first: usize, start: u32) {
    if let Some(to) = to[first..].first_chunk_mut::<BLOCK>() {
        *to = std::array::from_fn(|lane| start + lane as u32);
    }
}

/// Copies the block that begins at entry `first`; faster than a call of `memcpy`.
#[inline(always)]
fn copy<T: Copy, const BLOCK: usize>(to: &mut [T], from: &[T], first: usize) {
    if let (Some(to), Some(from)) = (to[first..].first_chunk_mut::<BLOCK>(), from[first..].first_chunk::<BLOCK>()) {
        *to = *from;
    }
}

// Pairs of points found by a structure, and counts of candidates and neighbours.

/// Counts of candidates and neighbours over all queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of distances tested.
    pub candidates: u64,
    /// Number of points found closer than the radius.
    pub neighbors: u64,
}

impl Tally {
    /// Distances tested per neighbour found; 0 without neighbours.
    pub fn candidates_per_neighbor(self) -> f64 {
        let Self { candidates, neighbors } = self;
        if neighbors == 0 { 0.0 } else { candidates as f64 / neighbors as f64 }
    }
}

/// Pairs of points found by a structure, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Indices of the points of each touching pair, the lower first.
    pub touching: Vec<(u32, u32)>,
    /// Number of pairs whose distance was tested.
    pub tested: u64,
}

impl Pairs {
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.touching.extend(other.touching);
        self.tested += other.tested;
        self
    }
}
