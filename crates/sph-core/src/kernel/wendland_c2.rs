//! Wendland's C2 function (Wendland1995, Dehnen2012).

use super::smoothing_kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::simd::Real;
use std::f32::consts::PI;

/// W = σ/R^d f(q), with the support radius R and q = r/R: f = `(1 − q)⁴(1 + 4q)`; σ = 7/π in two dimensions, 21/2π in three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WendlandC2 {
    per_support: f32,
    w_scale: f32,
    dw_scale: f32,
}

impl WendlandC2 {
    /// The kernel with the given support radius, m.
    pub fn new(dimensions: Dimensions, support_radius: f32) -> Self {
        let sigma = match dimensions {
            Dimensions::Two => 7.0 / PI,
            Dimensions::Three => 21.0 / (2.0 * PI),
        };
        let w_scale = sigma / support_radius.powi(dimensions.count() as i32);
        Self { per_support: support_radius.recip(), w_scale, dw_scale: w_scale / (support_radius * support_radius) }
    }
}

impl SmoothingKernel for WendlandC2 {
    #[inline(always)]
    fn w<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q).max(N::splat(0.0));
        let t2 = t * t;
        t2 * t2 * (q * 4.0 + 1.0) * self.w_scale
    }

    #[inline(always)]
    fn dw_over_r<N: Real>(self, r: N) -> N {
        let t = (N::splat(1.0) - r * self.per_support).max(N::splat(0.0));
        // f′/q = −20(1 − q)³: the factor q has cancelled.
        t * t * t * (-20.0 * self.dw_scale)
    }
}
