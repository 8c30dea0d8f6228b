//! The cubic B-spline (Monaghan1992).

use super::SmoothingKernel;
use crate::parameters::Dimensions;
use std::f32::consts::PI;

/// With q = r / support radius: `6(q³ − q²) + 1` up to q = ½, then `2(1 − q)³`; σ = 40/7π in two dimensions, 8/π in three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicSpline {
    per_support: f32,
    w_scale: f32,
    dw_scale: f32,
}

impl CubicSpline {
    /// The kernel with the given support radius, m.
    pub fn new(dimensions: Dimensions, support_radius: f32) -> Self {
        let sigma = match dimensions {
            Dimensions::Two => 40.0 / (7.0 * PI),
            Dimensions::Three => 8.0 / PI,
        };
        let w_scale = sigma / support_radius.powi(dimensions.count() as i32);
        Self { per_support: support_radius.recip(), w_scale, dw_scale: w_scale / (support_radius * support_radius) }
    }
}

impl SmoothingKernel for CubicSpline {
    #[inline]
    fn w(self, r: f32) -> f32 {
        let q = r * self.per_support;
        let t = (1.0 - q).max(0.0);
        let f = if q <= 0.5 { 6.0 * q * q * (q - 1.0) + 1.0 } else { 2.0 * t * t * t };
        self.w_scale * f
    }

    #[inline]
    fn dw_over_r(self, r: f32) -> f32 {
        let q = r * self.per_support;
        let t = (1.0 - q).max(0.0);
        // f′/q, in which the inner branch has lost its factor q and is finite at 0.
        let f = if q <= 0.5 { 18.0 * q - 12.0 } else { -6.0 * t * t / q };
        self.dw_scale * f
    }
}
