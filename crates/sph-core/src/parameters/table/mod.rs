//! Table of parameters: one entry for each, the macros that make the entries beside the fields, and the values, ranges and choices that they have.

pub mod bounds;
pub mod choice;
pub(crate) mod define;
pub mod entry;
pub mod error;
pub(crate) mod spec;
pub mod value;
