//! `sph tune`: search for the grid that makes a scene's neighbour search fastest on this machine. The trials are `sph_core::tuning`'s;
//! here they are asked for, printed and drawn.

mod command;
mod curves;
mod heat_map;
mod progress;
mod report;

pub use command::{Options, execute};
