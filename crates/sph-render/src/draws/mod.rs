//! The six draws of a frame, a shader each: backdrop, particles, foam (with the particles), meshes, cells, and lines, which the edges of
//! the tank and the arrows of velocity are made of.

mod backdrop;
mod cells;
mod meshes;
mod particles;

pub mod lines;

pub use backdrop::Backdrop;
pub use cells::{CellBox, Cells};
pub use lines::{Line, Lines, push_arrows};
pub use meshes::{Mesh, Meshes, Sides};
pub use particles::{Foam, Particles};
