//! `sph tune`: which grid makes the scene's neighbour search fastest on this machine. The trials themselves are
//! `sph_core::tuning`'s; here they are made, printed and drawn.

mod command;
mod curves;
mod heat_map;
mod progress;
mod report;

pub use command::{Options, execute};
