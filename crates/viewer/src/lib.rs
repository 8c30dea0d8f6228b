//! The program `sph`: the desktop simulator, and the same scenes without a window.
//!
//! `ui` sees no wgpu and `render` sees no egui; `app` joins them. `session` runs the simulation on a thread of its own.

pub mod app;
pub mod camera;
pub mod cli;
pub mod color;
pub mod command;
pub mod grid_boxes;
pub mod headless;
pub mod picking;
pub mod present_search;
pub mod render;
pub mod scenes;
pub mod session;
pub mod ui;
