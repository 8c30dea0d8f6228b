//! Help window: keys, mouse controls, lessons.

use crate::command::Command;
use crate::session::Snapshot;
use crate::ui::{State, lessons, theme};
use egui::{Align2, Grid, RichText, ScrollArea, Ui, Window};

const MOUSE: [(&str, &str); 5] = [
    ("Left drag", "Rotate the view"),
    ("Right or middle drag, Shift + drag", "Pan the view"),
    ("Wheel, pinch", "Zoom"),
    ("Click on a particle", "Show its neighbour query"),
    ("Double click", "Frame all"),
];

/// Lays out the help window while it is open.
pub fn help_ui(ui: &Ui, state: &mut State, snapshot: &Snapshot) {
    let (mut open, mut begun) = (state.show_help, false);
    Window::new("Keys and mouse")
        .open(&mut open)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false)
        .show(ui.ctx(), |ui| {
            // In a low window the list scrolls below the title.
            let height = (ui.ctx().content_rect().height() - 80.0).max(0.0);
            ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
                rows_ui(ui);
                ui.separator();
                ui.label("Lessons");
                begun = lessons::lessons_ui(ui, state, snapshot);
            });
        });
    state.show_help = open && !begun;
}

fn rows_ui(ui: &mut Ui) {
    Grid::new("keys").num_columns(2).spacing([4.0 * theme::SPACE, 0.5 * theme::SPACE]).show(ui, |ui| {
        for command in Command::ALL {
            let keys: Vec<String> = command.shortcuts().iter().map(|keys| ui.ctx().format_shortcut(keys)).collect();
            if !keys.is_empty() {
                row_ui(ui, &keys.join(", "), command.label());
            }
        }
        for (action, effect) in MOUSE {
            row_ui(ui, action, effect);
        }
    });
}

fn row_ui(ui: &mut Ui, keys: &str, effect: &str) {
    ui.label(RichText::new(keys).color(theme::ACCENT));
    ui.label(effect);
    ui.end_row();
}
