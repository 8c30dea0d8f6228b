//! Foam, spray and bubbles: the switch, their parameters, their number.

use crate::session::ShownFoam;
use crate::ui::theme;
use crate::ui::widgets::{ParameterRow, format, value_ui};
use egui::{RichText, Ui};
use sph_core::parameters::{Parameter, Parameters};
use sph_core::{FoamModel, FoamParameters};

/// Keys of the parameters that are always in view.
const FIRST: [&str; 4] = ["foam.trapped_air_rate", "foam.crest_rate", "foam.lifetime", "foam.speed"];

/// Lays out the switch, and if it is on the parameters and the number of particles.
pub fn foam_ui(ui: &mut Ui, parameters: &mut Parameters, scene: &Parameters, shown: &ShownFoam) {
    let mut on = parameters.foam.model != FoamModel::None;
    let tooltip = "White particles where the fluid traps air or a crest breaks, carried by the flow (Ihmsen 2012). They do not act on \
                   the fluid.";
    if ui.checkbox(&mut on, "Foam, spray and bubbles").on_hover_text(tooltip).changed() {
        parameters.foam.model = if on { FoamModel::Ihmsen } else { FoamModel::None };
    }
    ui.add_space(4.0);
    if !on {
        return;
    }
    let count = shown.particles.len() as u64;
    let number = format!("{} of {}", format::count(count), format::count(parameters.foam.limit.into()));
    value_ui(ui, "Particles", &number, "Present number of particles of foam, spray and bubbles, and their limit.");
    if shown.held_back > 0 {
        let text = format!("The limit has held back {}.", format::count(shown.held_back));
        ui.label(RichText::new(text).small().color(theme::WARNING));
    }
    for key in FIRST {
        ParameterRow::of(key).ui(ui, parameters, scene);
    }
    egui::CollapsingHeader::new("Thresholds, bubbles, limit").show(ui, |ui| {
        let rest = |parameter: &&Parameter<Parameters>| {
            parameter.group() == FoamParameters::GROUP && parameter.key != "foam.model" && !FIRST.contains(&parameter.key)
        };
        for parameter in Parameters::table().iter().filter(rest) {
            ParameterRow::new(parameter).ui(ui, parameters, scene);
        }
    });
}
