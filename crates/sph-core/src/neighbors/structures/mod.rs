//! The structures, one per file: all implement [`NeighborSearch`](super::NeighborSearch).

mod block_map;
mod brute_force;
mod bucket_hash;
mod cell_hash;
mod moving_cell_hash;
mod sorted_cells;
mod spatial_hash;
mod uniform_grid;

pub use block_map::BlockMap;
pub use brute_force::BruteForce;
pub use bucket_hash::{BucketHash, BucketHashOptions};
pub use cell_hash::CellHash;
pub use moving_cell_hash::MovingCellHash;
pub use sorted_cells::SortedCells;
pub use spatial_hash::SpatialHash;
pub use uniform_grid::{MAX_GRID_CELLS, UniformGrid};
