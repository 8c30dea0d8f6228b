//! The real window, under a display of its own, driven with mouse and keyboard while its picture and the statistics of the running
//! simulation are followed. Each action is confirmed by either before the next, however long the machine takes.
//!
//! Needs Xvfb and xdotool (`cargo xtask test` installs them), and fails where they are missing.
#![cfg(target_os = "linux")]

mod display;
#[path = "../panels/mod.rs"]
mod panels;
mod session;
mod window;
