//! `sph bench`: what each phase of a step costs, as medians over many steps; or, with `--structures` and `--movers`, what each structure
//! costs beside the others. A file for each of these measurements, and one for how it is printed or drawn.

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
