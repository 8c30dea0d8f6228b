//! Ranges of parameters: the one that is accepted, and the part of it that a slider offers.

use super::error::shortest;
use std::fmt;

/// Bounds of a value. They are compared as `f32`, in which parameters are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Whether the smallest value itself is out of range.
    pub above_low: bool,
    /// The range in words, where it depends on other values; those checks are the owner's.
    pub words: Option<&'static str>,
}

impl Bounds {
    /// No bounds.
    pub(crate) const NONE: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, above_low: false, words: None };

    /// Whether a number is within.
    pub fn contain(&self, number: f32) -> bool {
        let (low, high) = (self.low as f32, self.high as f32);
        (number > low || (number == low && !self.above_low)) && number <= high
    }

    /// Whether a count is within.
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

/// The values that a slider offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// Smallest difference that matters; on a logarithmic slider from 0 the smallest value besides 0.
    pub resolution: f64,
    /// Whether it is logarithmic.
    pub logarithmic: bool,
    /// Whether the window shows the value in percent.
    pub percent: bool,
}
