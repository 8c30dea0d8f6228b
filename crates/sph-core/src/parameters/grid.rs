//! Parameters of the neighbour search.

use super::Discretization;
use super::table::{ParameterError, Spec, parameters, require};
use super::value::{Choice, ChoiceOption, UnknownChoice, choice};
use std::{fmt, iter, str::FromStr};

/// Largest table: 16 Mi buckets, 64 MiB.
pub const MAX_TABLE_SIZE: u32 = 1 << 24;

/// Largest capacity of a bucket, in places.
pub const MAX_BUCKET_CAPACITY: u32 = 1024;

/// Largest capacity of all buckets together, in places: 256 MiB.
pub const MAX_PLACES: u64 = 1 << 26;

choice! {
    /// Hash functions, from cells to buckets. All arithmetic wraps.
    pub enum HashFunction, default Muller {
        /// Müller's: `|x·92837111 ⊕ y·689287499 ⊕ z·283923481|` (Muller2022).
        Muller = "muller", "Müller";
        /// Teschner's: `x·73856093 ⊕ y·19349663 ⊕ z·83492791` (Teschner2003).
        Teschner = "teschner", "Teschner 2003";
        /// Morton order: bits of the coordinates interleaved, so that nearby cells mostly get nearby buckets (Morton1966).
        Morton = "morton", "Morton order";
        /// SplitMix64: all bits of the coordinates mixed into all bits of the hash (Steele2014).
        Mix = "mix", "SplitMix64";
    }
}

choice! {
    /// Storage of the points of a bucket.
    pub enum Storage, default Fixed {
        /// Fixed number of contiguous places, the bucket's capacity. Points that do not fit go to an overflow list.
        Fixed = "fixed", "Fixed places";
        /// Doubly linked list: no limit on the number of points, but they are scattered in memory.
        Linked = "linked", "Linked";
    }
}

choice! {
    /// Updates of a structure as points move.
    pub enum Update, default Rebuilt {
        /// Rebuilt from all points in every step.
        Rebuilt = "rebuilt", "Rebuilt";
        /// Incremental: only points that have changed their cells are moved.
        Incremental = "incremental", "Incremental";
    }
}

choice! {
    /// Cells in which a point is registered.
    pub enum Registration, default Once {
        /// In its own cell; a query visits all cells that its radius touches.
        Once = "once", "Once";
        /// In every cell that its radius touches; a query visits only its own cell.
        Everywhere = "everywhere", "In all cells in reach";
    }
}

choice! {
    /// Orders in which the block map finds pairs.
    pub enum Walk, default Blocks {
        /// Block by block, testing all pairs within each: for mostly filled space. Each pair is tested once.
        Blocks = "blocks", "Block by block";
        /// Point by point, searching the blocks that it covers: for mostly empty space.
        Points = "points", "By particle";
    }
}

/// Neighbour-search structures, each with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Structure {
    /// [`BruteForce`](crate::neighbors::BruteForce).
    BruteForce,
    /// [`UniformGrid`](crate::neighbors::UniformGrid); needs no table and no hash.
    UniformGrid,
    /// [`SpatialHash`](crate::neighbors::SpatialHash).
    SpatialHash,
    /// [`CellHash`](crate::neighbors::CellHash), or [`MovingCellHash`](crate::neighbors::MovingCellHash) when it is updated
    /// incrementally.
    CellHash(Update),
    /// [`BucketHash`](crate::neighbors::BucketHash), or [`MovingBucketHash`](crate::neighbors::MovingBucketHash) when it is updated
    /// incrementally.
    BucketHash(Storage, Update, Registration),
    /// [`BlockMap`](crate::neighbors::BlockMap); its blocks are the cells.
    BlockMap(Storage, Walk),
    /// [`SortedCells`](crate::neighbors::SortedCells); needs no table and no hash.
    SortedCells,
}

impl Choice for Structure {
    const VALUES: &'static [Self] = &Self::USUAL;

    fn option(self) -> ChoiceOption {
        let (name, label, documentation) = match self {
            Self::BruteForce => ("brute_force", "Brute force", "All pairs: slow; the reference for testing the others."),
            Self::UniformGrid => (
                "uniform_grid",
                "Uniform grid",
                "Dense table of the cells around the fluid; fails if there are too many cells.",
            ),
            Self::SpatialHash => ("spatial_hash", "Spatial hash", "Cells hashed into a table of any size."),
            Self::CellHash(_) => (
                "cell_hash",
                "Cell hash",
                "Hash table of cells, each with its particles: skips cells that only share the bucket.",
            ),
            Self::BucketHash(..) => {
                ("bucket_hash", "Bucket hash", "Hash table of particles, with a choice of storage, update and registration.")
            }
            Self::BlockMap(..) => (
                "block_map",
                "Block map",
                "Particles registered in every block that they cover, with a choice of storage and walk.",
            ),
            Self::SortedCells => {
                ("sorted_cells", "Sorted cells", "Particles sorted by cell and read row by row: the fastest; needs no table.")
            }
        };
        ChoiceOption { name, label, documentation }
    }
}

/// Name, and the options between which the structure has a choice: `cell_hash incremental`.
impl fmt::Display for Structure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = iter::once(self.name()).chain(self.option_names()).collect();
        formatter.pad(&words.join(" "))
    }
}

/// Name, and options in any order; those that are left out have their usual values.
impl FromStr for Structure {
    type Err = UnknownChoice;

    fn from_str(text: &str) -> Result<Self, UnknownChoice> {
        let mut words = text.split_whitespace();
        let unknown = |found: &str, options: Vec<&'static str>| UnknownChoice { found: found.to_owned(), options };
        let names = || Self::VALUES.iter().map(|structure| structure.name()).collect();
        let usual = words.next().and_then(Self::by_name).ok_or_else(|| unknown(text, names()))?;
        let all: Vec<Self> = Self::all().into_iter().filter(|structure| structure.name() == usual.name()).collect();
        words.try_fold(usual, |structure, word| {
            // The structure that has this option and otherwise those that have been read.
            let with_word = all.iter().copied().filter(|candidate| candidate.option_names().contains(&word));
            let agreement = |candidate: &Self| {
                candidate.option_names().iter().zip(structure.option_names()).filter(|&(a, b)| *a == b).count()
            };
            with_word.max_by_key(agreement).ok_or_else(|| unknown(word, usual.option_names()))
        })
    }
}

impl Structure {
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

    /// Name of the structure in scene files, without its options.
    pub fn name(self) -> &'static str {
        self.option().name
    }

    /// Label of the structure in the window, without its options.
    pub fn label(self) -> &'static str {
        self.option().label
    }

    /// Options of the structure; the usual ones for options that it does not have.
    pub fn options(self) -> StructureOptions {
        let usual = StructureOptions::default();
        match self {
            Self::BruteForce | Self::UniformGrid | Self::SortedCells | Self::SpatialHash => usual,
            Self::CellHash(update) => StructureOptions { update, ..usual },
            Self::BucketHash(storage, update, registration) => StructureOptions { storage, update, registration, ..usual },
            Self::BlockMap(storage, walk) => StructureOptions { storage, walk, ..usual },
        }
    }

    /// The same structure with those of `options` that it has.
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

    /// Names of the chosen options of the structure, in scene files.
    pub fn option_names(self) -> Vec<&'static str> {
        match self {
            Self::BruteForce | Self::UniformGrid | Self::SortedCells | Self::SpatialHash => Vec::new(),
            Self::CellHash(update) => vec![update.name()],
            Self::BucketHash(storage, update, registration) => vec![storage.name(), update.name(), registration.name()],
            Self::BlockMap(storage, walk) => vec![storage.name(), walk.name()],
        }
    }

    /// True if cells are hashed into a table, so that table size and hash function matter.
    pub fn has_table(self) -> bool {
        !matches!(self, Self::BruteForce | Self::UniformGrid | Self::SortedCells)
    }

    /// True if the structure has a choice of bucket storage.
    pub fn has_storage(self) -> bool {
        matches!(self, Self::BucketHash(..) | Self::BlockMap(..))
    }

    /// True if the structure has a choice of update.
    pub fn has_update(self) -> bool {
        matches!(self, Self::CellHash(_) | Self::BucketHash(..))
    }

    /// True if the structure has a choice of registration.
    pub fn has_registration(self) -> bool {
        matches!(self, Self::BucketHash(..))
    }

    /// True if the structure has a choice of walk.
    pub fn has_walk(self) -> bool {
        matches!(self, Self::BlockMap(..))
    }

    /// True if the buckets have a fixed number of places.
    pub fn has_fixed_buckets(self) -> bool {
        self.has_storage() && self.options().storage == Storage::Fixed
    }
}

parameters! {
    /// Options of all structures together.
    pub struct StructureOptions in Grid {
        /// Storage of the buckets of the bucket hash and the block map.
        storage: Storage = Storage::Fixed => Spec::new("Bucket storage");
        /// Update of the cell hash and the bucket hash as particles move.
        update: Update = Update::Rebuilt => Spec::new("Update");
        /// Cells in which the bucket hash registers a particle.
        registration: Registration = Registration::Once => Spec::new("Registration");
        /// Order in which the block map finds pairs.
        walk: Walk = Walk::Blocks => Spec::new("Pair search");
    }
}

parameters! {
    /// Parameters of the neighbour search: they change the cost of a step, never its result.
    pub struct GridParameters in Grid {
        /// Structure of the neighbour search. The motion of the fluid is the same with all of them; their costs differ.
        structure: Structure = Structure::SpatialHash => Spec::new("Structure");
        /// Number of buckets of the hash table. A small table makes cells share buckets: more candidates, the same neighbours.
        /// A large one takes memory, and time to clear.
        table_size: u32 = 1 << 16 => Spec::new("Hash table size").unit("buckets").range(1.0..=f64::from(MAX_TABLE_SIZE))
            .log_slider(1.0..=1e5, 1.0)
            .default_words("twice the number of fluid particles; without fluid at the start twice `particles.limit`, or 20,000")
            .usual(1e2..=1e7)
            .ends("many cells share a bucket: more candidates to test", "takes memory, and time to clear");
        /// Side of a grid cell. Small cells mean more cells to visit, large cells more particles to test.
        cell_size: f32 = 0.1 => Spec::new("Cell spacing").unit("m").range(0.0..=f64::from(f32::MAX)).above_low()
            .range_words("0.25 to 4 support radii").log_slider(1e-3..=1.0, 1e-6).default_words("the support radius")
            .ends("many cells to visit", "many particles to test");
        /// Hash function, from cells to buckets.
        hash: HashFunction = HashFunction::Muller => Spec::new("Hash function");
        /// Capacity of a bucket with fixed storage; times the table size at most 67108864.
        bucket_capacity: u32 = 16 => Spec::new("Bucket capacity").unit("particles").range(1.0..=f64::from(MAX_BUCKET_CAPACITY))
            .log_slider(1.0..=64.0, 1.0)
            .usual(4.0..=64.0).default_words("enough for a full lattice, at least 16")
            .ends("particles spill into the overflow list", "takes memory, mostly for empty places");
    }
}

impl GridParameters {
    /// Smallest and largest cell size in support radii.
    pub const CELL_SIZE_RANGE: [f32; 2] = [0.25, 4.0];

    /// Cell sizes that most scenes have, in support radii: one, and what lies about it.
    pub const USUAL_CELL_SIZES: [f32; 2] = [0.8, 1.25];

    /// Usual capacity of a bucket, at least 16: the particles of a full lattice that are registered in one cell, times 1.5; times 3 if a particle
    /// is registered in several cells, as collisions then weigh more. The bucket hash registers a particle in its own cell, or in every cell
    /// within the support radius; the block map registers it, a sphere as wide as the support radius, in every block that it covers.
    pub fn usual_bucket_capacity(&self, discretization: &Discretization) -> u32 {
        const LEAST: u32 = 16;
        let reach = match self.structure {
            Structure::BucketHash(Storage::Fixed, _, Registration::Everywhere) => 2.0,
            Structure::BlockMap(Storage::Fixed, _) => 1.0,
            _ => 0.0,
        };
        let side = (self.cell_size + reach * discretization.support_radius) / discretization.particle_spacing;
        let crowding = if reach > 0.0 { 3.0 } else { 1.5 };
        let particles = crowding * side.powi(discretization.dimensions.count() as i32);
        let most = self.most_places_per_bucket();
        let usual =
            if self.structure.has_fixed_buckets() { (particles.ceil() as u32).min(most).next_multiple_of(8) } else { LEAST };
        usual.max(LEAST).min(most)
    }

    /// Largest capacity that a bucket may have in a table of this size.
    pub fn most_places_per_bucket(&self) -> u32 {
        (MAX_PLACES / u64::from(self.table_size.max(1))).clamp(1, MAX_BUCKET_CAPACITY.into()) as u32
    }

    /// This grid, after it was `before`: a capacity that was the usual one, and was not changed, is the usual one again.
    #[must_use]
    pub fn adapted_from(self, before: &Self, discretization: &Discretization) -> Self {
        let follows = self.bucket_capacity == before.bucket_capacity
            && before.bucket_capacity == before.usual_bucket_capacity(discretization);
        if follows { Self { bucket_capacity: self.usual_bucket_capacity(discretization), ..self } } else { self }
    }

    /// True if the numbers are possible for some search radius.
    pub(crate) fn is_valid(&self) -> bool {
        self.validate(self.cell_size).is_ok()
    }

    /// Checks the cell size against the support radius (m), and the places of all buckets.
    pub(crate) fn validate(&self, support_radius: f32) -> Result<(), ParameterError> {
        let [low, high] = Self::CELL_SIZE_RANGE.map(|ratio| ratio * support_radius);
        // Tolerance for the ends of a slider, converted to metres and back.
        let inside = (low * 0.9999..=high * 1.0001).contains(&self.cell_size);
        require(inside, "grid.cell_size", self.cell_size, "0.25 to 4 support radii (m)")?;
        let places = u64::from(self.table_size) * u64::from(self.bucket_capacity);
        let fits = !self.structure.has_fixed_buckets() || places <= MAX_PLACES;
        let capacity = self.bucket_capacity as f32;
        require(fits, "grid.bucket_capacity", capacity, "at most 67108864 / table size with fixed buckets")
    }
}
