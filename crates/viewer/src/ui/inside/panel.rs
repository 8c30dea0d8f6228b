//! Panel "Inspector".

use crate::command::Command;
use crate::grid_boxes::CellColoring;
use crate::render::scene_bounds;
use crate::ui::widgets::{NumberRow, choice_ui, format, hint_ui};
use crate::ui::{Action, GridView, Model, State, theme};
use egui::{RichText, Ui};
use sph_core::neighbors::Structure;
use sph_io::Scene;

/// Lays out the section.
pub fn grid_view_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, _: &mut Vec<Action>) {
    let view = &mut state.view;
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    toggle_ui(ui, &mut view.cells, Command::ToggleCells);
    ui.add_enabled_ui(view.cells, |ui| {
        let all =
            [(CellColoring::Occupancy, "Particles"), (CellColoring::Bucket, "Bucket"), (CellColoring::Collision, "Collisions")];
        let tooltip = "Particles: number of particles in the cell. Bucket: cells of the same bucket have the same colour. \
                       Collisions: number of cells in the same bucket.";
        choice_ui(ui, "Cell colour", tooltip, &mut view.coloring, &all);
    });
    ui.add_enabled_ui(view.cells, |ui| toggle_ui(ui, &mut view.sliced, Command::ToggleSlice));
    ui.add_enabled_ui(view.cells && view.sliced, |ui| slice_ui(ui, view, scene));
    toggle_ui(ui, &mut view.map, Command::ToggleBucketMap);
    hint_ui(ui, hint(view, model));
    if let Some(costs) = model.overlay {
        ui.add_space(0.5 * theme::SPACE);
        ui.label(RichText::new(costs.text()).small().color(theme::of(ui).text_quiet)).on_hover_text(
            "Cost of this view: drawing the cells, in each frame, and copying the contents of the grid, on the simulation \
             thread. The time for the particles is given for comparison.",
        );
    }
}

/// Hint on the next action, or the reason for an empty view.
fn hint(view: &GridView, model: &Model<'_>) -> String {
    let structure = model.snapshot.inspection.as_ref().map(|inspection| inspection.grid.structure);
    match view.selected {
        Some(id) => format!("Showing the query of particle {}. Esc closes it.", format::count(id.into())),
        None if view.cells && structure == Some(Structure::BruteForce) => "Brute force has no cells.".to_owned(),
        None => "Click a particle to show its query.".to_owned(),
    }
}

fn toggle_ui(ui: &mut Ui, on: &mut bool, command: Command) {
    let tooltip = format!("{} ({})", command.tooltip(), command.shortcut_text(ui.ctx()));
    ui.checkbox(on, command.label()).on_hover_text(tooltip);
}

fn slice_ui(ui: &mut Ui, view: &mut GridView, scene: &Scene) {
    let (min, max) = scene_bounds(&scene.setup);
    let axes = [(0, "x"), (1, "y"), (2, "z")];
    let usable = scene.setup.discretization.dimensions.count();
    choice_ui(ui, "Slice normal", "Axis perpendicular to the slice.", &mut view.axis, &axes[..usable]);
    let axis = view.axis.min(usable - 1);
    let range = f64::from(min[axis])..=f64::from(max[axis]);
    let number = NumberRow {
        label: "Slice position",
        tooltip: "Position of the slice along its normal. It is one cell thick; particles outside it are hidden.",
        unit: " m",
        slider: range.clone(),
        allowed: range,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(0.5 * (min[axis] + max[axis])),
        usual: None,
        format: format::length,
    };
    let mut value = f64::from(view.place[axis]);
    if number.ui(ui, &mut value) {
        view.place[axis] = value as f32;
    }
}
