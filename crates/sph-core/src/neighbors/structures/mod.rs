//! The structures, one file each: all implement [`NeighborSearch`](super::NeighborSearch).

pub(super) mod block_map;
pub(super) mod brute_force;
pub(super) mod bucket_hash;
pub(super) mod cell_hash;
pub(super) mod moving_cell_hash;
pub(super) mod sorted_cells;
pub(super) mod spatial_hash;
pub(super) mod uniform_grid;
