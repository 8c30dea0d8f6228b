//! The neighbour search: what can be changed, live, and what it does.

use super::{cells_per_query, numbers, structure};
use crate::command::Command;
use crate::session::Snapshot;
use crate::ui::widgets::{Number, choice_ui, format, hint_ui};
use crate::ui::{Action, Side, State, theme};
use egui::{Button, RichText, Stroke, Ui, vec2};
use sph_core::Discretization;
use sph_core::neighbors::{GridParameters, HashFunction, MAX_TABLE_SIZE, Structure};
use std::time::Duration;

/// Steps longer than this leave the numbers of another grid on the panel for long enough to be mistaken.
const LONG_STEP: Duration = Duration::from_millis(250);

/// The panel's contents.
pub fn grid_panel_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot, actions: &mut Vec<Action>) {
    if state.is_comparing() {
        sides_ui(ui, state, actions);
    }
    let (Some(mut edited), Some(scene)) = (state.edited_grid(), &snapshot.scene) else {
        hint_ui(ui, "No scene is loaded.");
        return;
    };
    let from_scene = scene.setup.parameters.grid;
    let grid = &mut edited;
    let before = *grid;
    let has_table = grid.structure.has_table();
    ui.add_enabled_ui(has_table, |ui| table_size_ui(ui, grid, from_scene.table_size, snapshot.particles.len()));
    ui.add_enabled_ui(grid.structure != Structure::BruteForce, |ui| {
        cell_size_ui(ui, grid, from_scene.cell_size, &scene.setup.discretization);
    });
    let functions = HashFunction::ALL.map(|function| (function, hash_name(function)));
    ui.add_enabled_ui(has_table, |ui| {
        let tooltip = "How a cell's coordinates become a bucket's number.";
        choice_ui(ui, "Hash function", tooltip, &mut grid.hash, &functions);
    });
    structure::structure_ui(ui, grid);
    ui.horizontal(|ui| {
        ui.add_enabled_ui(*grid != from_scene, |ui| {
            let button = ui.button("Reset grid to scene").on_hover_text("Give the whole grid the scene's values.");
            if button.clicked() {
                *grid = from_scene;
            }
        });
        if ui.button("Auto-tune…").on_hover_text(Command::ToggleTuning.tooltip()).clicked() {
            actions.push(Action::Command(Command::ToggleTuning));
        }
    });
    if *grid != before {
        state.edit_grid(edited, actions);
    }
    ui.add_space(4.0);
    let (stats, audit) = match (state.comparing.side, &snapshot.rival) {
        (Side::B, Some(rival)) => (rival.stats.as_ref(), rival.audit),
        _ => (snapshot.stats.as_ref(), snapshot.audit),
    };
    let outdated = stats.is_some_and(|stats| {
        // Steps that are soon over bring new numbers before the old ones can be read.
        let lasting = snapshot.paused || stats.phases.total() > LONG_STEP;
        lasting && stats.search.parameters != edited
    });
    numbers::grid_numbers_ui(ui, stats, audit, outdated);
}

/// Which of two grids everything below is about; and what can be done with both.
fn sides_ui(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    let width = 0.5 * (ui.available_width() - theme::SPACE);
    ui.horizontal(|ui| {
        for side in Side::BOTH {
            let chosen = side == state.comparing.side;
            let (color, outline) = if chosen { (theme::TEXT, theme::side(side)) } else { (theme::TEXT_QUIET, theme::LINE) };
            let button = Button::new(RichText::new(format!("Grid {}", side.name())).color(color))
                .min_size(vec2(width, 24.0))
                .fill(if chosen { theme::side(side).gamma_multiply(0.25) } else { theme::BACKGROUND })
                .stroke(Stroke::new(1.0, outline));
            let tooltip = match side {
                Side::A => "Edit the simulation's own grid, on the left.",
                Side::B => "Edit the grid that it is compared with, on the right.",
            };
            if ui.add(button).on_hover_text(tooltip).clicked() {
                state.comparing.side = side;
            }
        }
    });
    ui.horizontal(|ui| {
        if ui.add(Button::new("Swap").min_size(vec2(width, 0.0))).on_hover_text("Exchange the two grids.").clicked() {
            state.swap_grids(actions);
        }
        let end = ui.add(Button::new("End comparison").min_size(vec2(width, 0.0)));
        let keys = Command::CompareGrids.shortcut_text(ui.ctx());
        if end.on_hover_text(format!("Keep grid A and leave B ({keys}).")).clicked() {
            actions.push(Action::Command(Command::CompareGrids));
        }
    });
    ui.add_space(0.5 * theme::SPACE);
}

fn hash_name(function: HashFunction) -> &'static str {
    match function {
        HashFunction::Muller => "Müller",
        HashFunction::Teschner => "Teschner 2003",
        HashFunction::Morton => "Morton order",
        HashFunction::Mix => "SplitMix64",
    }
}

fn table_size_ui(ui: &mut Ui, grid: &mut GridParameters, scene: u32, particles: usize) {
    let most = (4 * particles).max(grid.table_size as usize).max(scene as usize).next_power_of_two();
    let number = Number {
        label: "Hash table size",
        tooltip: "Number of buckets. A small table makes cells share buckets: more candidates, the same neighbours. A large \
                  one takes memory and time to clear.",
        unit: "",
        slider: 1.0..=(most as f64).min(f64::from(MAX_TABLE_SIZE)),
        allowed: 1.0..=f64::from(MAX_TABLE_SIZE),
        logarithmic: true,
        finest: 1.0,
        scene: f64::from(scene),
        format: |value| format::count(value.round() as u64),
    };
    let mut value = f64::from(grid.table_size);
    if number.ui(ui, &mut value) {
        // In range by the slider and the field; the conversion saturates.
        grid.table_size = (value.round() as u32).clamp(1, MAX_TABLE_SIZE);
    }
}

fn cell_size_ui(ui: &mut Ui, grid: &mut GridParameters, scene: f32, discretization: &Discretization) {
    let support = discretization.support_radius;
    let [low, high] = GridParameters::CELL_SIZE_RANGE.map(|ratio| ratio * support);
    let range = f64::from(low)..=f64::from(high);
    let number = Number {
        label: "Cell spacing",
        tooltip: "Side of a grid cell, from a quarter of the support radius to four times it. Small cells mean more of them \
                  to visit; large ones mean more particles to test.",
        unit: " m",
        slider: range.clone(),
        allowed: range,
        logarithmic: true,
        finest: 1e-6,
        scene: f64::from(scene),
        format: format::length,
    };
    let mut value = f64::from(grid.cell_size);
    if number.ui(ui, &mut value) {
        grid.cell_size = (value as f32).clamp(low, high);
    }
    let cells = cells_per_query(support, grid.cell_size, discretization.dimensions);
    hint_ui(ui, format!("{:.2} × support radius, up to {} cells a query", grid.cell_size / support, format::count(cells)));
    ui.add_space(4.0);
}
