//! The interface of all neighbour-search structures.

use super::grid::Stencil;
use super::query::{Candidates, Pairs};
use super::statistics::{Census, Contents, FilledCells, Occupancy, Trace, TracedQuery};
use glam::Vec3;
use std::ops::Range;

/// A structure that registers points and finds those within a fixed radius of a query position.
pub trait NeighborSearch: Sync {
    /// Search radius, m.
    fn radius(&self) -> f32;

    /// Registers `points` (m), replacing those registered before. `ids` are their stable ids, all different, by
    /// which an incrementally updated structure recognises points that have moved.
    ///
    /// # Errors
    /// A bounded structure cannot cover the points; its contents are then unchanged.
    fn update(&mut self, points: &[Vec3], ids: &[u32]) -> Result<(), TooManyCells>;

    /// Frees the buffers that only the next update needs, for points that never move.
    fn drop_update_buffers(&mut self) {}

    /// Replaces `found` by all registered points within the radius of `center` (m), each once, and usually some beyond it.
    /// Leaves `found` unchanged if the previous query, which `cursor` remembers, had the same candidates.
    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates);

    /// Pairs of registered points closer than the radius; `None` for structures that answer queries one by one.
    fn pairs(&self) -> Option<Pairs> {
        None
    }

    /// Access to the buckets, from which statistics are counted.
    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync>;

    /// Occupancy: numbers of points per cell and per bucket, collisions and spills.
    fn occupancy(&self) -> Occupancy {
        self.census().occupancy()
    }

    /// The occupied cells, and the lengths of all buckets.
    fn contents(&self) -> Contents {
        self.census().contents()
    }

    /// Heap memory, bytes, including spare capacity and buffers that only the next update needs.
    fn memory(&self) -> usize;

    /// Traces a query step by step; it looks into the same buckets and tests the same candidates as [`Self::collect`].
    fn trace(&self, query: TracedQuery) -> Trace;
}

/// A bounded structure cannot cover the domain.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the uniform grid would need {needed} cells to cover {:.3} × {:.3} × {:.3} m, and {limit} are possible: \
     choose a larger cell spacing, or a structure that is not bounded",
    extent.x, extent.y, extent.z
)]
pub struct TooManyCells {
    /// Number of cells needed to cover the domain; saturates.
    pub needed: u64,
    /// Largest possible number of cells.
    pub limit: u64,
    /// Size of the domain, m.
    pub extent: glam::Vec3,
}
