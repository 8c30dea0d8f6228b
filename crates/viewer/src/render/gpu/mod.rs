//! Graphics device and resources shared by all draws: pipelines, shaders, the uniform block, the render target.

mod device;
mod globals;
pub mod pipeline;
pub mod shaders;
pub mod target;

pub use device::{Gpu, GpuError};
pub use globals::Globals;
pub use target::{ReadError, read_texture};
