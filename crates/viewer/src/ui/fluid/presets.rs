//! Row of the presets at the top of the panel Solver.

use crate::ui::theme;
use egui::{RichText, Sides, Ui};
use sph_core::Preset;
use sph_core::parameters::{Choice, Parameters};

/// Lays out a button for each preset, the one pressed whose values `parameters` have.
pub(super) fn presets_ui(ui: &mut Ui, parameters: &mut Parameters) {
    let current = Preset::of(parameters);
    Sides::new().shrink_left().truncate().show(
        ui,
        |ui| {
            ui.label("Preset").on_hover_text(
                "Trade-off between accuracy and speed: sets the solver, its tolerances and warm start, the time-step factor and the maximum \
                 time step. The simulation continues. In a scene: preset = \"live\". A fixed time step stays.",
            );
            if current.is_none() {
                ui.label(RichText::new("custom").color(theme::of(ui).text_quiet))
                    .on_hover_text("The values are not those of a preset.");
            }
        },
        |ui| {
            // The layout runs from right to left.
            for &preset in Preset::VALUES.iter().rev() {
                let option = preset.option();
                let button = ui.selectable_label(current == Some(preset), option.label).on_hover_text(option.documentation.trim());
                if button.clicked() {
                    preset.apply(parameters);
                }
            }
        },
    );
    ui.add_space(4.0);
}
