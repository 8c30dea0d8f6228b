//! The chunks into which neighbour lists, and what is kept for each of their entries, are cut.

/// Queries that one task answers. Fixed, so that the work is cut alike for any number of threads.
pub(crate) const QUERIES_PER_CHUNK: usize = 256;
