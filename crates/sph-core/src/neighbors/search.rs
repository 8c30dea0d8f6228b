//! The choice of structure: one enum, so that loops over candidates are compiled for each structure and the choice is made once a pass.

use crate::neighbors::grid::Stencil;
use crate::neighbors::query::{Candidates, NeighborLists, Pairing, Tally};
use crate::neighbors::statistics::{Contents, Occupancy, Question, Trace};
use crate::neighbors::{
    BlockMap, BruteForce, BucketHash, BucketHashOptions, CellHash, HashFunction, MovingCellHash, NeighborSearch, Registration,
    SortedCells, SpatialHash, Storage, TooManyCells, UniformGrid, Update, Walk,
};
use crate::parameters::{ParameterError, require};
use glam::Vec3;

/// Largest table: 16 Mi buckets, 64 MiB.
pub const MAX_TABLE_SIZE: u32 = 1 << 24;

/// Most places of a bucket.
pub const MAX_BUCKET_CAPACITY: u32 = 1024;

/// Most places of all buckets together: 256 MiB.
pub const MAX_PLACES: u64 = 1 << 26;

/// The neighbour-search structures and the ways in which each can work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Structure {
    /// [`BruteForce`].
    BruteForce,
    /// [`UniformGrid`]; needs no table and no hash.
    UniformGrid,
    /// [`SpatialHash`].
    SpatialHash,
    /// [`CellHash`], or [`MovingCellHash`] when it is updated incrementally.
    CellHash(Update),
    /// [`BucketHash`].
    BucketHash(Storage, Update, Registration),
    /// [`BlockMap`]; its blocks are the cells.
    BlockMap(Storage, Walk),
    /// [`SortedCells`]; needs no table and no hash.
    SortedCells,
}

impl Structure {
    /// Every structure with every combination of its options.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::BruteForce, Self::UniformGrid, Self::SortedCells, Self::SpatialHash];
        all.extend(Update::ALL.map(Self::CellHash));
        for storage in Storage::ALL {
            for update in Update::ALL {
                all.extend(Registration::ALL.map(|registration| Self::BucketHash(storage, update, registration)));
            }
        }
        all.extend(Storage::ALL.into_iter().flat_map(|storage| Walk::ALL.map(|walk| Self::BlockMap(storage, walk))));
        all
    }

    /// Name of the structure, without its options, as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute_force",
            Self::UniformGrid => "uniform_grid",
            Self::SpatialHash => "spatial_hash",
            Self::CellHash(_) => "cell_hash",
            Self::BucketHash(..) => "bucket_hash",
            Self::BlockMap(..) => "block_map",
            Self::SortedCells => "sorted_cells",
        }
    }

    /// Every structure with its usual options.
    pub const USUAL: [Self; 7] = [
        Self::BruteForce,
        Self::UniformGrid,
        Self::SpatialHash,
        Self::CellHash(Update::Rebuilt),
        Self::BucketHash(Storage::Fixed, Update::Rebuilt, Registration::Once),
        Self::BlockMap(Storage::Fixed, Walk::Blocks),
        Self::SortedCells,
    ];

    /// Its options; the usual ones where it has no choice.
    pub fn options(self) -> StructureOptions {
        let usual = StructureOptions::default();
        match self {
            Self::BruteForce | Self::UniformGrid | Self::SortedCells | Self::SpatialHash => usual,
            Self::CellHash(update) => StructureOptions { update, ..usual },
            Self::BucketHash(storage, update, registration) => StructureOptions { storage, update, registration, ..usual },
            Self::BlockMap(storage, walk) => StructureOptions { storage, walk, ..usual },
        }
    }

    /// The same structure with those of `options` between which it has a choice.
    #[must_use]
    pub fn with_options(self, options: StructureOptions) -> Self {
        let StructureOptions { storage, update, registration, walk } = options;
        match self {
            Self::BruteForce | Self::UniformGrid | Self::SortedCells | Self::SpatialHash => self,
            Self::CellHash(_) => Self::CellHash(update),
            Self::BucketHash(..) => Self::BucketHash(storage, update, registration),
            Self::BlockMap(..) => Self::BlockMap(storage, walk),
        }
    }

    /// Names of the options that it has a choice between, as scene files spell them.
    pub fn option_names(self) -> Vec<&'static str> {
        match self {
            Self::BruteForce | Self::UniformGrid | Self::SortedCells | Self::SpatialHash => Vec::new(),
            Self::CellHash(update) => vec![update.name()],
            Self::BucketHash(storage, update, registration) => vec![storage.name(), update.name(), registration.name()],
            Self::BlockMap(storage, walk) => vec![storage.name(), walk.name()],
        }
    }

    /// Whether it hashes cells into a table, so that table size and hash function matter.
    pub fn has_table(self) -> bool {
        !matches!(self, Self::BruteForce | Self::UniformGrid | Self::SortedCells)
    }

    /// Whether its buckets keep their points in a choice of ways.
    pub fn has_storage(self) -> bool {
        matches!(self, Self::BucketHash(..) | Self::BlockMap(..))
    }

    /// Whether its buckets have places for a fixed number of points.
    pub fn has_fixed_buckets(self) -> bool {
        self.has_storage() && self.options().storage == Storage::Fixed
    }
}

/// The options of all structures together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructureOptions {
    /// Of the bucket hash and the block map.
    pub storage: Storage,
    /// Of the cell hash and the bucket hash.
    pub update: Update,
    /// Of the bucket hash.
    pub registration: Registration,
    /// Of the block map.
    pub walk: Walk,
}

impl Default for StructureOptions {
    fn default() -> Self {
        Self { storage: Storage::Fixed, update: Update::Rebuilt, registration: Registration::Once, walk: Walk::Blocks }
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
    /// Places of a bucket, for [`Storage::Fixed`]; 1 to [`MAX_BUCKET_CAPACITY`].
    pub bucket_capacity: u32,
}

impl GridParameters {
    /// Smallest and largest cell size in support radii.
    pub const CELL_SIZE_RANGE: [f32; 2] = [0.25, 4.0];

    pub(crate) fn validate(&self, support_radius: f32) -> Result<(), ParameterError> {
        let Self { table_size, bucket_capacity, .. } = *self;
        require((1..=MAX_TABLE_SIZE).contains(&table_size), "grid.table_size", table_size as f32, "1 to 16777216")?;
        let [low, high] = Self::CELL_SIZE_RANGE.map(|ratio| ratio * support_radius);
        // A little room: the ends of a slider, converted to metres and back, must be inside.
        let inside = (low * 0.9999..=high * 1.0001).contains(&self.cell_size);
        require(inside, "grid.cell_size", self.cell_size, "0.25 to 4 support radii (m)")?;
        let fits = (1..=MAX_BUCKET_CAPACITY).contains(&bucket_capacity);
        require(fits, "grid.bucket_capacity", bucket_capacity as f32, "1 to 1024")?;
        let places = u64::from(table_size) * u64::from(bucket_capacity);
        let fits = !self.structure.has_fixed_buckets() || places <= MAX_PLACES;
        require(fits, "grid.bucket_capacity", bucket_capacity as f32, "at most 67108864 / table size with fixed buckets")
    }
}

/// Any one of the structures.
#[derive(Clone, Debug)]
pub enum Search {
    /// All pairs.
    BruteForce(BruteForce),
    /// The bounded grid.
    UniformGrid(UniformGrid),
    /// The spatial hash.
    SpatialHash(SpatialHash),
    /// The cell hash, built from scratch.
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

/// Runs `$body` with `$search` bound to the structure inside, its type known.
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
    /// An empty structure as `parameters`, which are valid, describe it, for neighbours within `radius`, m.
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

    /// Follows the query for the neighbours of `center`, m, step by step; `itself` is the index of the registered point that asks. Of
    /// the block map that is walked block by block, which finds pairs and not neighbours, it shows the query that it answers from elsewhere.
    pub fn trace(&self, center: Vec3, itself: Option<u32>) -> Trace {
        with_structure!(self, search => search.trace(Question { center, itself }))
    }
}
