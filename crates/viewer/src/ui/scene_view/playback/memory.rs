//! Memory of the kept moments, and the bound on it.

use crate::session::Timeline;
use crate::ui::widgets::{format, hint_ui};
use crate::ui::{Action, theme};
use egui::{DragValue, RichText, Ui};

/// Bytes of a unit of the field.
const MEBIBYTE: u64 = 1 << 20;

/// Largest memory that can be asked for, in units of the field.
const MOST: u64 = 1 << 20;

/// Lays out the memory of the kept moments: a button that opens the field for its bound.
pub(super) fn memory_ui(ui: &mut Ui, timeline: &Timeline, actions: &mut Vec<Action>) {
    let Timeline { kept, bytes, unpacked_bytes, limit, has_failed, .. } = timeline;
    let kept_bytes = format::bytes(*bytes as usize);
    let text = if *has_failed {
        format!("Kept: {kept_bytes}, no more")
    } else {
        format!("Kept: {kept_bytes} of {}", format::bytes(*limit as usize))
    };
    let menu = ui.menu_button(RichText::new(text).small().color(theme::of(ui).text_quiet), |ui| {
        ui.set_max_width(280.0);
        let mut size = limit / MEBIBYTE;
        ui.horizontal(|ui| {
            let label = ui.label("Memory of kept moments");
            let field = ui.add(DragValue::new(&mut size).range(0..=MOST).suffix(" MiB")).labelled_by(label.id);
            if field.changed() {
                actions.push(Action::SetPlaybackMemory(size * MEBIBYTE));
            }
        });
        let saved = if *bytes > 0 { *unpacked_bytes as f64 / *bytes as f64 } else { 1.0 };
        hint_ui(ui, format!("The oldest moments give way, but for the start. Compression saves them a factor of {saved:.1}."));
    });
    let count = format::counted(kept.len() as u64, "moment");
    menu.response.on_hover_text(format!("{count} kept, to which the fluid can go back at once, with all its bits."));
}
