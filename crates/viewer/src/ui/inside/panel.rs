//! The section of the side panel on looking into the grid.

use crate::command::Command;
use crate::grid_boxes::CellColoring;
use crate::render::scene_bounds;
use crate::ui::widgets::{NumberRow, choice_ui, format, hint_ui};
use crate::ui::{GridView, Model, theme};
use egui::{RichText, Ui};
use sph_core::neighbors::Structure;
use sph_io::Scene;

/// The section of the side panel.
pub fn grid_view_ui(ui: &mut Ui, view: &mut GridView, model: &Model<'_>) {
    let Some(scene) = &model.snapshot.scene else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    toggle_ui(ui, &mut view.cells, Command::ToggleCells);
    ui.add_enabled_ui(view.cells, |ui| {
        let all = [
            (CellColoring::Occupancy, "Particles"),
            (CellColoring::Bucket, "Bucket"),
            (CellColoring::Collision, "Collisions"),
        ];
        let tooltip = "By how many particles a cell holds; by its bucket, so that cells which share one have the same colour; or by \
                       whether it has to share.";
        choice_ui(ui, "Coloured by", tooltip, &mut view.coloring, &all);
    });
    toggle_ui(ui, &mut view.sliced, Command::ToggleSlice);
    ui.add_enabled_ui(view.sliced, |ui| slice_ui(ui, view, scene));
    toggle_ui(ui, &mut view.map, Command::ToggleBucketMap);
    hint_ui(ui, hint(view, model));
    if let Some(costs) = model.overlay {
        ui.add_space(0.5 * theme::SPACE);
        ui.label(RichText::new(costs.text()).small().color(theme::TEXT_QUIET)).on_hover_text(
            "What looking costs: reading the grid takes time of the simulation's thread, drawing its cells is a part of each frame. \
             Drawing the particles is given for comparison.",
        );
    }
}

/// What there is to do, or why there is nothing to see.
fn hint(view: &GridView, model: &Model<'_>) -> String {
    let structure = model.snapshot.inspection.as_ref().map(|inspection| inspection.grid.structure);
    match view.selected {
        Some(id) => format!("Following the query of particle {}; Esc lets it go.", format::count(id.into())),
        None if view.cells && structure == Some(Structure::BruteForce) => "Brute force has no cells to show.".to_owned(),
        None => "Click a particle to follow its query.".to_owned(),
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
    choice_ui(ui, "Cut across", "The axis that the layer is perpendicular to.", &mut view.axis, &axes[..usable]);
    let axis = view.axis.min(usable - 1);
    let range = f64::from(min[axis])..=f64::from(max[axis]);
    let number = NumberRow {
        label: "At",
        tooltip: "Where the layer lies. It is one cell thick; the particles outside it are hidden.",
        unit: " m",
        slider: range.clone(),
        allowed: range,
        logarithmic: false,
        finest: 1e-3,
        scene: f64::from(0.5 * (min[axis] + max[axis])),
        format: format::length,
    };
    let mut value = f64::from(view.place[axis]);
    if number.ui(ui, &mut value) {
        view.place[axis] = value as f32;
    }
}
