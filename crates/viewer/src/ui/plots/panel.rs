//! Panel of the plots, and the choice of what they show.

use super::costs::costs_ui;
use super::plotted::Plotted;
use super::probes::{probes_ui, readings_ui};
use crate::ui::{Action, Model, State, theme};
use egui::{RichText, Ui, vec2};

/// Width of the choice, points.
const TABS_WIDTH: f32 = 52.0;

/// Width of a panel, points, below which a scene without probes has no choice: the costs need the room.
const NARROW: f32 = 400.0;

/// Lays out the plots: costs for the grid of the edited side with a quantity of the grid, the motion, or the probes.
pub fn plots_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, _: &mut Vec<Action>) {
    let (snapshot, side) = (model.snapshot, state.comparing.side);
    let State { plotted, quantity, .. } = state;
    if ui.available_width() < NARROW && snapshot.readings.curves().is_empty() {
        *plotted = Plotted::Costs;
        return costs_ui(ui, snapshot, side, quantity);
    }
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(TABS_WIDTH);
            for (tab, name) in [(Plotted::Costs, "Cost"), (Plotted::Motion, "Motion"), (Plotted::Probes, "Probes")] {
                let button = egui::Button::selectable(*plotted == tab, RichText::new(name).small());
                if ui.add(button.min_size(vec2(TABS_WIDTH, 0.0))).clicked() {
                    *plotted = tab;
                }
            }
        });
        ui.add_space(0.5 * theme::SPACE);
        match plotted {
            Plotted::Costs => costs_ui(ui, snapshot, side, quantity),
            Plotted::Motion => readings_ui(ui, &snapshot.motion, snapshot.time),
            Plotted::Probes => probes_ui(ui, snapshot),
        }
    });
}
