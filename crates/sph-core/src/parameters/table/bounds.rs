//! Ranges of parameters: the accepted range, and the range of a slider.

use super::error::shortest;
use std::fmt;

/// Bounds of a value. They are compared as `f32`, the type of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// True if the smallest value itself is out of range.
    pub above_low: bool,
    /// Range in words, if it depends on other values; the owner of the values then checks it.
    pub words: Option<&'static str>,
}

impl Bounds {
    /// No bounds.
    pub(crate) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, above_low: false, words: None };

    /// True if `number` is within the bounds.
    pub fn contain(&self, number: f32) -> bool {
        let (low, high) = (self.low as f32, self.high as f32);
        (number > low || (number == low && !self.above_low)) && number <= high
    }

    /// True if `count` is within the bounds.
    pub fn contain_count(&self, count: u32) -> bool {
        (self.low..=self.high).contains(&f64::from(count))
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f64| shortest(value as f32);
        match *self {
            Self { words: Some(words), .. } => formatter.write_str(words),
            Self { low, high, .. } if low == f64::NEG_INFINITY && high == f64::INFINITY => formatter.write_str("finite"),
            Self { low, high, above_low: true, .. } if high == f64::INFINITY => write!(formatter, "above {}", number(low)),
            Self { low, high, above_low: true, .. } => write!(formatter, "above {}, at most {}", number(low), number(high)),
            Self { low, high, .. } => write!(formatter, "{} to {}", number(low), number(high)),
        }
    }
}

/// Range and scale of a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Resolution; on a logarithmic slider from 0, the smallest value besides 0.
    pub resolution: f64,
    /// True for a logarithmic scale.
    pub logarithmic: bool,
    /// True if the window shows the value in percent.
    pub percent: bool,
}
