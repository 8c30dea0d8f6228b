//! Marks on the rail of a slider: the usual values, and the scene's.

use crate::ui::theme;
use egui::{Rect, Stroke, Ui, pos2, vec2};
use std::ops::RangeInclusive;

/// Range and scale of a slider.
pub struct Scale {
    /// Range.
    pub range: RangeInclusive<f64>,
    /// True for a logarithmic scale.
    pub logarithmic: bool,
    /// Smallest positive value of a logarithmic scale from 0.
    pub finest: f64,
}

impl Scale {
    /// Place of `value` along the slider, 0 to 1; values beyond its range are at its ends.
    fn place(&self, value: f64) -> f32 {
        let (low, high) = (*self.range.start(), *self.range.end());
        let value = value.clamp(low.min(high), high);
        let place = if self.logarithmic {
            let least = if low > 0.0 { low } else { self.finest.min(high) };
            (value.max(least) / least).ln() / (high / least).ln()
        } else {
            (value - low) / (high - low)
        };
        if place.is_finite() { place as f32 } else { 0.0 }
    }

    /// Paints the marks over the slider at `rect`: a band below the rail for the usual values, a tick for the scene's.
    pub fn paint(&self, ui: &Ui, rect: Rect, usual: Option<[f64; 2]>, scene: Option<f64>) {
        // egui insets the rail by the radius of the handle.
        let rail = rect.shrink2(vec2(rect.height() / 2.5, 0.0));
        let x = |value: f64| egui::lerp(rail.x_range(), self.place(value));
        let y = rect.center().y + 7.0;
        if let Some([low, high]) = usual.filter(|[low, high]| *high > *self.range.start() && *low < *self.range.end()) {
            let band = Rect::from_min_max(pos2(x(low), y - 1.0), pos2(x(high).max(x(low) + 2.0), y + 1.0));
            ui.painter().rect_filled(band, 1.0, theme::of(ui).good.gamma_multiply(0.45));
        }
        if let Some(scene) = scene {
            ui.painter().vline(x(scene), y - 3.0..=y + 2.0, Stroke::new(2.0, theme::of(ui).text_quiet));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_scale() {
        let linear = Scale { range: 2.0..=4.0, logarithmic: false, finest: 0.1 };
        assert_eq!([0.0, 2.0, 2.5, 4.0, 9.0].map(|value| linear.place(value)), [0.0, 0.0, 0.25, 1.0, 1.0]);
        let log = Scale { range: 1.0..=100.0, logarithmic: true, finest: 1.0 };
        assert!((log.place(10.0) - 0.5).abs() < 1e-6);
        let from_zero = Scale { range: 0.0..=1.0, logarithmic: true, finest: 1e-4 };
        assert!(from_zero.place(0.0) == 0.0 && (from_zero.place(0.01) - 0.5).abs() < 1e-6);
        assert_eq!(Scale { range: 1.0..=1.0, logarithmic: false, finest: 1.0 }.place(1.0), 0.0);
    }
}
