//! Wendland's C4 function (Wendland1995, Dehnen2012).

use super::smoothing_kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::simd::Real;
use std::f32::consts::PI;

/// W = σ/R^d f(q), with the support radius R and q = r/R: f = `(1 − q)⁶(1 + 6q + 35q²/3)`; σ = 9/π in two dimensions, 495/32π
/// in three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WendlandC4 {
    per_support: f32,
    w_scale: f32,
    dw_scale: f32,
}

impl WendlandC4 {
    /// The kernel with the given support radius, m.
    pub fn new(dimensions: Dimensions, support_radius: f32) -> Self {
        let sigma = match dimensions {
            Dimensions::Two => 9.0 / PI,
            Dimensions::Three => 495.0 / (32.0 * PI),
        };
        let w_scale = sigma / support_radius.powi(dimensions.count() as i32);
        Self { per_support: support_radius.recip(), w_scale, dw_scale: w_scale / (support_radius * support_radius) }
    }
}

impl SmoothingKernel for WendlandC4 {
    #[inline(always)]
    fn w<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q).max(N::splat(0.0));
        let t2 = t * t;
        t2 * t2 * t2 * (q * (q * (35.0 / 3.0) + 6.0) + 1.0) * self.w_scale
    }

    #[inline(always)]
    fn dw_over_r<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q).max(N::splat(0.0));
        let t2 = t * t;
        // f′/q = −56/3 (1 + 5q)(1 − q)⁵: the factor q has cancelled.
        (q * 5.0 + 1.0) * t2 * t2 * t * (-56.0 / 3.0 * self.dw_scale)
    }
}
