//! `sph bench`: wall-clock time of each phase of a step, as medians over many steps; with `--structures` and `--movers` that of the
//! neighbour-search structures. A file for each measurement, and one for each way to print or draw it.

mod command;
mod costs;
mod movers;
mod movers_plot;
mod report;
mod scaling;
mod structures;
mod structures_plot;
mod trace;

pub use command::{Options, execute};
