//! Solver panel: the pressure solver with its parameters; iterations and residual of its steps.

use super::group_panel::group_panel_ui;
use super::groups::Group;
use crate::session::Snapshot;
use crate::ui::widgets::{format, hint_ui, value_ui};
use crate::ui::{Action, Model, State, plots};
use egui::{CollapsingHeader, RichText, Ui};

/// Lays out the contents of the panel.
pub fn solver_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    if !group_panel_ui(ui, Group::Solver, state, model, actions) {
        return;
    }
    CollapsingHeader::new(RichText::new("Pressure solve").strong()).default_open(true).show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        if numbers_ui(ui, model.snapshot) {
            plots::solve_plots_ui(ui, &model.snapshot.history);
        } else {
            hint_ui(ui, "Pressure follows from the density at once (an equation of state): no iterations, no residual.");
        }
    });
}

/// Lays out iterations and residual of the latest step; false, without them, if its solver does not iterate.
fn numbers_ui(ui: &mut Ui, snapshot: &Snapshot) -> bool {
    let Some(stats) = snapshot.stats.as_ref().filter(|stats| stats.density_solve.iterations > 0) else { return false };
    let (density, divergence) = (stats.density_solve, stats.divergence_solve);
    let count = match divergence.iterations {
        0 => density.iterations.to_string(),
        before => format!("{before} + {}", density.iterations),
    };
    let tooltip = "Pressure iterations of the latest step; with two numbers: divergence solve + density solve.";
    value_ui(ui, "Iterations", &count, tooltip);
    let recent = snapshot.history.last_second();
    let mean = recent.mean(f64::from(recent.iterations[0] + recent.iterations[1]));
    value_ui(ui, "Iterations, mean", &format!("{mean:.1}"), "Iterations per step, over the last second.");
    let residual = format!("{:.4} %, at most {:.2} %", 100.0 * density.error, 100.0 * density.max_error);
    let tooltip = "Relative density error after the iterations of the density solve: mean and maximum over the particles.";
    value_ui(ui, "Residual", &residual, tooltip);
    let solve = stats.viscosity_solve;
    if solve.iterations > 0 {
        let tooltip = "Iterations of the implicit viscosity in the latest step.";
        value_ui(ui, "Viscosity iterations", &format::count(u64::from(solve.iterations)), tooltip);
    }
    true
}
