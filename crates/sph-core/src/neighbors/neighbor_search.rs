//! What every structure can do.

use super::grid::Stencil;
use super::query::{Candidates, Pairs};
use super::statistics::{Census, Contents, FilledCells, Occupancy, Question, Trace};
use glam::Vec3;

/// A structure that registers points and finds those within one radius of a place.
pub trait NeighborSearch: Sync {
    /// The radius that the structure was made for, m.
    fn radius(&self) -> f32;

    /// Registers `points` (m) in place of those registered before. `ids` are the stable ids of the points, a permutation of `0..len`:
    /// a structure that is updated incrementally recognises moved points by them.
    ///
    /// # Errors
    /// A bounded structure cannot cover the points; it then holds what it held before.
    fn update(&mut self, points: &[Vec3], ids: &[u32]) -> Result<(), TooManyCells>;

    /// Frees what only the next update needs: the points stay where they are for good.
    fn drop_update_buffers(&mut self) {}

    /// Fills `found` with every registered point within the radius of `center` (m), and usually some beyond it, none of them twice;
    /// leaves it as it is where it would be the same as by the query before, which `cursor` remembers.
    fn collect(&self, center: Vec3, cursor: &mut Stencil, found: &mut Candidates);

    /// All pairs of registered points within the radius, from structures that find pairs rather than answer queries.
    fn pairs(&self) -> Option<Pairs> {
        None
    }

    /// The structure as counts need it.
    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync>;

    /// How the registered points fill the structure.
    fn occupancy(&self) -> Occupancy {
        self.census().occupancy()
    }

    /// What the structure holds, cell by cell and bucket by bucket.
    fn contents(&self) -> Contents {
        self.census().contents()
    }

    /// Bytes on the heap, those included that it keeps for more points or for the next update only.
    fn memory(&self) -> usize;

    /// Follows a query that [`Self::collect`] would answer: the same buckets, and those tested are the same candidates.
    fn trace(&self, question: Question) -> Trace;
}

/// A bounded structure met a domain that it cannot cover.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the uniform grid would need {needed} cells to cover {:.3} × {:.3} × {:.3} m, and {limit} are possible: \
     choose a larger cell spacing, or a structure that is not bounded",
    extent.x, extent.y, extent.z
)]
pub struct TooManyCells {
    /// Cells that the domain would need; saturates.
    pub needed: u64,
    /// The most possible.
    pub limit: u64,
    /// Size of the domain, m.
    pub extent: glam::Vec3,
}
