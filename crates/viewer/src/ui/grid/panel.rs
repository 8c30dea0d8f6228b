//! Grid panel: live parameters of the neighbour search, and its statistics.

use super::{cells_per_query, numbers, structure};
use crate::command::Command;
use crate::ui::widgets::{ParameterRow, format, hint_ui};
use crate::ui::{Action, Model, Side, State, theme};
use egui::{Button, RichText, Stroke, Ui, vec2};
use sph_core::Discretization;
use sph_core::neighbors::{GridParameters, MAX_TABLE_SIZE, Structure};
use sph_core::parameters::Parameters;
use std::time::Duration;

/// Step time above which outdated statistics stay long enough to be marked as such.
const LONG_STEP: Duration = Duration::from_millis(250);

/// Lays out the contents of the panel.
pub fn grid_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    let snapshot = model.snapshot;
    if state.is_comparing() {
        sides_ui(ui, state, actions);
    }
    let (Some(mut edited), Some(scene)) = (state.edited_grid(), &snapshot.scene) else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    let from_scene = &scene.setup.parameters;
    let before = edited;
    let mut parameters = Parameters { grid: edited, ..*from_scene };
    let has_table = edited.structure.has_table();
    ui.add_enabled_ui(has_table, |ui| table_size_ui(ui, &mut parameters, from_scene, snapshot.particles.len()));
    ui.add_enabled_ui(edited.structure != Structure::BruteForce, |ui| {
        cell_size_ui(ui, &mut parameters, from_scene, &scene.setup.discretization);
    });
    ui.add_enabled_ui(has_table, |ui| ParameterRow::of("grid.hash").ui(ui, &mut parameters, from_scene));
    structure::structure_ui(ui, &mut parameters, from_scene);
    edited = parameters.grid;
    ui.horizontal(|ui| {
        ui.add_enabled_ui(edited != from_scene.grid, |ui| {
            let button =
                ui.button("Reset grid to scene").on_hover_text("Reset all grid parameters to the values of the scene.");
            if button.clicked() {
                edited = from_scene.grid;
            }
        });
        if ui.button("Auto-tune…").on_hover_text(Command::ToggleTuning.tooltip()).clicked() {
            actions.push(Action::Command(Command::ToggleTuning));
        }
    });
    if edited != before {
        state.edit_grid(edited, actions);
    }
    ui.add_space(4.0);
    let (stats, audit) = match (state.comparing.side, &snapshot.rival) {
        (Side::B, Some(rival)) => (rival.stats.as_ref(), rival.audit),
        _ => (snapshot.stats.as_ref(), snapshot.audit),
    };
    let outdated = stats.is_some_and(|stats| {
        // Short steps replace the numbers before they can be read.
        let lasting = snapshot.paused || stats.phases.total() > LONG_STEP;
        lasting && stats.search.parameters != edited
    });
    numbers::grid_numbers_ui(ui, stats, audit, outdated);
}

/// Lays out the switch of the edited side, and the buttons of the comparison.
fn sides_ui(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    let width = 0.5 * (ui.available_width() - theme::SPACE);
    ui.horizontal(|ui| {
        for side in Side::BOTH {
            let chosen = side == state.comparing.side;
            let (color, outline) = if chosen {
                (theme::of(ui).text, theme::of(ui).side(side))
            } else {
                (theme::of(ui).text_quiet, theme::of(ui).line)
            };
            let button = Button::new(RichText::new(format!("Grid {}", side.name())).color(color))
                .min_size(vec2(width, 24.0))
                .fill(if chosen { theme::of(ui).side(side).gamma_multiply(0.25) } else { theme::of(ui).background })
                .stroke(Stroke::new(1.0, outline));
            let tooltip = match side {
                Side::A => "Edit grid A, the grid of the simulation, on the left.",
                Side::B => "Edit grid B, the grid compared with it, on the right.",
            };
            if ui.add(button).on_hover_text(tooltip).clicked() {
                state.comparing.side = side;
            }
        }
    });
    ui.horizontal(|ui| {
        if ui.add(Button::new("Swap").min_size(vec2(width, 0.0))).on_hover_text("Swap grids A and B.").clicked() {
            state.swap_grids(actions);
        }
        let end = ui.add(Button::new("End comparison").min_size(vec2(width, 0.0)));
        let keys = Command::CompareGrids.shortcut_text(ui.ctx());
        if end.on_hover_text(format!("Keep grid A and remove grid B ({keys}).")).clicked() {
            actions.push(Action::Command(Command::CompareGrids));
        }
    });
    ui.add_space(0.5 * theme::SPACE);
}

fn table_size_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, particles: usize) {
    let [table_size, of_scene] = [&*parameters, scene].map(|parameters| parameters.grid.table_size as usize);
    let most = (4 * particles).max(table_size).max(of_scene).next_power_of_two();
    ParameterRow::of("grid.table_size").slider(1.0..=(most as f64).min(f64::from(MAX_TABLE_SIZE))).ui(ui, parameters, scene);
}

fn cell_size_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, discretization: &Discretization) {
    let support = discretization.support_radius;
    let [low, high] = GridParameters::CELL_SIZE_RANGE.map(|ratio| ratio * support);
    let range = f64::from(low)..=f64::from(high);
    let usual = GridParameters::USUAL_CELL_SIZES;
    let words = format!("Range: 1/4 to 4 support radii; usually {} to {} (the green band).", usual[0], usual[1]);
    let row = ParameterRow::of("grid.cell_size").more(&words).format(format::length);
    let row = row.usual(usual.map(|ratio| f64::from(ratio * support)));
    if row.slider(range.clone()).allowed(range).ui(ui, parameters, scene) {
        parameters.grid.cell_size = parameters.grid.cell_size.clamp(low, high);
    }
    let grid = &parameters.grid;
    let cells = cells_per_query(support, grid.cell_size, discretization.dimensions);
    hint_ui(ui, format!("{:.2} × support radius, up to {} cells per query", grid.cell_size / support, format::count(cells)));
    ui.add_space(4.0);
}
