//! Schedules: numbers over time.

use crate::boundary::motion::{MotionError, PiecewiseLinear};

/// A number over time: linear between its points, constant before the first and after the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule(PiecewiseLinear<f64>);

impl Schedule {
    /// The same number at all times.
    ///
    /// # Errors
    /// It is not finite.
    pub fn constant(value: f64) -> Result<Self, MotionError> {
        Self::through([(0.0, value)])
    }

    /// Schedule through points: times (s), and the numbers then.
    ///
    /// # Errors
    /// A time is not after the one before it, or a number is not finite.
    pub fn through(points: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, MotionError> {
        Ok(Self(PiecewiseLinear::through(points)?))
    }

    /// Number at `time`, s.
    pub fn at(&self, time: f64) -> f64 {
        self.0.velocity(time)
    }

    /// Integral from time 0 to `time`, s: exact up to rounding.
    pub fn integral(&self, time: f64) -> f64 {
        self.0.displacement(time)
    }

    /// Largest absolute value at any time.
    pub fn largest(&self) -> f64 {
        self.0.top_speed()
    }

    /// True if it is below 0 at some time.
    pub fn is_negative(&self) -> bool {
        self.0.values().any(|value| value < 0.0)
    }
}
