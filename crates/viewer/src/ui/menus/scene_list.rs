//! List of scenes to open.

use crate::ui::widgets::menu_row;
use crate::ui::{Action, Model, SceneEntry, theme};
use egui::{RichText, Ui};

/// Lays out one row per scene, with a tick at the loaded one.
pub fn scene_list_ui(ui: &mut Ui, model: &Model<'_>, actions: &mut Vec<Action>) {
    if model.scenes.is_empty() {
        ui.label(RichText::new("No folder scenes/ in the current folder.").color(theme::of(ui).text_quiet));
    }
    let current = model.snapshot.scene.as_ref().and_then(|scene| scene.path.as_deref());
    for SceneEntry { path, title } in model.scenes {
        let row = menu_row(ui, Some(current == Some(path)), title, String::new());
        if row.on_hover_text(path.display().to_string()).clicked() {
            actions.push(Action::Load(path.clone()));
        }
    }
}
