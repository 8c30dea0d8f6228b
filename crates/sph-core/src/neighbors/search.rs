//! The interface of all neighbour-search structures, and the structure chosen at run time.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use super::grid::Stencil;
use super::statistics::{Census, Contents, FilledCells, Occupancy, Trace, TracedQuery};
use super::{
    BlockMap, BruteForce, BucketHash, BucketHashOptions, Candidates, CellHash, MovingBucketHash, MovingCellHash, NeighborLists,
    Pairing, Pairs, SortedCells, SpatialHash, Tally, UniformGrid, Verdict, spheres,
};
use crate::parameters::{GridParameters, Structure, Update};
use crate::passes::with_kept;
use glam::Vec3;

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

    /// Replaces `found` by all registered points closer to `center` than `radius` (both m), which is at most [`Self::radius`], each once,
    /// and usually some beyond it.
    /// Leaves `found` unchanged if the previous query, which `cursor` remembers, had the same candidates.
    fn collect(&self, center: Vec3, radius: f32, cursor: &mut Stencil, found: &mut Candidates);

    /// Pairs of registered points closer than the radius; `None` for structures that answer queries one by one.
    fn pairs(&self) -> Option<Pairs> {
        None
    }

    /// Access to the buckets, from which statistics are counted. Unless `needs_cells`, a cell that is alone in its bucket may have any
    /// coordinates.
    fn census(
        &self,
        needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync>;

    /// Occupancy: numbers of points per cell and per bucket, collisions and spills.
    fn occupancy(&self) -> Occupancy {
        self.census(false).occupancy()
    }

    /// The occupied cells, and the lengths of all buckets.
    fn contents(&self) -> Contents {
        self.census(true).contents()
    }

    /// Heap memory, bytes, including spare capacity and buffers that only the next update needs.
    fn memory(&self) -> usize;

    /// Traces a query step by step; it looks into the same buckets and tests the same candidates as [`Self::collect`].
    fn trace(&self, query: TracedQuery<'_>) -> Trace;
}

/// A bounded structure cannot cover the domain.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the uniform grid would need {needed} cells to cover {:.3} × {:.3} × {:.3} m, but at most {limit} are possible: choose a \
        larger cell spacing, or an unbounded structure",
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

thread_local! {
    /// Of single queries.
    static CURSOR: Cell<Stencil> = Cell::default();
}

// The structure chosen at run time: one enum, matched once per pass, so that loops over candidates are compiled for each
// structure.

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
    /// The bucket hash, rebuilt from scratch.
    BucketHash(BucketHash),
    /// The bucket hash, updated incrementally.
    MovingBucketHash(MovingBucketHash),
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
            Search::MovingBucketHash($search) => $body,
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
                let options = BucketHashOptions { storage, capacity, registration };
                match update {
                    Update::Rebuilt => Self::BucketHash(BucketHash::new(table_size, cell_size, hash, radius, options)),
                    Update::Incremental => {
                        Self::MovingBucketHash(MovingBucketHash::new(table_size, cell_size, hash, radius, options))
                    }
                }
            }
            Structure::BlockMap(storage, walk) => {
                Self::BlockMap(BlockMap::new(table_size, cell_size, hash, radius, (storage, capacity), walk))
            }
        }
    }

    /// The structure for walls, whatever the grid is: it is the fastest, and rarely built, as most walls rest.
    pub(crate) fn of_walls(radius: f32) -> Self {
        Self::SortedCells(SortedCells::new(radius, radius))
    }

    /// See [`NeighborSearch::update`].
    ///
    /// # Errors
    /// A bounded structure cannot cover the points.
    pub fn update(&mut self, points: &[Vec3], ids: &[u32]) -> Result<(), TooManyCells> {
        with_structure!(self, search => search.update(points, ids))
    }

    /// An empty structure with valid `parameters` for spheres whose radii add up to at most `most`, m.
    pub(crate) fn of_spheres(parameters: &GridParameters, most: f32) -> Self {
        Self::new(parameters, spheres::GROWTH * most)
    }

    /// Registers spheres around `centers` with `radii` (both m): the block map the spheres, any other structure their centres.
    ///
    /// # Errors
    /// A bounded structure cannot cover the centres.
    pub(crate) fn register_spheres(&mut self, centers: &[Vec3], radii: &[f32], ids: &[u32]) -> Result<(), TooManyCells> {
        if let Self::BlockMap(map) = self {
            map.register(centers, radii);
            return Ok(());
        }
        self.update(centers, ids)
    }

    /// See [`NeighborSearch::drop_update_buffers`].
    pub(crate) fn drop_update_buffers(&mut self) {
        with_structure!(self, search => search.drop_update_buffers());
    }

    /// See [`NeighborLists::fill`].
    pub fn fill(&self, lists: &mut NeighborLists, queries: &[Vec3], pairing: Pairing) -> Tally {
        with_structure!(self, search => lists.fill(search, queries, pairing))
    }

    /// Search radius, m.
    pub(crate) fn radius(&self) -> f32 {
        with_structure!(self, search => search.radius())
    }

    /// Pairs of touching spheres around the registered `centers` with `radii` (both m), the lower index first, each once, in no
    /// particular order. The block map has registered the spheres, all other structures the centres.
    pub(crate) fn touching(&self, centers: &[Vec3], radii: &[f32]) -> Pairs {
        if let Self::BlockMap(map) = self {
            return map.touching_pairs();
        }
        with_structure!(self, search => spheres::asked(search, centers, radii))
    }

    /// The candidates of one query; see [`NeighborSearch::collect`].
    pub fn candidates(&self, center: Vec3) -> Candidates {
        fn of<S: NeighborSearch>(search: &S, center: Vec3) -> Candidates {
            let mut found = Candidates::default();
            with_kept(&CURSOR, |cursor| {
                cursor.forget();
                search.collect(center, search.radius(), cursor, &mut found);
            });
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
        let query = TracedQuery { center, itself, radius: self.radius(), spheres: &[] };
        with_structure!(self, search => search.trace(query))
    }

    /// Traces the query of sphere `index` among the registered spheres around `centers` with `radii`, both m: of the block map, the buckets in which
    /// the sphere is registered; of any other structure, its question for the centres of smaller spheres that it touches.
    pub(crate) fn trace_sphere(&self, index: u32, centers: &[Vec3], radii: &[f32]) -> Trace {
        let (center, own) = (centers[index as usize], radii[index as usize]);
        let query = TracedQuery { center, itself: Some(index), radius: 2.0 * own, spheres: radii };
        let mut trace = with_structure!(self, search => search.trace(query));
        if matches!(self, Self::BlockMap(_)) {
            return trace;
        }
        let found: HashSet<u32> =
            trace.visited.iter().filter(|met| met.verdict == Verdict::Neighbor).map(|met| met.index).collect();
        let asks = |(other, (&place, &radius)): (u32, (&Vec3, &f32))| {
            let touches = center.distance_squared(place) < (own + radius) * (own + radius);
            let is_larger = radius > own || radius == own && other < index;
            (touches && is_larger && !found.contains(&other)).then_some(other)
        };
        trace.found_by = (0..).zip(centers.iter().zip(radii)).filter_map(asks).collect();
        trace
    }
}
