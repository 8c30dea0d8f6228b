//! Rendering with wgpu: one renderer draws into its own texture, which the window shows, `sph render` saves and the tests read.
//! Independent of the user interface.
//!
//! A `Frame` is the data of one picture; `SceneFrame` builds it from the state of a scene. The `renderer` computes its `visibility` and `light` on the CPU, then makes the six `draws` with
//! the pipelines and textures of `gpu` and the modules of `shaders`; the look of `water` has passes of its own. In a window, the
//! `compositor` puts the finished picture below the panels.
//!
//! Plain data for whoever draws a scene: `camera`, `picking`, `scene`, `solids`, `sets`, `grid_boxes`. What becomes of pictures: `picture`,
//! `caption`, `recording`. Times of drawing: `costs`, `timing`.

mod compositor;
mod costs;
mod draws;
mod frame;
mod gpu;
mod light;
mod picture;
mod renderer;
mod scene;
mod scene_frame;
mod sets;
mod solids;
mod timing;
mod visibility;
mod water;

pub mod camera;
pub mod caption;
pub mod film;
pub mod grid_boxes;
pub mod picking;
pub mod shaders;

pub use compositor::{Area, Compositor, Panels, Sheet};
pub use costs::{Costs, Part};
pub use draws::{CellBox, Mesh, Sides};
pub use frame::{Arrows, Background, Frame, ReferenceArrow, Slab, Tint};
pub use gpu::{Globals, Gpu, GpuError, ReadError, read_texture};
pub use picture::{MOST_PIXELS, Picture};
pub use renderer::Renderer;
pub use scene::{DrawnLook, NO_WATER, Subject, drawn_look, first_camera, scene_bounds, scene_boxes, tank_poses};
pub use scene_frame::{Overlay, PictureContents, PictureOptions, SceneFrame, ShownFluid, ViewStyle};
pub use sets::ShownSets;
pub use solids::{Bodies, BodyForm, Scenery, SceneryStyle, ShownScenery};
pub use timing::{PassClock, PassTime, Stopwatch, Yardstick};
pub use water::{Particle as WaterParticle, Uniforms as WaterUniforms};
