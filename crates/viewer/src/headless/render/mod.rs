//! `sph render`: pictures of a run, drawn by the window's renderer: camera, size, and the grid drawn into them.

mod coloring;
mod command;
mod film;
mod grid_picture;
mod look;
mod studio;

pub use coloring::Aids;
pub use command::{Options, execute};
pub use look::{Look, Surfaces};
pub use studio::Studio;
