//! Panels "Solver" and "Time step": the pressure solver with its parameters, iterations and residual; what has set the length of the
//! last steps, and the speed of the simulation.

use super::group_panel_ui;
use crate::session::Snapshot;
use crate::ui::widgets::{format, hint_ui, value_ui};
use crate::ui::{Action, Model, State, plots, theme};
use egui::{CollapsingHeader, ProgressBar, RichText, Ui};
use sph_core::parameters::{Group, Parameters};
use sph_core::{Method, StepStats};

// Solver panel: the pressure solver with its parameters; iterations and residual of its steps.

/// Lays out the contents of the panel.
pub fn solver_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    if !group_panel_ui(ui, Group::Solver, state, model, actions) {
        return;
    }
    CollapsingHeader::new(RichText::new("Pressure solve").strong()).default_open(true).show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        if solve_numbers_ui(ui, model.snapshot) {
            plots::solve_plots_ui(ui, &model.snapshot.step_costs);
        } else {
            hint_ui(ui, "Pressure follows directly from the density (equation of state): no iterations, no residual.");
        }
    });
}

/// Lays out iterations and residual of the latest step; false, without them, if its solver does not iterate.
fn solve_numbers_ui(ui: &mut Ui, snapshot: &Snapshot) -> bool {
    let Some(stats) = snapshot.stats.as_ref().filter(|stats| stats.density_solve.iterations > 0) else { return false };
    let (density, divergence) = (stats.density_solve, stats.divergence_solve);
    let count = match divergence.iterations {
        0 => density.iterations.to_string(),
        before => format!("{before} + {}", density.iterations),
    };
    let tooltip = "Pressure iterations of the latest step; with two numbers: divergence solve + density solve.";
    value_ui(ui, "Iterations", &count, tooltip);
    let recent = snapshot.step_costs.last_second();
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

// Time step panel: its parameters, what has set the length of the last steps, and the speed of the simulation.

/// Lays out the contents of the panel.
pub fn time_step_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    if !group_panel_ui(ui, Group::TimeStep, state, model, actions) {
        return;
    }
    let snapshot = model.snapshot;
    CollapsingHeader::new(RichText::new("Step length").strong()).default_open(true).show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        match &snapshot.stats {
            Some(stats) => step_numbers_ui(ui, stats, snapshot),
            None => hint_ui(ui, "Available after the first step."),
        }
    });
    CollapsingHeader::new(RichText::new("Limits in the last second").strong()).default_open(true).show_unindented(ui, |ui| {
        let shares = snapshot.step_costs.last_second().shares();
        if shares.is_empty() {
            hint_ui(ui, "Available after the first step.");
        }
        for (limit, share) in shares {
            let text = RichText::new(format!("{}: {:.0} %", limit.label(), 100.0 * share)).small();
            let bar = ui.add(ProgressBar::new(share).text(text).fill(theme::of(ui).accent_dim));
            bar.on_hover_text("Share of steps limited by this criterion.");
        }
    });
}

fn step_numbers_ui(ui: &mut Ui, stats: &StepStats, snapshot: &Snapshot) {
    let dt = f64::from(stats.dt);
    value_ui(ui, "Time step", &format::seconds(dt), "Time step Δt of the latest step.");
    let recent = snapshot.step_costs.last_second();
    let mean = recent.mean(recent.simulated);
    if mean > 0.0 {
        value_ui(ui, "Time step, mean", &format::seconds(mean), "Mean time step over the last second.");
    }
    if stats.acoustic_steps > 0 {
        let tooltip = "Steps of sound in the latest step, for one neighbour search.";
        value_ui(ui, "Acoustic steps", &stats.acoustic_steps.to_string(), tooltip);
    }
    value_ui(ui, "Limited by", stats.dt_limit.label(), "Criterion that limits the time step.");
    if let Some(bound) = stats.dt_exceeds {
        let (limit, allowed) = (bound.limit.label(), format::seconds(f64::from(bound.dt)));
        let warning = format!("Above a stability limit: the {limit} allows {allowed}. The simulation may become unstable.");
        ui.label(RichText::new(warning).small().color(theme::of(ui).warning));
    }
    if let (Some(scene), Some(parameters)) = (&snapshot.scene, &snapshot.parameters) {
        let spacing = f64::from(scene.setup.discretization.particle_spacing);
        let (sound, formula) = match parameters.solver.method {
            Method::Wcsph => (f64::from(parameters.fluid.sound_speed), "(c₀ + v) Δt / Δx"),
            _ => (0.0, "v Δt / Δx"),
        };
        let number = (sound + f64::from(stats.max_speed)) * dt / spacing / f64::from(stats.acoustic_steps.max(1));
        let tooltip = format!(
            "{formula}: spacings travelled in the latest step by the fastest particle, or in one of its acoustic steps by that and \
                sound; v is the maximum speed, Δx the particle spacing."
        );
        value_ui(ui, "CFL number", &format::significant(number), &tooltip);
    }
    let rates = snapshot.rates;
    let tooltip = "Simulated time per wall-clock time; the bar below the 3D view sets its limit.";
    value_ui(ui, "Real-time factor", &format!("{}×", format::significant(rates.speed)), tooltip);
    let steps = format!("{} steps/s", format::grouped(rates.steps_per_second.round()));
    value_ui(ui, "Speed", &steps, "Steps per second of wall-clock time.");
}

// Softness of weakly compressible fluid: its speed of sound against its own speed.

/// Mean density error above which the speed of sound is too low.
const MAX_DENSITY_ERROR: f32 = 0.01;

/// Ratio of the speed of sound to the maximum speed that keeps the density within 1 % (Monaghan1994).
const SUFFICIENT: f32 = 10.0;

/// Stiffness of the fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stiffness {
    /// Ten times the maximum speed, or more.
    Sufficient,
    /// Less, but the fluid is compressed by less than 1 %, which is what the ratio is for.
    WithoutCompression,
    /// Five to ten times.
    SomewhatLow,
    /// Less, and the fluid is compressed.
    TooLow,
    /// The fluid is faster than its speed of sound.
    Unstable,
}

/// Stiffness of the fluid in the latest step, and the ratio of the speed of sound to the maximum speed; `None` with a solver that
/// has no speed of sound, and for fluid at rest.
pub fn stiffness(parameters: &Parameters, stats: Option<&StepStats>) -> Option<(Stiffness, f32)> {
    let stats = stats.filter(|stats| stats.max_speed > 0.0 && parameters.solver.method == Method::Wcsph)?;
    let ratio = parameters.fluid.sound_speed / stats.max_speed;
    let stiffness = match ratio {
        ..1.0 => Stiffness::Unstable,
        SUFFICIENT.. => Stiffness::Sufficient,
        _ if stats.density_error < MAX_DENSITY_ERROR => Stiffness::WithoutCompression,
        5.0.. => Stiffness::SomewhatLow,
        _ => Stiffness::TooLow,
    };
    Some((stiffness, ratio))
}
