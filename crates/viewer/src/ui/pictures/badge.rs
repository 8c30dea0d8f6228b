//! Sign of a recording over the 3D view.

use super::Recording;
use crate::command::Command;
use crate::ui::theme;
use egui::{Align2, FontId, Rect, Ui, vec2};

/// Paints the sign at the upper edge of `area` while there is a recording.
pub fn badge_ui(ui: &Ui, area: Rect, recording: Option<&Recording>) {
    let Some(Recording { progress, .. }) = recording else { return };
    let keys = Command::ToggleRecording.shortcut_text(ui.ctx());
    let text = format!("\u{25cf} Recording: {:5} written   {keys} ends it", progress.written);
    let color = if progress.left_out > 0 { theme::of(ui).warning } else { theme::of(ui).error };
    let painter = ui.painter().with_clip_rect(area);
    let galley = painter.layout_no_wrap(text, FontId::monospace(12.0), color);
    let plate = Align2::CENTER_TOP.anchor_size(area.center_top() + vec2(0.0, theme::SPACE), galley.size() + vec2(16.0, 8.0));
    painter.rect_filled(plate, 6.0, theme::of(ui).background.gamma_multiply(0.85));
    painter.galley(plate.min + vec2(8.0, 4.0), galley, color);
}
