//! `sph validate`: comparison with experiments and analytical solutions.
//!
//! A `case::Case` is data: a scene, the plan of its runs (resolutions and variants, a matrix of settings, or a list), its measures
//! with their acceptance criteria and the values of others, and its plots. `cases` lists them all. `runs` runs them, `verdict`
//! judges them, `report` writes the results.

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
