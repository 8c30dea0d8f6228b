//! Who is near whom: the neighbour-search structures, their shared parts, and the lists they fill.
//!
//! *Cell*: integer coordinates `floor(x / cell_size)`. *Bucket*: slot of the table, `hash(cell) mod table_size`.
//! *Collision*: two occupied cells in one bucket. *Candidate*: point whose distance was tested. *Load factor*: occupied cells /
//! table size. Nothing here knows of fluids: points go in, lists of neighbours come out.
//!
//! Every structure yields candidates; [`NeighborLists::fill`] tests their distance and puts each list into ascending order.
//! So the lists, and all that is computed from them, are the same to the bit whatever structure, table and cell size produced them.

mod grid;
mod query;
mod search;
mod statistics;
mod storage;
mod structures;

pub use grid::hash_function::HashFunction;
pub use grid::stencil::Stencil;
pub use query::candidates::Candidates;
pub use query::lists::{NeighborLists, Pairing, Pairs, Tally};
pub use search::{GridParameters, MAX_BUCKET_CAPACITY, MAX_PLACES, MAX_TABLE_SIZE, Search, Structure, StructureOptions};
pub use statistics::audit::Audit;
pub use statistics::contents::{Contents, OccupiedCell};
pub use statistics::stats::{HISTOGRAM_BINS, Occupancy, SearchStats, TooManyCells};
pub use statistics::trace::{Lookup, Met, Trace, Verdict};
pub use storage::buckets::Storage;
pub use storage::order::CellOrder;
pub use structures::block_map::{BlockMap, Walk};
pub use structures::brute_force::BruteForce;
pub use structures::bucket_hash::{BucketHash, BucketHashOptions, Registration, Update};
pub use structures::cell_hash::CellHash;
pub use structures::moving_cell_hash::MovingCellHash;
pub use structures::sorted_cells::SortedCells;
pub use structures::spatial_hash::SpatialHash;
pub use structures::uniform_grid::{MAX_GRID_CELLS, UniformGrid};

pub(crate) use query::lists::{Blocks, ListRows};

use glam::Vec3;
use statistics::census::{Census, FilledCells};
use statistics::trace::Question;

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
