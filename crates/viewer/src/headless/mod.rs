//! Everything that works without a window: a folder or a file for each command, and what they share. `run` and `render` simulate,
//! `bench` and `tune` measure, `validate` compares, `check` only reads.
//!
//! All text for the person goes to standard error; standard output carries only the data that was asked for.

pub mod arguments;
pub mod bench;
mod charts;
pub mod check;
pub mod console;
mod failure;
mod output;
pub mod render;
pub mod run;
mod simulate;
mod structure_names;
pub mod tune;
pub mod validate;

pub use failure::Failure;
