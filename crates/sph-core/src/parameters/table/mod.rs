//! Table of parameters: entries, the macros that generate them from struct fields, and their values, ranges and choices.

pub mod bounds;
pub mod choice;
pub(crate) mod define;
pub mod entry;
pub mod error;
pub(crate) mod spec;
pub mod value;

#[cfg(test)]
mod tests;
