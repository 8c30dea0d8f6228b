//! Panel of one group: all its parameters that have an effect, and a button that restores the scene's.

use super::groups::Group;
use super::rows::row_ui;
use super::view::FluidView;
use crate::ui::widgets::hint_ui;
use crate::ui::{Action, Model, State};
use egui::Ui;

/// Lays out the parameters of `group`; false, with a hint, without a scene.
pub(super) fn group_panel_ui(
    ui: &mut Ui,
    group: Group,
    state: &mut State,
    model: &Model<'_>,
    actions: &mut Vec<Action>,
) -> bool {
    let (Some(mut parameters), Some(scene)) = (state.parameters, &model.snapshot.scene) else {
        hint_ui(ui, "No scene is loaded.");
        return false;
    };
    let (before, from_scene) = (parameters, state.scene_parameters(scene));
    let rows = group.rows(&parameters, &FluidView { all: true, ..FluidView::default() });
    for &row in &rows {
        row_ui(ui, row, &mut parameters, &from_scene, model.snapshot, scene);
    }
    ui.add_space(4.0);
    let changed: Vec<_> = rows.into_iter().filter(|row| row.get(&parameters) != row.get(&from_scene)).collect();
    let name = format!("Reset {} to scene", group.title().to_lowercase());
    let button = ui.add_enabled(!changed.is_empty(), egui::Button::new(name));
    if button.on_hover_text("The parameters of this panel. The simulation continues.").clicked() {
        for row in changed {
            row.set(&mut parameters, row.get(&from_scene));
        }
    }
    ui.add_space(4.0);
    if parameters != before {
        state.edit(parameters, actions);
    }
    true
}
