//! Time step panel: its parameters, what has set the length of the last steps, and the speed of the simulation.

use super::group_panel::group_panel_ui;
use super::groups::Group;
use super::limit::limit_text;
use crate::session::Snapshot;
use crate::ui::widgets::{format, hint_ui, value_ui};
use crate::ui::{Action, Model, State, theme};
use egui::{CollapsingHeader, ProgressBar, RichText, Ui};
use sph_core::{Method, StepStats};

/// Lays out the contents of the panel.
pub fn time_step_panel_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, actions: &mut Vec<Action>) {
    if !group_panel_ui(ui, Group::TimeStep, state, model, actions) {
        return;
    }
    let snapshot = model.snapshot;
    CollapsingHeader::new(RichText::new("Length of the steps").strong()).default_open(true).show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        match &snapshot.stats {
            Some(stats) => numbers_ui(ui, stats, snapshot),
            None => hint_ui(ui, "Available after the first step."),
        }
    });
    CollapsingHeader::new(RichText::new("Limits of the last second").strong()).default_open(true).show_unindented(ui, |ui| {
        let shares = snapshot.history.last_second().shares();
        if shares.is_empty() {
            hint_ui(ui, "Available after the first step.");
        }
        for (limit, share) in shares {
            let text = RichText::new(format!("{}: {:.0} %", limit_text(limit), 100.0 * share)).small();
            let bar = ui.add(ProgressBar::new(share).text(text).fill(theme::of(ui).accent_dim));
            bar.on_hover_text("Share of the steps whose length this criterion has set.");
        }
    });
}

fn numbers_ui(ui: &mut Ui, stats: &StepStats, snapshot: &Snapshot) {
    let dt = f64::from(stats.dt);
    value_ui(ui, "Time step", &format::seconds(dt), "Time step Δt of the latest step.");
    let recent = snapshot.history.last_second();
    let mean = recent.mean(recent.simulated);
    if mean > 0.0 {
        value_ui(ui, "Time step, mean", &format::seconds(mean), "Mean time step over the last second.");
    }
    value_ui(ui, "Limited by", limit_text(stats.dt_limit), "Criterion that limits the time step.");
    if let Some(bound) = stats.dt_exceeds {
        let (limit, allowed) = (limit_text(bound.limit), format::seconds(f64::from(bound.dt)));
        let warning = format!("Above a stability limit: {limit} allows {allowed}. The simulation may become unstable.");
        ui.label(RichText::new(warning).small().color(theme::of(ui).warning));
    }
    if let (Some(scene), Some(parameters)) = (&snapshot.scene, &snapshot.parameters) {
        let spacing = f64::from(scene.setup.discretization.particle_spacing);
        let (sound, formula) = match parameters.solver.method {
            Method::Wcsph => (f64::from(parameters.fluid.sound_speed), "(c₀ + v) Δt / Δx"),
            _ => (0.0, "v Δt / Δx"),
        };
        let number = (sound + f64::from(stats.max_speed)) * dt / spacing;
        let tooltip = format!(
            "{formula}: spacings that the fastest particle, and sound with weakly compressible fluid, goes in the latest step; \
             v is the maximum speed, Δx the particle spacing."
        );
        value_ui(ui, "CFL number", &format::significant(number), &tooltip);
    }
    let rates = snapshot.rates;
    let tooltip = "Simulated time per wall-clock time, with the limit that the bar below the 3D view sets.";
    value_ui(ui, "Real-time factor", &format!("× {}", format::significant(rates.speed)), tooltip);
    let steps = format!("{:.0} steps/s", rates.steps_per_second);
    value_ui(ui, "Speed", &steps, "Steps per second of wall-clock time.");
}
