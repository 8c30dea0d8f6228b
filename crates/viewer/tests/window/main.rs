//! The real window, under a display of its own, driven with mouse and keyboard while its picture and the statistics of the running
//! simulation are followed. Each action is confirmed by either before the next, however long the machine takes.
//!
//! Needs Xvfb and xdotool (`cargo xtask test` installs them), and fails where they are missing.
#![cfg(target_os = "linux")]

mod auto_tune;
mod display;
mod idle;
mod layout;
mod mouse;
#[path = "../panels/mod.rs"]
mod panels;
mod pictures;
mod statistics;
#[path = "../integration/ui/trials.rs"]
#[allow(dead_code, reason = "shared with the tests of the panels")]
mod trials;
mod window;
