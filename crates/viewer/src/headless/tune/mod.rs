//! `sph tune`: search for the grid that makes a scene's neighbour search fastest on this machine. The trials are in
//! `sph_core::tuning`; the modules here start, print and plot them.

mod command;
mod curves;
mod heat_map;
mod progress;
mod report;

pub use command::{Options, execute};
