//! The four draws of a frame, one file and one shader each: `backdrop`, `particles`, `lines`, `cells`. `tank` makes lines for
//! the edges of the tank.

mod backdrop;
mod cells;
mod lines;
mod particles;
pub mod tank;

pub use backdrop::Backdrop;
pub use cells::{CellBox, Cells};
pub use lines::{Line, Lines};
pub use particles::Particles;
