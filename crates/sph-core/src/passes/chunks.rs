//! Chunk size of neighbour lists and of arrays with one entry for each neighbour.

/// Queries in one chunk, the work of one task. Constant, so that the chunks do not depend on the number of threads.
pub(crate) const QUERIES_PER_CHUNK: usize = 256;
