//! Storage that structures share: buckets, growing lists, sorted points, the counting sort, the order of particles in memory.

pub(super) mod buckets;
pub(super) mod cell_counts;
pub(super) mod counting_sort;
pub(super) mod growing_lists;
pub(super) mod order;
pub(super) mod point_registry;
pub(super) mod sorted_points;
