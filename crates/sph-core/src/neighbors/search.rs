//! The choice of structure: one enum, so that loops over candidates are compiled for each structure and the choice is made once a pass.

use super::{BruteForce, HashFunction, NeighborLists, NeighborSearch, Occupancy, Pairing, SpatialHash, Tally};
use crate::parameters::{ParameterError, require};
use glam::Vec3;

/// Largest table: 16 Mi buckets, 64 MiB.
pub const MAX_TABLE_SIZE: u32 = 1 << 24;

/// The neighbour-search structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Structure {
    /// [`SpatialHash`].
    SpatialHash,
    /// [`BruteForce`].
    BruteForce,
}

impl Structure {
    /// Every structure.
    pub const ALL: [Self; 2] = [Self::SpatialHash, Self::BruteForce];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SpatialHash => "spatial_hash",
            Self::BruteForce => "brute_force",
        }
    }
}

/// The neighbour search and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridParameters {
    /// Which structure.
    pub structure: Structure,
    /// Number of buckets, 1 to [`MAX_TABLE_SIZE`].
    pub table_size: u32,
    /// Side of a cell, m; 0.25 to 4 support radii. Smaller cells widen the stencil, larger ones add candidates.
    pub cell_size: f32,
    /// From cells to buckets.
    pub hash: HashFunction,
}

impl GridParameters {
    /// Smallest and largest cell size in support radii.
    pub const CELL_SIZE_RANGE: [f32; 2] = [0.25, 4.0];

    pub(crate) fn validate(&self, support_radius: f32) -> Result<(), ParameterError> {
        let table_size = self.table_size;
        require((1..=MAX_TABLE_SIZE).contains(&table_size), "grid.table_size", table_size as f32, "1 to 16777216")?;
        let [low, high] = Self::CELL_SIZE_RANGE.map(|ratio| ratio * support_radius);
        // A little room: the ends of a slider, converted to metres and back, must be inside.
        let inside = (low * 0.9999..=high * 1.0001).contains(&self.cell_size);
        require(inside, "grid.cell_size", self.cell_size, "0.25 to 4 support radii (m)")
    }
}

/// Any one of the structures.
#[derive(Debug)]
pub enum Search {
    /// The spatial hash.
    SpatialHash(SpatialHash),
    /// All pairs.
    BruteForce(BruteForce),
}

/// Runs `$body` with `$search` bound to the structure inside, its type known.
macro_rules! with_structure {
    ($choice:expr, $search:ident => $body:expr) => {
        match $choice {
            Search::SpatialHash($search) => $body,
            Search::BruteForce($search) => $body,
        }
    };
}

impl Search {
    /// An empty structure as `parameters`, which are valid, describe it, for neighbours within `radius`, m.
    pub fn new(parameters: &GridParameters, radius: f32) -> Self {
        let GridParameters { structure, table_size, cell_size, hash } = *parameters;
        match structure {
            Structure::SpatialHash => Self::SpatialHash(SpatialHash::new(table_size, cell_size, hash, radius)),
            Structure::BruteForce => Self::BruteForce(BruteForce::new(radius)),
        }
    }

    /// See [`NeighborSearch::update`].
    pub fn update(&mut self, points: &[Vec3], names: &[u32]) {
        with_structure!(self, search => search.update(points, names));
    }

    /// See [`NeighborLists::fill`].
    pub fn fill(&self, lists: &mut NeighborLists, queries: &[Vec3], pairing: Pairing) -> Tally {
        with_structure!(self, search => lists.fill(search, queries, pairing))
    }

    /// See [`NeighborSearch::occupancy`].
    pub fn occupancy(&self) -> Occupancy {
        with_structure!(self, search => search.occupancy())
    }
}
