//! Badge of a compared grid.

use crate::ui::{Side, theme};
use egui::{Align2, FontId, Sense, Ui, vec2};

/// Lays out the letter of a side on its colour.
pub fn badge_ui(ui: &mut Ui, side: Side, size: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(size, size), Sense::hover());
    ui.painter().rect_filled(rect, 4.0, theme::of(ui).side(side));
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        side.name(),
        FontId::proportional(0.72 * size),
        theme::of(ui).background,
    );
}
