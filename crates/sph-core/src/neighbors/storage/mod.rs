//! Storage shared by the structures: buckets, growing lists, sorted points, counting sort, order of particles in memory.

mod buckets;
mod order;
mod point_registry;

pub use order::CellOrder;

pub(super) use buckets::{Buckets, CellCounts};
pub(super) use order::{counting_sort, sort_values};
pub(super) use point_registry::{GrowingLists, PointRegistry};

use super::lookups::prefetch;
use super::runs::Run;
use crate::report::held;
use glam::Vec3;
use rayon::prelude::*;

// Points in the order in which a structure reads them.

/// Lanes of the widest registers: distances are tested in groups of this size.
pub(crate) const LANES: usize = 16;

/// Number of entries behind the last point: loops that read several at a time may read so far beyond a run.
pub(crate) const PADDING: usize = 32;

/// Points copied by one parallel task.
const GRAIN: usize = 4096;

/// Points in a given order. Each coordinate has its own array, so that several are loaded at once. Behind the last point are
/// [`PADDING`] points at infinity, which are near no query.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedPoints {
    count: usize,
    /// True if all indices ascend: the points were in this order already.
    ascending: bool,
    indices: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

/// Adjacent points: indices, and coordinates in m, slices of one length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointSlices<'a> {
    pub indices: &'a [u32],
    pub x: &'a [f32],
    pub y: &'a [f32],
    pub z: &'a [f32],
}

impl SortedPoints {
    /// Replaces the points by `points` (m) in their own order.
    pub fn put_as_they_are(&mut self, points: &[Vec3]) {
        if self.count != points.len() || !self.ascending {
            self.indices.clear();
            self.indices.extend(0..points.len() as u32);
        }
        (self.count, self.ascending) = (points.len(), true);
        self.make_room();
        let Self { x, y, z, .. } = self;
        let parts = (points.par_chunks(GRAIN), x.par_chunks_mut(GRAIN), y.par_chunks_mut(GRAIN), z.par_chunks_mut(GRAIN));
        parts.into_par_iter().for_each(|(points, x, y, z)| {
            for (((point, x), y), z) in points.iter().zip(x).zip(y).zip(z) {
                (*x, *y, *z) = (*point).into();
            }
        });
    }

    /// Resizes the arrays to the number of points and their padding.
    fn make_room(&mut self) {
        let Self { count, indices, x, y, z, .. } = self;
        let padded = *count + PADDING;
        indices.resize(padded, 0);
        for coordinates in [x, y, z] {
            coordinates.resize(padded, f32::INFINITY);
            coordinates[*count..].fill(f32::INFINITY);
        }
    }

    /// Replaces the points by `points` (m) in `order`.
    pub fn put(&mut self, points: &[Vec3], order: &[u32]) {
        self.count = order.len();
        self.ascending =
            order.par_chunks(GRAIN).enumerate().all(|(part, order)| order[0] as usize == part * GRAIN && order.is_sorted());
        self.make_room();
        let Self { ascending, indices, x, y, z, .. } = self;
        let parts = (
            order.par_chunks(GRAIN),
            indices.par_chunks_mut(GRAIN),
            x.par_chunks_mut(GRAIN),
            y.par_chunks_mut(GRAIN),
            z.par_chunks_mut(GRAIN),
        );
        let is_ascending = *ascending;
        parts.into_par_iter().enumerate().for_each(|(part, (order, indices, x, y, z))| {
            indices[..order.len()].copy_from_slice(order);
            if is_ascending {
                for (((point, x), y), z) in points[part * GRAIN..].iter().zip(x).zip(y).zip(z) {
                    (*x, *y, *z) = (*point).into();
                }
            } else {
                for (((&index, x), y), z) in order.iter().zip(x).zip(y).zip(z) {
                    (*x, *y, *z) = points[index as usize].into();
                }
            }
        });
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if all indices ascend.
    pub fn is_ascending(&self) -> bool {
        self.ascending
    }

    /// Index and position (m) of the `position`-th point.
    pub fn get(&self, position: usize) -> (u32, Vec3) {
        (self.indices[position], Vec3::new(self.x[position], self.y[position], self.z[position]))
    }

    /// All points, padded to a multiple of [`LANES`].
    #[cfg(test)]
    pub fn padded(&self) -> PointSlices<'_> {
        self.from(0, self.count.next_multiple_of(LANES))
    }

    /// `length` points from the `first` on; they may extend into the padding.
    #[inline]
    pub fn from(&self, first: usize, length: usize) -> PointSlices<'_> {
        let range = first..first + length;
        let Self { indices, x, y, z, .. } = self;
        PointSlices { indices: &indices[range.clone()], x: &x[range.clone()], y: &y[range.clone()], z: &z[range] }
    }

    /// Asks for the coordinates of a short run: of its first and its last point.
    #[inline(always)]
    pub fn prefetch(&self, run: Run) {
        for coordinates in [&self.x, &self.y, &self.z] {
            prefetch(coordinates, run.start as usize);
            prefetch(coordinates, run.end as usize - 1);
        }
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        let Self { indices, x, y, z, .. } = self;
        held(indices) + held(x) + held(y) + held(z)
    }

    /// Memory of the points, bytes.
    pub fn bytes(&self) -> usize {
        self.count * (size_of::<u32>() + 3 * size_of::<f32>())
    }
}
