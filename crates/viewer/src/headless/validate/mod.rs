//! `sph validate`: comparison with experiments and analytical solutions.
//!
//! A `case::Case` is data: a scene, the resolutions at which it is run, its measures with their acceptance criteria, and its
//! plots. `cases` lists them all. `runs` runs them, `report` writes the results.

mod case;
mod cases;
mod command;
mod figure;
mod holes;
mod meter;
mod numbers;
mod record;
mod reference;
mod report;
mod runs;
mod verdict;

pub use command::{Options, execute};
