//! The scenes that can be opened with one click.

use super::icons::tick_button;
use super::{Action, Model, theme};
use egui::{RichText, Ui};
use std::path::PathBuf;

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

/// One row a scene, with a tick at the one that runs.
pub fn scene_list_ui(ui: &mut Ui, model: &Model<'_>, actions: &mut Vec<Action>) {
    if model.scenes.is_empty() {
        ui.label(RichText::new("There is no folder scenes/ here.").color(theme::TEXT_QUIET));
    }
    let current = model.snapshot.scene.as_ref().and_then(|scene| scene.path.as_deref());
    for SceneEntry { path, title } in model.scenes {
        let row = tick_button(ui, current == Some(path), title, String::new());
        if row.on_hover_text(path.display().to_string()).clicked() {
            actions.push(Action::Load(path.clone()));
        }
    }
}
