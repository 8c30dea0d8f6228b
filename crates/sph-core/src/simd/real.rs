//! Real arithmetic on one number or on several lanes, so that one formula of a kernel serves both.

use std::ops::{Add, Div, Mul, Sub};

/// A real number in single precision, or several side by side.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f32, Output = Self>
    + Sub<f32, Output = Self>
    + Mul<f32, Output = Self>
{
    /// The same value in all lanes.
    fn splat(value: f32) -> Self;

    /// Square root, correctly rounded.
    fn sqrt(self) -> Self;

    /// The larger of the two; `other` if either is NaN.
    fn max(self, other: Self) -> Self;

    /// `below` where `self` < `bound`, else `other`.
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn select_below(self, bound: Self, below: Self, other: Self) -> Self {
        if self < bound { below } else { other }
    }
}
