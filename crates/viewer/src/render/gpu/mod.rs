//! The graphics device, and what all draws use of it: pipelines, shaders, the uniform block, the texture drawn into.

mod device;
mod globals;
pub mod pipeline;
pub mod shaders;
pub mod target;

pub use device::{Gpu, GpuError};
pub use globals::Globals;
pub use target::ReadError;
