//! The grid: cells of space, the hash of a cell, and the stencil of cells around a query.

mod cells;
mod hash_function;
pub(super) mod stencil;

pub use stencil::Stencil;

pub(super) use cells::Cells;
pub(super) use stencil::{CellBox, EMPTY, Table};
