//! Bar chart of bucket lengths.

use super::widgets::hint_ui;
use super::{format, theme};
use egui::{Align2, FontId, Rect, Sense, Ui, pos2, vec2};
use sph_core::neighbors::{HISTOGRAM_BINS, Occupancy};

/// Height of the bars, points.
const HEIGHT: f32 = 48.0;

/// How many buckets hold 1, 2, 3… particles; the numbers of a bar under the pointer. Empty buckets have no bar, as they would
/// dwarf the others.
pub fn histogram_ui(ui: &mut Ui, occupancy: &Occupancy) {
    hint_ui(ui, "Buckets by the particles they hold");
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT + 14.0), Sense::hover());
    let bars = &occupancy.bucket_histogram[1..];
    let most = bars.iter().copied().max().unwrap_or(0).max(1);
    let width = rect.width() / bars.len() as f32;
    let painter = ui.painter();
    let floor = rect.top() + HEIGHT;
    let hovered = response.hover_pos().map(|place| ((place.x - rect.left()) / width).max(0.0) as usize);
    for (index, &count) in bars.iter().enumerate() {
        if count == 0 {
            continue;
        }
        // A bar that stands for anything at all is seen.
        let height = (HEIGHT * count as f32 / most as f32).max(1.0);
        let left = rect.left() + width * index as f32;
        let bar = Rect::from_min_max(pos2(left + 0.5, floor - height), pos2(left + width - 0.5, floor));
        let color = if hovered == Some(index) { theme::TEXT } else { theme::ACCENT };
        painter.rect_filled(bar, 0.0, color);
    }
    painter.hline(rect.x_range(), floor, egui::Stroke::new(1.0, theme::LINE));
    let font = FontId::monospace(10.0);
    for length in [1, 8, 16, 24, HISTOGRAM_BINS - 1] {
        let center = rect.left() + width * (length as f32 - 0.5);
        let (text, align) = match length {
            1 => ("1".to_owned(), Align2::LEFT_TOP),
            length if length == HISTOGRAM_BINS - 1 => (format!("≥{length}"), Align2::RIGHT_TOP),
            length => (length.to_string(), Align2::CENTER_TOP),
        };
        let x = if align == Align2::LEFT_TOP { rect.left() } else { center.min(rect.right()) };
        let x = if align == Align2::RIGHT_TOP { rect.right() } else { x };
        painter.text(pos2(x, floor + 2.0), align, text, font.clone(), theme::TEXT_QUIET);
    }
    if let Some(index) = hovered.filter(|&index| index < bars.len()) {
        let or_more = if index + 1 == bars.len() { " or more" } else { "" };
        let noun = if index == 0 { "particle" } else { "particles" };
        response.on_hover_text(format!("{} buckets hold {}{or_more} {noun}", format::count(bars[index] as u64), index + 1));
    }
}
