//! The grid: from a place to its cell, from a cell to its bucket, from a query to the buckets that it looks into.

mod cells;
mod hash_function;
pub(super) mod stencil;

pub use stencil::Stencil;

pub(super) use cells::Cells;
pub(super) use stencil::{CellBox, EMPTY, Table};
