//! Storage shared by the structures: buckets, growing lists, sorted points, counting sort, order of particles in memory.

mod buckets;
mod cell_counts;
mod counting_sort;
mod growing_lists;
mod order;
mod point_registry;
mod sorted_points;

pub use order::CellOrder;

pub(super) use buckets::Buckets;
pub(super) use counting_sort::counting_sort;
pub(super) use growing_lists::GrowingLists;
pub(super) use point_registry::PointRegistry;
pub(super) use sorted_points::{LANES, PADDING, Run, SortedPoints};
