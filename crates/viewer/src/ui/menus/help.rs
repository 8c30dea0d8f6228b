//! Panel "Keys and mouse": keys, mouse controls, lessons.

use crate::command::Command;
use crate::command::shortcut;
use crate::ui::{Action, Model, State, lessons, theme};
use egui::{Grid, RichText, Ui};

const MOUSE: [(&str, &str); 6] = [
    ("Left drag", "Rotate the view"),
    ("Right or middle drag, Shift + drag", "Pan the view"),
    ("Wheel, pinch", "Zoom"),
    ("Ctrl + wheel", "Radius of the tool"),
    ("Click on a particle", "Show its neighbour query"),
    ("Double click", "Frame all"),
];

/// Lays out the contents of the panel.
pub fn help_ui(ui: &mut Ui, state: &mut State, model: &Model<'_>, _: &mut Vec<Action>) {
    rows_ui(ui);
    ui.separator();
    ui.label("Lessons");
    if lessons::lessons_ui(ui, state, model.snapshot) {
        state.show_help = false;
    }
}

fn rows_ui(ui: &mut Ui) {
    // Columns of half the panel, in which long texts wrap: nothing is cut in a narrow one.
    let width = 0.5 * (ui.available_width() - theme::SPACE);
    let grid = Grid::new("keys").num_columns(2).spacing([theme::SPACE, 0.5 * theme::SPACE]).max_col_width(width);
    grid.show(ui, |ui| {
        for command in Command::ALL {
            let keys: Vec<String> = command.shortcuts().iter().map(|keys| shortcut::text(ui.ctx(), keys)).collect();
            if !keys.is_empty() {
                row_ui(ui, &keys.join(" or "), command.label());
            }
        }
        for (action, effect) in MOUSE {
            row_ui(ui, action, effect);
        }
    });
}

fn row_ui(ui: &mut Ui, keys: &str, effect: &str) {
    ui.label(RichText::new(keys).color(theme::of(ui).accent));
    ui.label(effect);
    ui.end_row();
}
