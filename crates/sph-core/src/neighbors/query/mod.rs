//! Queries: the candidates of a structure, the distance test, and the resulting neighbour lists.

mod candidates;
mod distance_test;
mod lists;
mod pairs;

pub use candidates::Candidates;
pub use lists::{NeighborLists, Pairing};
pub use pairs::{Pairs, Tally};

pub(crate) use lists::{Blocks, ListRows};
