//! Drawing with wgpu: one renderer that draws into a texture of its own, which the window shows, `sph render` saves and the tests
//! read. Sees no user interface.
//!
//! A frame is four draws, one file and one shader each: `backdrop`, `particles`, the tank's `lines`, and the grid's `cells`. `tint`
//! says which particles are drawn and how. `light` works out on the CPU how much sky each of them sees, and `occlusion`, for drivers
//! that compute there anyway, which can be seen. In a window, the `compositor` lays the finished picture under the panels.

mod backdrop;
mod bodies;
mod cells;
mod compositor;
mod costs;
mod frame;
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
mod tint;

pub use bodies::Bodies;
pub use cells::CellBox;
pub use compositor::{Compositor, Sheet};
pub use costs::Costs;
pub use frame::Frame;
pub use globals::Globals;
pub use gpu::{Gpu, GpuError};
pub use picture::Picture;
pub use renderer::Renderer;
pub use scene::{first_camera, scene_bounds, scene_boxes};
pub use target::ReadError;
pub use tint::{Slab, Tint};
