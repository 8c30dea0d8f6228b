//! Queries: the candidates that a structure yields, the test of their distance, and the lists of neighbours that come out.

mod candidates;
mod distance_test;
mod lists;
mod pairs;

pub use candidates::Candidates;
pub use lists::{NeighborLists, Pairing};
pub use pairs::{Pairs, Tally};

pub(crate) use lists::{Blocks, ListRows};
