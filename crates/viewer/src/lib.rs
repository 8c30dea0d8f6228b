//! The program `sph`: the desktop simulator, and commands that run the same scenes without a window.
//!
//! `cli` parses the command line. `app` is the window: it joins `session`, the simulation on a thread of its own, `ui`, the panels
//! (without wgpu), and the 3D view of the crate `sph-render`. `offscreen` draws pictures without a window; the commands that draw none are in
//! the crates `sph-commands` and `sph-validation`. `command` is every command of the menus with its keys.

pub mod app;
pub mod cli;
pub mod command;
pub mod offscreen;
pub mod session;
pub mod ui;
