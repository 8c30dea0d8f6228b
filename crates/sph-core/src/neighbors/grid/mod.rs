//! The grid: from a place to its cell, from a cell to its bucket, from a query to the buckets that it looks into.

pub(super) mod cells;
pub(super) mod hash_function;
pub(super) mod stencil;
