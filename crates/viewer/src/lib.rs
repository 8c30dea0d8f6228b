//! The program `sph`: the desktop simulator, and the same scenes without a window.
//!
//! `cli` reads the command line. `app` is the window: it joins `session`, the simulation on a thread of its own, `ui`, the panels, which
//! see no wgpu, and `render`, the 3D view, which sees no egui. `headless` is every command without a window. The other modules are plain
//! data that several of these share.

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
