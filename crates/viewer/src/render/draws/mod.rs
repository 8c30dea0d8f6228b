//! The five draws of a frame, one file and one shader each: `backdrop`, `particles`, `meshes`, `lines`, `cells`. `tank` makes lines for
//! the edges of the tank.

mod backdrop;
mod cells;
mod lines;
mod meshes;
mod particles;
pub mod tank;

pub use backdrop::Backdrop;
pub use cells::{CellBox, Cells};
pub use lines::{Line, Lines};
pub use meshes::{Mesh, Meshes};
pub use particles::Particles;
