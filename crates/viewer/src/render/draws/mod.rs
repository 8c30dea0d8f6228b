//! The six draws of a frame, one file and one shader each: `backdrop`, `particles`, `meshes`, `foam`, `lines`, `cells`. `tank` and `arrows` make lines for
//! the edges of the tank and for velocities.

mod arrows;
mod backdrop;
mod cells;
mod foam;
mod lines;
mod meshes;
mod particles;
pub mod tank;

pub use arrows::push_arrows;
pub use backdrop::Backdrop;
pub use cells::{CellBox, Cells};
pub use foam::Foam;
pub use lines::{Line, Lines};
pub use meshes::{Mesh, Meshes};
pub use particles::Particles;
