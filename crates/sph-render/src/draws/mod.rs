//! The six draws of a frame, one file and one shader each: `backdrop`, `particles`, `meshes`, `foam`, `lines`, `cells`. `tank` and `arrows` make lines for
//! the edges of the tank and for velocities.

mod backdrop;
mod cells;
mod meshes;
mod particles;

pub mod lines;

pub use backdrop::Backdrop;
pub use cells::{CellBox, Cells};
pub use lines::{Line, Lines, push_arrows};
pub use meshes::{Mesh, Meshes};
pub use particles::{Foam, Particles};
