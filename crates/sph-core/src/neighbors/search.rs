//! The structure chosen at run time: one enum, matched once per pass, so that loops over candidates are compiled for each
//! structure.

use crate::neighbors::grid::Stencil;
use crate::neighbors::query::{Candidates, NeighborLists, Pairing, Tally};
use crate::neighbors::statistics::{Contents, Occupancy, Trace, TracedQuery};
use crate::neighbors::{
    BlockMap, BruteForce, BucketHash, BucketHashOptions, CellHash, MovingCellHash, NeighborSearch, SortedCells, SpatialHash,
    TooManyCells, UniformGrid,
};
use crate::parameters::{GridParameters, Structure, Update};
use glam::Vec3;

/// A neighbour-search structure of any kind.
#[derive(Clone, Debug)]
pub enum Search {
    /// Brute force.
    BruteForce(BruteForce),
    /// The uniform grid, which is bounded.
    UniformGrid(UniformGrid),
    /// The spatial hash.
    SpatialHash(SpatialHash),
    /// The cell hash, rebuilt from scratch.
    CellHash(CellHash),
    /// The cell hash, updated incrementally.
    MovingCellHash(MovingCellHash),
    /// The bucket hash.
    BucketHash(BucketHash),
    /// The block map.
    BlockMap(BlockMap),
    /// The sorted cells.
    SortedCells(SortedCells),
}

/// Evaluates `$body` with `$search` bound to the concrete structure.
macro_rules! with_structure {
    ($choice:expr, $search:ident => $body:expr) => {
        match $choice {
            Search::BruteForce($search) => $body,
            Search::UniformGrid($search) => $body,
            Search::SpatialHash($search) => $body,
            Search::CellHash($search) => $body,
            Search::MovingCellHash($search) => $body,
            Search::BucketHash($search) => $body,
            Search::BlockMap($search) => $body,
            Search::SortedCells($search) => $body,
        }
    };
}

impl Search {
    /// An empty structure with valid `parameters`, for neighbours within `radius`, m.
    pub fn new(parameters: &GridParameters, radius: f32) -> Self {
        let GridParameters { structure, table_size, cell_size, hash, bucket_capacity: capacity } = *parameters;
        match structure {
            Structure::BruteForce => Self::BruteForce(BruteForce::new(radius)),
            Structure::UniformGrid => Self::UniformGrid(UniformGrid::new(cell_size, radius)),
            Structure::SortedCells => Self::SortedCells(SortedCells::new(cell_size, radius)),
            Structure::SpatialHash => Self::SpatialHash(SpatialHash::new(table_size, cell_size, hash, radius)),
            Structure::CellHash(Update::Rebuilt) => Self::CellHash(CellHash::new(table_size, cell_size, hash, radius)),
            Structure::CellHash(Update::Incremental) => {
                Self::MovingCellHash(MovingCellHash::new(table_size, cell_size, hash, radius))
            }
            Structure::BucketHash(storage, update, registration) => {
                let options = BucketHashOptions { storage, capacity, update, registration };
                Self::BucketHash(BucketHash::new(table_size, cell_size, hash, radius, options))
            }
            Structure::BlockMap(storage, walk) => {
                Self::BlockMap(BlockMap::new(table_size, cell_size, hash, radius, (storage, capacity), walk))
            }
        }
    }

    /// See [`NeighborSearch::update`].
    ///
    /// # Errors
    /// A bounded structure cannot cover the points.
    pub fn update(&mut self, points: &[Vec3], ids: &[u32]) -> Result<(), TooManyCells> {
        with_structure!(self, search => search.update(points, ids))
    }

    /// See [`NeighborSearch::drop_update_buffers`].
    pub(crate) fn drop_update_buffers(&mut self) {
        with_structure!(self, search => search.drop_update_buffers());
    }

    /// See [`NeighborLists::fill`].
    pub fn fill(&self, lists: &mut NeighborLists, queries: &[Vec3], pairing: Pairing) -> Tally {
        with_structure!(self, search => lists.fill(search, queries, pairing))
    }

    /// The candidates of one query; see [`NeighborSearch::collect`].
    pub fn candidates(&self, center: Vec3) -> Candidates {
        fn of<S: NeighborSearch>(search: &S, center: Vec3) -> Candidates {
            let mut found = Candidates::default();
            search.collect(center, &mut Stencil::default(), &mut found);
            found
        }
        with_structure!(self, search => of(search, center))
    }

    /// See [`NeighborSearch::occupancy`].
    pub fn occupancy(&self) -> Occupancy {
        with_structure!(self, search => search.occupancy())
    }

    /// See [`NeighborSearch::memory`].
    pub fn memory(&self) -> usize {
        with_structure!(self, search => search.memory())
    }

    /// See [`NeighborSearch::contents`].
    pub fn contents(&self) -> Contents {
        with_structure!(self, search => search.contents())
    }

    /// Traces the query for the neighbours of `center`, m; `itself` is the index of the query point if it is registered. The
    /// block map walked block by block finds pairs instead of answering queries; its trace shows a query [`Pairing::Across`].
    pub fn trace(&self, center: Vec3, itself: Option<u32>) -> Trace {
        with_structure!(self, search => search.trace(TracedQuery { center, itself }))
    }
}
