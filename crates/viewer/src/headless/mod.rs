//! Commands that need no window, a file or a folder each: `run` and `render` simulate, `bench` and `tune` measure, `validate` compares,
//! `check` only reads. Beside them what they share: `simulate` is the run itself, `output` its files, `charts` its plots.
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
