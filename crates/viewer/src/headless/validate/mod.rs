//! `sph validate`: the program beside experiments and closed forms.
//!
//! A `case::Case` is data: a scene, the resolutions at which it is run, what is measured on it with the bars that it has to meet, and
//! what is drawn. `cases` lists them all. `runs` runs them, `report` writes what came of it.

mod case;
mod cases;
mod chapter;
mod command;
mod evidence;
mod figure;
mod holes;
mod meter;
mod numbers;
mod reference;
mod report;
mod runs;
mod verdict;

pub use command::{Options, execute};
