//! Commands without a window, one file or folder each: `run` and `render` simulate, `bench` and `tune` measure, `validate`
//! compares, `check` only reads, `surface` makes meshes of exports, those of `authoring` write scenes. They share `simulate` (the run), `output` (its files) and
//! `charts` (plots).
//!
//! All messages go to standard error; standard output carries only the requested data.

pub mod arguments;
pub mod authoring;
pub mod bench;
mod charts;
pub mod check;
pub mod console;
mod failure;
pub(crate) mod output;
pub mod render;
pub mod run;
pub(crate) mod simulate;
mod structure_names;
pub mod surface;
pub mod tune;
pub mod validate;

pub use failure::Failure;
