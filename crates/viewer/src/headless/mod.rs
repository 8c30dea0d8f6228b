//! Everything that works without a window: `run` and `render` simulate, `bench` and `tune` measure, `check` only reads.
//!
//! All text for the person goes to standard error; standard output carries only the data that was asked for.

mod announce;
pub mod arguments;
pub mod bench;
mod chart;
pub mod check;
pub mod console;
mod exports;
mod failure;
mod grid_picture;
mod interrupt;
mod movers;
mod movers_plot;
mod outcome;
mod plot_file;
mod probes_file;
mod progress;
pub mod render;
pub mod run;
mod schedule;
mod simulate;
mod stats_file;
mod structure_names;
mod structures;
mod structures_plot;
mod studio;
mod svg;
mod trials_progress;
pub mod tune;
mod tune_curves;
mod tune_map;
mod tune_report;
pub mod validate;

pub use failure::Failure;
