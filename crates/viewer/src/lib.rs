//! The program `sph`: the desktop simulator, and the same scenes without a window.
//!
//! `ui` sees no wgpu and `render` sees no egui; `app` joins them. `session` runs the simulation on a thread of its own.

pub mod camera;
pub mod color;
pub mod render;
