//! `sph render`: pictures of a run, drawn by the window's renderer: camera, size, and the grid drawn into them.

mod coloring;
mod command;
mod film;
mod grid_picture;
mod studio;
mod surfaces;

pub use command::{Options, execute};
pub use studio::{PictureOptions, Studio};
pub use surfaces::Surfaces;
