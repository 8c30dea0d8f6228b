//! Sign of a film over the 3D view.

use super::FilmInProgress;
use crate::command::Command;
use crate::ui::theme;
use egui::{Frame, Label, Margin, RichText, Ui};

/// Lays out the sign while one is made.
pub fn badge_ui(ui: &mut Ui, film: Option<&FilmInProgress>) {
    let Some(FilmInProgress { progress, .. }) = film else { return };
    let keys = Command::ToggleFilm.shortcut_text(ui.ctx());
    let text = format!("\u{25cf} Film: {:5} pictures   {keys} ends it", progress.written);
    let color = if progress.left_out > 0 { theme::of(ui).warning } else { theme::of(ui).error };
    let frame = Frame::new().fill(theme::of(ui).background.gamma_multiply(0.85)).corner_radius(6);
    frame.inner_margin(Margin::symmetric(8, 4)).outer_margin(Margin::symmetric(0, 2)).show(ui, |ui| {
        ui.add(Label::new(RichText::new(text).monospace().size(12.0).color(color)).wrap());
    });
}
