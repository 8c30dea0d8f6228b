//! Menu of lessons, in the top bar and the help window.

use super::list::LESSONS;
use super::progress::Progress;
use crate::session::Snapshot;
use crate::ui::{State, theme};
use egui::text::LayoutJob;
use egui::{Align, Button, FontId, TextFormat, Ui};

/// Lays out one row per lesson: title and summary. Returns true if one was started.
pub fn lessons_ui(ui: &mut Ui, state: &mut State, snapshot: &Snapshot) -> bool {
    let mut begun = false;
    ui.add_enabled_ui(snapshot.scene.is_some(), |ui| {
        for lesson in LESSONS {
            let mut text = LayoutJob::default();
            let format = |size, color| TextFormat {
                font_id: FontId::proportional(size),
                color,
                valign: Align::Center,
                ..Default::default()
            };
            text.append(lesson.title, 0.0, format(13.0, theme::of(ui).text));
            text.append("\n", 0.0, format(11.0, theme::of(ui).text));
            text.append(lesson.summary, 0.0, format(11.0, theme::of(ui).text_quiet));
            let is_current = state.lesson.as_ref().is_some_and(|progress| progress.lesson().title == lesson.title);
            let row = ui.add(Button::selectable(is_current, text).wrap_mode(egui::TextWrapMode::Extend));
            if row.on_disabled_hover_text("Open a scene first.").clicked() {
                state.lesson = Progress::begin(lesson, snapshot);
                begun = true;
            }
        }
    });
    begun
}
