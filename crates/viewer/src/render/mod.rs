//! Drawing with wgpu: one renderer that draws into a texture of its own, which the window shows, `sph render` saves and the tests
//! read. Sees no user interface.
//!
//! A frame is three draws, one file and one shader each: `backdrop`, `particles`, and the tank's `lines`. `light` works out on the
//! CPU how much sky each particle sees, and `occlusion`, for drivers that compute there anyway, which of them can be seen. In a
//! window, the `compositor` lays the finished picture under the panels.

mod backdrop;
mod compositor;
mod globals;
mod gpu;
mod light;
mod lines;
mod occlusion;
mod order;
mod particles;
mod picture;
mod pipeline;
mod renderer;
mod scene;
pub mod shaders;
mod tank;
mod target;

pub use compositor::{Compositor, Sheet};
pub use globals::Globals;
pub use gpu::{Gpu, GpuError};
pub use picture::Picture;
pub use renderer::{Frame, Renderer};
pub use scene::{first_camera, scene_bounds, scene_boxes};
pub use target::ReadError;
