//! Neighbour search: the structures, the grid and storage that they share, queries, and statistics.
//!
//! *Cell*: integer coordinates `floor(x / cell_size)`. *Bucket*: slot of the table, `hash(cell) mod table_size`.
//! *Collision*: two occupied cells in one bucket. *Candidate*: point whose distance was tested. *Load factor*: occupied cells /
//! table size. The module does not depend on the fluid: its input is points, its output lists of neighbours.
//!
//! Every structure yields candidates; [`NeighborLists::fill`] tests their distance and puts each list into ascending order. The
//! lists, and all results computed from them, are therefore identical to the bit for every structure, table and cell size.

mod audit;
mod candidates;
mod distance_test;
mod grid;
mod known_cells;
mod lists;
mod lookups;
mod runs;
mod search;
mod spheres;
mod statistics;
pub(super) mod stencil;
mod storage;
mod structures;
mod table;
mod trace;

pub use candidates::{Candidates, Pairs, Tally};
pub use grid::Stencil;
pub use lists::{NeighborLists, Pairing};
pub use search::{NeighborSearch, Search, TooManyCells};
pub use spheres::SphereSearch;
pub use statistics::{
    Audit, AuditPlan, Contents, HISTOGRAM_BINS, Lookup, Occupancy, OccupiedCell, SearchStats, Trace, Verdict, VisitedPoint,
};
pub use storage::CellOrder;
pub use structures::{
    BlockMap, BruteForce, BucketHash, BucketHashOptions, CellHash, MAX_GRID_CELLS, MovingBucketHash, MovingCellHash,
    SortedCells, SpatialHash, UniformGrid,
};

pub(crate) use lists::{Blocks, ListRows};

// The parameters of the search are defined with all other parameters.
pub use crate::parameters::{
    GridParameters, HashFunction, MAX_BUCKET_CAPACITY, MAX_PLACES, MAX_TABLE_SIZE, Registration, Storage, Structure,
    StructureOptions, Update, Walk,
};
