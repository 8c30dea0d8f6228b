//! What kernels are written with, so that one formula serves one number and several side by side.

use std::ops::{Add, Div, Mul, Sub};

/// What kernels are written with: one number, or several side by side.
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
    /// The same value everywhere.
    fn splat(value: f32) -> Self;

    /// √, rounded correctly.
    fn sqrt(self) -> Self;

    /// The larger of the two; `other` where one is NaN.
    fn max(self, other: Self) -> Self;

    /// `below` where this is smaller than `bound`, else `other`.
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
