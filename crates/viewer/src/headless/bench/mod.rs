//! `sph bench`: wall-clock time of each phase of a step, as medians over many steps; with `--structures` and `--movers` that of
//! the neighbour-search structures, with `--render` that of each pass of a picture. One file per measurement, and one per output format.

mod command;
mod costs;
mod movers;
mod movers_plot;
mod pictures;
mod report;
mod scaling;
mod structures;
mod structures_plot;
mod trace;

pub use command::{Options, execute};
