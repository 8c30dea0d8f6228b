//! The neighbour search: the structures, what they share, the lists they fill, and what it all cost.
//!
//! *Cell*: integer coordinates `floor(x / cell_size)`. *Bucket*: slot of the table, `hash(cell) mod table_size`.
//! *Collision*: two occupied cells in one bucket. *Candidate*: point whose distance was tested. *Load factor*: occupied cells /
//! table size. Nothing here knows of fluids: points go in, lists of neighbours come out.
//!
//! Every structure yields candidates; [`NeighborLists::fill`] tests their distance and puts each list into ascending order.
//! So the lists, and all that is computed from them, are the same to the bit whatever structure, table and cell size produced them.

mod grid;
mod neighbor_search;
mod query;
mod search;
mod statistics;
mod storage;
mod structures;

pub use grid::Stencil;
pub use neighbor_search::{NeighborSearch, TooManyCells};
pub use query::{Candidates, NeighborLists, Pairing, Pairs, Tally};
pub use search::Search;
pub use statistics::{Audit, Contents, HISTOGRAM_BINS, Lookup, Met, Occupancy, OccupiedCell, SearchStats, Trace, Verdict};
pub use storage::CellOrder;
pub use structures::{
    BlockMap, BruteForce, BucketHash, BucketHashOptions, CellHash, MAX_GRID_CELLS, MovingCellHash, SortedCells, SpatialHash,
    UniformGrid,
};

// A user's choices of the search are with all other parameters.
pub use crate::parameters::{
    GridParameters, HashFunction, MAX_BUCKET_CAPACITY, MAX_PLACES, MAX_TABLE_SIZE, Registration, Storage, Structure,
    StructureOptions, Update, Walk,
};

pub(crate) use query::{Blocks, ListRows};
