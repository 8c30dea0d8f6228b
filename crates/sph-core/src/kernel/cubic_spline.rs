//! The cubic B-spline (Monaghan1992).

use super::smoothing_kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::simd::Real;
use std::f32::consts::PI;

/// W = σ/R^d f(q), with the support radius R and q = r/R: f = `6(q³ − q²) + 1` for q ≤ ½, then `2(1 − q)³`; σ = 40/7π in two
/// dimensions, 8/π in three.
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
    #[inline(always)]
    fn w<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q).max(N::splat(0.0));
        let f = q.select_below(N::splat(0.5), q * q * (q - 1.0) * 6.0 + 1.0, t * t * t * 2.0);
        f * self.w_scale
    }

    #[inline(always)]
    fn dw_over_r<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q).max(N::splat(0.0));
        // f′/q; in the inner branch the factor q cancels, so that it is finite at 0.
        let f = q.select_below(N::splat(0.5), q * 18.0 - 12.0, t * t * -6.0 / q.max(N::splat(0.5)));
        f * self.dw_scale
    }
}
