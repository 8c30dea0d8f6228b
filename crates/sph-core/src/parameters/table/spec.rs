//! Specification of a parameter, beside the field that it is of.

use super::bounds::{Bounds, Slider};
use std::ops::RangeInclusive;

/// Label, unit, range and slider of a parameter. The rest is in the field: name, type, documentation.
pub(crate) struct Spec {
    pub label: &'static str,
    pub unit: &'static str,
    pub bounds: Bounds,
    pub slider: Slider,
    pub default_words: Option<&'static str>,
    pub required: bool,
}

impl Spec {
    /// A parameter called `label` in the window, without unit and bounds.
    pub fn new(label: &'static str) -> Self {
        let slider = Slider { low: 0.0, high: 1.0, resolution: 0.01, logarithmic: false, percent: false };
        Self { label, unit: "", bounds: Bounds::NONE, slider, default_words: None, required: false }
    }

    /// In this unit.
    pub fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Within this range, which the slider spans as well.
    pub fn range(self, range: RangeInclusive<f64>) -> Self {
        let (low, high) = range.into_inner();
        Self { bounds: Bounds { low, high, ..self.bounds }, slider: Slider { low, high, ..self.slider }, ..self }
    }

    /// Larger than the lower end of the range, which must not be reached itself.
    pub fn above_low(self) -> Self {
        Self { bounds: Bounds { above_low: true, ..self.bounds }, ..self }
    }

    /// Range in words, where it depends on other values.
    pub fn range_words(self, words: &'static str) -> Self {
        Self { bounds: Bounds { words: Some(words), ..self.bounds }, ..self }
    }

    /// Default in words, where it follows from other values.
    pub fn default_words(self, words: &'static str) -> Self {
        Self { default_words: Some(words), ..self }
    }

    /// Without a default: a value must be given.
    pub fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// A slider over this part of the range, in steps of `resolution`.
    pub fn slider(self, range: RangeInclusive<f64>, resolution: f64) -> Self {
        let (low, high) = range.into_inner();
        Self { slider: Slider { low, high, resolution, logarithmic: false, ..self.slider }, ..self }
    }

    /// A logarithmic slider over this part of the range; from 0 it begins with 0 and goes on with `resolution`.
    pub fn log_slider(self, range: RangeInclusive<f64>, resolution: f64) -> Self {
        let (low, high) = range.into_inner();
        Self { slider: Slider { low, high, resolution, logarithmic: true, ..self.slider }, ..self }
    }

    /// In percent in the window.
    pub fn percent(self) -> Self {
        Self { slider: Slider { percent: true, ..self.slider }, ..self }
    }
}
