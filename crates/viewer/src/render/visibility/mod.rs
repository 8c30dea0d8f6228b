//! Visibility, computed on the CPU before the draws: ambient light (`light`), occlusion culling (`occlusion`), depth sorting
//! (`order`).

mod light;
mod occlusion;
mod order;

pub use light::{FloorLight, Light};
pub use occlusion::Occlusion;
pub use order::Order;
