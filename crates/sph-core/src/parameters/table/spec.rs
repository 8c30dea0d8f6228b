//! Specification of a parameter, written beside its field.

use super::bounds::{Bounds, Slider};
use std::ops::RangeInclusive;

/// Label, unit, range and slider of a parameter. Name, type and documentation are those of the field.
pub(crate) struct Spec {
    pub label: &'static str,
    pub unit: &'static str,
    pub bounds: Bounds,
    pub slider: Slider,
    pub default_words: Option<&'static str>,
    pub required: bool,
    pub usual: Option<[f64; 2]>,
    pub ends: Option<[&'static str; 2]>,
}

impl Spec {
    /// Specification with the label `label` in the window, without unit and bounds.
    pub fn new(label: &'static str) -> Self {
        let slider = Slider { low: 0.0, high: 1.0, resolution: 0.01, logarithmic: false, percent: false };
        Self { label, unit: "", bounds: Bounds::NONE, slider, default_words: None, required: false, usual: None, ends: None }
    }

    /// Sets the unit.
    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Sets the range, also that of the slider.
    pub fn range(self, range: RangeInclusive<f64>) -> Self {
        let (low, high) = range.into_inner();
        Self { bounds: Bounds { low, high, ..self.bounds }, slider: Slider { low, high, ..self.slider }, ..self }
    }

    /// Excludes the lower end of the range.
    pub fn above_low(self) -> Self {
        Self { bounds: Bounds { above_low: true, ..self.bounds }, ..self }
    }

    /// Sets the range in words, if it depends on other values.
    pub fn range_words(self, words: &'static str) -> Self {
        Self { bounds: Bounds { words: Some(words), ..self.bounds }, ..self }
    }

    /// Sets the default in words, if it follows from other values.
    pub fn default_words(self, words: &'static str) -> Self {
        Self { default_words: Some(words), ..self }
    }

    /// Requires a value: there is no default.
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// Sets a linear slider over this part of the range, in steps of `resolution`.
    pub fn slider(self, range: RangeInclusive<f64>, resolution: f64) -> Self {
        let (low, high) = range.into_inner();
        Self { slider: Slider { low, high, resolution, logarithmic: false, ..self.slider }, ..self }
    }

    /// Sets a logarithmic slider over this part of the range; a slider from 0 has the values 0 and from `resolution` on.
    pub fn log_slider(self, range: RangeInclusive<f64>, resolution: f64) -> Self {
        let (low, high) = range.into_inner();
        Self { slider: Slider { low, high, resolution, logarithmic: true, ..self.slider }, ..self }
    }

    /// Sets the values that most scenes have.
    pub fn usual(self, range: RangeInclusive<f64>) -> Self {
        let (low, high) = range.into_inner();
        Self { usual: Some([low, high]), ..self }
    }

    /// Sets what happens with very low and with very high values, each as half a sentence.
    pub fn ends(self, low: &'static str, high: &'static str) -> Self {
        Self { ends: Some([low, high]), ..self }
    }

    /// Shows the value in percent in the window.
    pub fn percent(self) -> Self {
        Self { slider: Slider { percent: true, ..self.slider }, ..self }
    }
}
