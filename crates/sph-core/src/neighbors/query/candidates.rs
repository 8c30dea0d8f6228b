//! The candidates of successive queries from one cell, side by side.

use super::distance_test::{NOBODY, Query, select};
use crate::neighbors::storage::{LANES, PADDING, Run, SortedPoints};
use crate::simd::Available;
use glam::Vec3;
use std::ops::Range;

/// Points whose distance is to be tested. Coordinates lie in arrays of their own, so that several distances are computed at once.
#[derive(Clone, Debug)]
pub struct Candidates {
    count: usize,
    /// Whether the ids ascend.
    ascending: bool,
    // These are as long as was ever needed, and a multiple of `PADDING`.
    ids: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

impl Default for Candidates {
    fn default() -> Self {
        let (ids, x, y, z) = Default::default();
        Self { count: 0, ascending: true, ids, x, y, z }
    }
}

impl Candidates {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Indices of the points, in the order in which they were collected.
    pub fn ids(&self) -> &[u32] {
        &self.ids[..self.count]
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.count = 0;
        self.ascending = true;
    }

    /// Adds the point `id` at `point`, m.
    #[inline]
    pub fn push(&mut self, id: u32, point: Vec3) {
        self.make_room(1);
        let place = self.count;
        self.ascending &= place == 0 || self.ids[place - 1] < id;
        (self.ids[place], self.x[place], self.y[place], self.z[place]) = (id, point.x, point.y, point.z);
        self.count += 1;
    }

    /// Adds points that lie side by side: `ids` and `points` (m) have the same length.
    pub fn extend(&mut self, ids: &[u32], points: &[Vec3]) {
        ids.iter().zip(points).for_each(|(&id, &point)| self.push(id, point));
    }

    /// Adds those points of `sorted` that lie in `range`, and whose ids ascend or do not.
    ///
    /// Copies blocks of `BLOCK` ≤ [`PADDING`], best somewhat more than a run usually has: what is copied beyond the last point is overwritten
    /// by the next run, or by the padding.
    #[inline(always)]
    pub(crate) fn take<const BLOCK: usize>(&mut self, sorted: &SortedPoints, range: Range<usize>, ascend: bool) {
        let length = range.len();
        if length == 0 {
            return;
        }
        self.make_room(length);
        let Self { count, ids, x, y, z, ascending, .. } = self;
        let rounded = length.next_multiple_of(BLOCK);
        let from = sorted.from(range.start, rounded);
        debug_assert!(!ascend || from.ids[..length].is_sorted());
        *ascending &= ascend && (*count == 0 || ids[*count - 1] < from.ids[0]);
        let to = *count..*count + rounded;
        let (ids, x, y, z) = (&mut ids[to.clone()], &mut x[to.clone()], &mut y[to.clone()], &mut z[to]);
        for first in (0..rounded).step_by(BLOCK) {
            copy::<_, BLOCK>(ids, from.ids, first);
            copy::<_, BLOCK>(x, from.x, first);
            copy::<_, BLOCK>(y, from.y, first);
            copy::<_, BLOCK>(z, from.z, first);
        }
        *count += length;
    }

    /// Appends to `indices`, from `*end` on, those strictly closer than `radius` to `center` (m), less the one that is the query itself, in
    /// ascending order, and moves `*end` behind them. `indices` grows where there may not be room for them.
    #[inline(always)]
    pub(crate) fn append_near(
        &mut self,
        simd: Available,
        center: Vec3,
        radius: f32,
        itself: Option<u32>,
        indices: &mut Vec<u32>,
        end: &mut usize,
    ) {
        let padded = self.pad();
        if indices.len() < *end + padded {
            grow(indices, *end + padded);
        }
        let query = Query { center, radius_squared: radius * radius, itself: itself.unwrap_or(NOBODY) };
        let Self { ids, x, y, z, .. } = &*self;
        let all = Run { ids: &ids[..padded], x: &x[..padded], y: &y[..padded], z: &z[..padded] };
        let list = &mut indices[*end..];
        let found = select(simd, all, query, list);
        if !self.ascending {
            list[..found].sort_unstable();
        }
        *end += found;
    }

    /// Makes the rest of the last block near to nothing; how many there are with it.
    fn pad(&mut self) -> usize {
        self.make_room(0);
        self.x[self.count..self.count + LANES].fill(f32::INFINITY);
        self.count.next_multiple_of(LANES)
    }

    /// Makes room for so many more, and for the padding behind them.
    #[inline]
    fn make_room(&mut self, more: usize) {
        let needed = self.count + more + PADDING;
        if self.ids.len() < needed {
            self.grow(needed);
        }
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let length = (needed + needed / 2).next_multiple_of(PADDING);
        self.ids.resize(length, 0);
        for coordinates in [&mut self.x, &mut self.y, &mut self.z] {
            coordinates.resize(length, 0.0);
        }
    }
}

/// Makes `indices` as long as is needed, and a little longer, so that steps that need a little more need no memory.
#[cold]
pub(crate) fn grow(indices: &mut Vec<u32>, needed: usize) {
    let length = needed + needed / 16;
    indices.reserve_exact(length - indices.len());
    indices.resize(length, 0);
}

/// Copies a block that begins with entry `first`; faster than asking the C library.
#[inline(always)]
fn copy<T: Copy, const BLOCK: usize>(to: &mut [T], from: &[T], first: usize) {
    if let (Some(to), Some(from)) = (to[first..].first_chunk_mut::<BLOCK>(), from[first..].first_chunk::<BLOCK>()) {
        *to = *from;
    }
}
