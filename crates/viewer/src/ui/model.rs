//! Model: input data of the panels in one frame.

use super::OverlayCosts;
use crate::session::Snapshot;
use std::path::PathBuf;

/// Input data of the panels in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// State of the simulation.
    pub snapshot: &'a Snapshot,
    /// Scenes listed in the menu.
    pub scenes: &'a [SceneEntry],
    /// Values at the two ends of the colour map.
    pub range: [f32; 2],
    /// True if values lie below the range, and above it.
    pub beyond_range: [bool; 2],
    /// Cost of the grid overlay; `None` without an overlay.
    pub overlay: Option<OverlayCosts>,
    /// Frames per second.
    pub frames_per_second: f32,
    /// Description of the graphics adapter.
    pub adapter: &'a str,
}

/// A scene in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneEntry {
    /// Path of the file.
    pub path: PathBuf,
    /// Title, or the file name if the scene has none or cannot be read.
    pub title: String,
}

impl SceneEntry {
    /// The scene at `path`, named by `title` or else by the file.
    pub fn new(path: PathBuf, title: Option<String>) -> Self {
        let name = || path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().replace('_', " ");
        let title = title.filter(|title| !title.trim().is_empty()).unwrap_or_else(name);
        Self { path, title }
    }
}
