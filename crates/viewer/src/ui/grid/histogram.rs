//! Histogram of bucket lengths, with the expectation for random hashing.

use crate::ui::theme;
use crate::ui::widgets::{format, highlight, hint_ui};
use egui::{Align2, FontId, Rect, RichText, Sense, Sides, Stroke, Ui, pos2, vec2};
use sph_core::neighbors::{HISTOGRAM_BINS, Occupancy};

/// Height of the bars, points.
const HEIGHT: f32 = 48.0;

/// Lays out the histogram of buckets by number of particles, 1, 2, 3…, with the numbers of the hovered bar in a tooltip. Empty
/// buckets have no bar, because it would dwarf the others. If `hashed`, a line shows the expectation for random hashing.
pub fn histogram_ui(ui: &mut Ui, occupancy: &Occupancy, hashed: bool) {
    let ideal = hashed.then(|| occupancy.ideal_histogram());
    heading_ui(ui, hashed);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT + 14.0), Sense::hover());
    highlight::note(ui, "Histogram", rect);
    let bars = &occupancy.bucket_histogram[1..];
    let ideal = ideal.as_ref().map(|ideal| &ideal[1..]);
    let most = bars.iter().map(|&count| count as f64).chain(ideal.unwrap_or(&[]).iter().copied()).fold(1.0, f64::max) as f32;
    let width = rect.width() / bars.len() as f32;
    let painter = ui.painter();
    let floor = rect.top() + HEIGHT;
    let hovered = response.hover_pos().map(|place| ((place.x - rect.left()) / width).max(0.0) as usize);
    for (index, &count) in bars.iter().enumerate() {
        if count == 0 {
            continue;
        }
        // Bars of non-empty bins are at least one point high.
        let height = (HEIGHT * count as f32 / most).max(1.0);
        let left = rect.left() + width * index as f32;
        let bar = Rect::from_min_max(pos2(left + 0.5, floor - height), pos2(left + width - 0.5, floor));
        let color = if hovered == Some(index) { theme::of(ui).text } else { theme::of(ui).accent };
        painter.rect_filled(bar, 0.0, color);
    }
    if let Some(ideal) = ideal {
        let place = |(index, &count): (usize, &f64)| {
            pos2(rect.left() + width * (index as f32 + 0.5), floor - HEIGHT * count as f32 / most)
        };
        painter.line(ideal.iter().enumerate().map(place).collect(), ideal_stroke(ui));
    }
    painter.hline(rect.x_range(), floor, Stroke::new(1.0, theme::of(ui).line));
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
        painter.text(pos2(x, floor + 2.0), align, text, font.clone(), theme::of(ui).text_quiet);
    }
    if let Some(index) = hovered.filter(|&index| index < bars.len()) {
        let or_more = if index + 1 == bars.len() { " or more" } else { "" };
        let noun = if index == 0 { "particle" } else { "particles" };
        let chance = ideal.map_or(String::new(), |ideal| format!("\nExpected for random hashing: {}", expected(ideal[index])));
        let count = format::count(bars[index] as u64);
        response.on_hover_text(format!("{count} buckets hold {}{or_more} {noun}{chance}", index + 1));
    }
}

/// Lays out the heading: the title and the legend of the line.
fn heading_ui(ui: &mut Ui, hashed: bool) {
    let legend = |ui: &mut Ui| {
        if hashed {
            ui.spacing_mut().item_spacing.x = 4.0;
            let tooltip = "Expected histogram if each occupied cell were assigned to a random bucket. Bars far from the line \
                           mean that the hash function clusters cells, or spreads them more evenly than random.";
            ui.label(RichText::new("ideal").small().color(theme::of(ui).text_quiet)).on_hover_text(tooltip);
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 8.0), Sense::hover());
            ui.painter().hline(rect.x_range(), rect.center().y, ideal_stroke(ui));
        }
    };
    Sides::new().shrink_left().truncate().show(ui, |ui| hint_ui(ui, "Buckets by number of particles"), legend);
}

fn ideal_stroke(ui: &Ui) -> Stroke {
    Stroke::new(1.25, theme::of(ui).warning)
}

/// Formats an expected number of buckets, with one decimal below 10.
fn expected(buckets: f64) -> String {
    if buckets < 10.0 { format!("{buckets:.1}") } else { format::count(buckets.round() as u64) }
}
