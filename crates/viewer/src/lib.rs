//! The program `sph`: the desktop simulator, and commands that run the same scenes without a window.
//!
//! `cli` parses the command line. `app` is the window: it joins `session`, the simulation on a thread of its own, `ui`, the
//! panels (without wgpu), and `render`, the 3D view (without egui). `headless` contains the commands without a window. The
//! other modules are plain data shared by several of these.

pub mod app;
pub mod camera;
pub mod cli;
pub mod color;
pub mod command;
pub mod engine;
pub mod grid_boxes;
pub mod headless;
pub mod picking;
pub mod present_search;
pub mod render;
pub mod scenes;
pub mod session;
pub mod ui;
