//! Visibility, computed on the CPU before the draws: sky that each particle sees (`light`), particles that hide others (`occlusion`), order
//! from far to near (`order`).

mod light;
mod occlusion;
mod order;

pub use light::{FloorLight, Light};
pub use occlusion::Occlusion;
pub use order::Order;
