//! Foam, spray and bubbles: their number.

use crate::session::ShownFoam;
use crate::ui::theme;
use crate::ui::widgets::{format, value_ui};
use egui::{RichText, Ui};
use sph_core::FoamModel;
use sph_core::parameters::Parameters;

/// Lays out the number of particles of foam, if there is any.
pub fn numbers_ui(ui: &mut Ui, parameters: &Parameters, shown: &ShownFoam) {
    if parameters.foam.model == FoamModel::None {
        return;
    }
    let count = shown.particles.len() as u64;
    let number = format!("{} of {}", format::count(count), format::count(parameters.foam.limit.into()));
    value_ui(ui, "Particles", &number, "Present number of particles of foam, spray and bubbles, and their limit.");
    if shown.held_back > 0 {
        let text = format!("The limit has held back {}.", format::count(shown.held_back));
        ui.label(RichText::new(text).small().color(theme::of(ui).warning));
    }
}
