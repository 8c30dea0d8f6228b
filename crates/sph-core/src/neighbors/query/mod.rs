//! Queries: the candidates that a structure yields, the test of their distance, and the lists of neighbours that come out.

pub(super) mod candidates;
pub(super) mod distance_test;
pub(super) mod lists;
