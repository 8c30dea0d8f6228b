//! What is worked out of particles and cells on the CPU before they are drawn: how much sky each sees, which can be seen, in which order.

mod light;
mod occlusion;
mod order;

pub use light::{FloorLight, Light};
pub use occlusion::Occlusion;
pub use order::Order;
