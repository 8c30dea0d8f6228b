//! Who is near whom: the neighbour-search structures, their shared parts, and the lists they fill.
//!
//! *Cell*: integer coordinates `floor(x / cell_size)`. *Bucket*: slot of the table, `hash(cell) mod table_size`.
//! *Collision*: two occupied cells in one bucket. *Candidate*: point whose distance was tested. *Load factor*: occupied cells /
//! table size. Nothing here knows of fluids: points go in, lists of neighbours come out.
//!
//! Every structure yields candidates; [`NeighborLists::fill`] tests their distance and puts each list into ascending order.
//! So the lists, and all that is computed from them, are the same to the bit whatever structure, table and cell size produced them.

mod brute_force;
mod cells;
mod counting_sort;
mod hash_function;
mod lists;
mod order;
mod search;
mod spatial_hash;
mod stats;

pub use brute_force::BruteForce;
pub use hash_function::HashFunction;
pub use lists::{NeighborLists, Pairing, Tally};
pub use search::{GridParameters, MAX_TABLE_SIZE, Search, Structure};
pub use spatial_hash::SpatialHash;
pub use stats::{HISTOGRAM_BINS, Occupancy, SearchStats};

pub(crate) use order::CellOrder;

use glam::Vec3;
use std::ops::Range;

/// A structure that registers points and finds those that may lie within a radius of a place.
pub trait NeighborSearch: Sync {
    /// What one worker remembers between two queries: buffers, and what successive queries share.
    type Cursor: Default + Send;

    /// Forgets the points registered before and registers `points`, m.
    fn rebuild(&mut self, points: &[Vec3]);

    /// Every registered point within `radius` (m) of `center` (m), and usually some beyond it, none of them twice.
    ///
    /// A cursor serves one built structure: make a new one after a rebuild.
    fn candidates<'a>(&'a self, center: Vec3, radius: f32, cursor: &'a mut Self::Cursor) -> Candidates<'a>;

    /// How the registered points fill the structure.
    fn occupancy(&self) -> Occupancy;
}

/// Candidates of a query: the parts of `ids` and `points` that `ranges` name.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    /// Point indices.
    pub ids: &'a [u32],
    /// The points themselves, m, in the order of `ids`: read in sequence where reading by index would jump about in memory.
    pub points: &'a [Vec3],
    /// Disjoint parts of both.
    pub ranges: &'a [Range<u32>],
    /// Whether these may differ from the candidates of the cursor's query before.
    pub changed: bool,
}

impl<'a> Candidates<'a> {
    /// Indices and points as slices of equal length, a pair for each range.
    pub fn slices(self) -> impl Iterator<Item = (&'a [u32], &'a [Vec3])> {
        self.ranges.iter().map(move |range| {
            let range = range.start as usize..range.end as usize;
            (&self.ids[range.clone()], &self.points[range])
        })
    }
}
