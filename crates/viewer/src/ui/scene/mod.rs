//! Panel "Scene": what the scene is, what is in it, and its files.

mod panel;

pub use panel::scene_panel_ui;
