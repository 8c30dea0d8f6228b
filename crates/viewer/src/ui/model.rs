//! The model: what the panels show, all of it there before they are laid out.

use super::OverlayCosts;
use crate::session::Snapshot;
use std::path::PathBuf;

/// What the panels show.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The simulation.
    pub snapshot: &'a Snapshot,
    /// The scenes that the menu lists.
    pub scenes: &'a [SceneEntry],
    /// The values at the two ends of the colour map.
    pub range: [f32; 2],
    /// Whether values lie below that range, and above it.
    pub beyond_range: [bool; 2],
    /// What looking into the grid costs; none while nobody looks.
    pub overlay: Option<OverlayCosts>,
    /// Pictures per second.
    pub frames_per_second: f32,
    /// The graphics adapter in words.
    pub adapter: &'a str,
}

/// A scene in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneEntry {
    /// Its file.
    pub path: PathBuf,
    /// Its title, or its file's name where it cannot be read.
    pub title: String,
}

impl SceneEntry {
    /// The scene at `path`.
    pub fn new(path: PathBuf, title: Option<String>) -> Self {
        let name = || path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().replace('_', " ");
        let title = title.filter(|title| !title.trim().is_empty()).unwrap_or_else(name);
        Self { path, title }
    }
}
