//! Parameters that follow curves of the scene.

use crate::ui::widgets::hint_ui;
use crate::ui::{Action, State};
use egui::Ui;
use sph_core::parameters::Parameters;

/// Lays out a check box for each curve: on it, the parameter follows. Editing a parameter takes it off.
pub fn curves_ui(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    if state.curves.is_empty() {
        return;
    }
    let mut off = state.off_curve.clone();
    for &key in &state.curves {
        let mut follows = !off.contains(&key);
        let label = format!("{} follows its curve", Parameters::entry(key).label);
        let tooltip = "The value changes over time as the scene says. Editing it below takes it off the curve.";
        if ui.checkbox(&mut follows, label).on_hover_text(tooltip).changed() {
            if follows { off.retain(|&other| other != key) } else { off.push(key) }
        }
    }
    state.set_off_curve(off, actions);
    if !state.off_curve.is_empty() {
        hint_ui(ui, "Saving replaces the curves that are switched off by the present values.");
    }
    ui.add_space(4.0);
}
