//! Points in the order in which a structure reads them.

use crate::report::held;
use glam::Vec3;
use rayon::prelude::*;

/// Points that the widest registers hold: distances are tested so many at a time.
pub(crate) const LANES: usize = 16;

/// Entries behind the last point: loops that read several at a time may read as many beyond a run.
pub(crate) const PADDING: usize = 32;

/// Points that one task copies.
const GRAIN: usize = 4096;

/// Points put in order, coordinates in arrays of their own so that several can be loaded at once. Behind the last there are [`PADDING`]
/// that are near to nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedPoints {
    count: usize,
    /// Whether all ids ascend: the points were in this order already.
    ascending: bool,
    ids: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

/// Points side by side: their ids and coordinates, m. All of one length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    pub ids: &'a [u32],
    pub x: &'a [f32],
    pub y: &'a [f32],
    pub z: &'a [f32],
}

impl SortedPoints {
    /// Replaces the points by `points` (m) in `order`.
    pub fn put(&mut self, points: &[Vec3], order: &[u32]) {
        let Self { count, ascending, ids, x, y, z } = self;
        *count = order.len();
        *ascending =
            order.par_chunks(GRAIN).enumerate().all(|(part, order)| order[0] as usize == part * GRAIN && order.is_sorted());
        let padded = order.len() + PADDING;
        ids.resize(padded, 0);
        for coordinates in [&mut *x, &mut *y, &mut *z] {
            coordinates.resize(padded, f32::INFINITY);
            coordinates[order.len()..].fill(f32::INFINITY);
        }
        let parts = (
            order.par_chunks(GRAIN),
            ids.par_chunks_mut(GRAIN),
            x.par_chunks_mut(GRAIN),
            y.par_chunks_mut(GRAIN),
            z.par_chunks_mut(GRAIN),
        );
        let is_ascending = *ascending;
        parts.into_par_iter().enumerate().for_each(|(part, (order, ids, x, y, z))| {
            ids[..order.len()].copy_from_slice(order);
            if is_ascending {
                for (((point, x), y), z) in points[part * GRAIN..].iter().zip(x).zip(y).zip(z) {
                    (*x, *y, *z) = (*point).into();
                }
            } else {
                for (((&id, x), y), z) in order.iter().zip(x).zip(y).zip(z) {
                    (*x, *y, *z) = points[id as usize].into();
                }
            }
        });
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether all ids ascend.
    pub fn is_ascending(&self) -> bool {
        self.ascending
    }

    /// The `place`-th point: its id and where it is, m.
    pub fn get(&self, place: usize) -> (u32, Vec3) {
        (self.ids[place], Vec3::new(self.x[place], self.y[place], self.z[place]))
    }

    /// All points, and as many of the padding as make their number a multiple of [`LANES`].
    #[cfg(test)]
    pub fn padded(&self) -> Run<'_> {
        self.from(0, self.count.next_multiple_of(LANES))
    }

    /// `length` points beginning with the `first`-th; it may reach into the padding.
    #[inline]
    pub fn from(&self, first: usize, length: usize) -> Run<'_> {
        let range = first..first + length;
        let Self { ids, x, y, z, .. } = self;
        Run { ids: &ids[range.clone()], x: &x[range.clone()], y: &y[range.clone()], z: &z[range] }
    }

    /// Bytes on the heap, room for more included.
    pub fn memory(&self) -> usize {
        let Self { ids, x, y, z, .. } = self;
        held(ids) + held(x) + held(y) + held(z)
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        self.count * (size_of::<u32>() + 3 * size_of::<f32>())
    }
}
