//! Who is near whom: the neighbour-search structures, their shared parts, and the lists they fill.
//!
//! *Cell*: integer coordinates `floor(x / cell_size)`. *Bucket*: slot of the table, `hash(cell) mod table_size`.
//! *Collision*: two occupied cells in one bucket. *Candidate*: point whose distance was tested. *Load factor*: occupied cells /
//! table size. Nothing here knows of fluids: points go in, lists of neighbours come out.
//!
//! Every structure yields candidates; [`NeighborLists::fill`] tests their distance and puts each list into ascending order.
//! So the lists, and all that is computed from them, are the same to the bit whatever structure, table and cell size produced them.

mod audit;
mod block_map;
mod brute_force;
mod bucket_hash;
mod buckets;
mod candidates;
mod cell_counts;
mod cell_hash;
mod cells;
mod census;
mod contents;
mod counting_sort;
mod distance_test;
mod growing_lists;
mod hash_function;
mod lists;
mod moving_cell_hash;
mod order;
mod point_registry;
mod scatter;
mod search;
mod sorted_cells;
mod sorted_points;
mod spatial_hash;
mod stats;
mod stencil;
mod trace;
mod uniform_grid;

pub use audit::Audit;
pub use block_map::{BlockMap, Walk};
pub use brute_force::BruteForce;
pub use bucket_hash::{BucketHash, BucketHashOptions, Registration, Update};
pub use buckets::Storage;
pub use candidates::Candidates;
pub use cell_hash::CellHash;
pub use contents::{Contents, OccupiedCell};
pub use hash_function::HashFunction;
pub use lists::{NeighborLists, Pairing, Pairs, Tally};
pub use moving_cell_hash::MovingCellHash;
pub use search::{GridParameters, MAX_BUCKET_CAPACITY, MAX_PLACES, MAX_TABLE_SIZE, Search, Structure, StructureOptions};
pub use sorted_cells::SortedCells;
pub use spatial_hash::SpatialHash;
pub use stats::{HISTOGRAM_BINS, Occupancy, SearchStats, TooManyCells};
pub use stencil::Stencil;
pub use trace::{Lookup, Met, Trace, Verdict};
pub use uniform_grid::{MAX_GRID_CELLS, UniformGrid};

pub(crate) use lists::{Blocks, ListRows};

use census::{Census, FilledCells};
pub use order::CellOrder;

use glam::Vec3;
use trace::Question;

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
