//! The spiky kernel (Muller2003, after Desbrun).

use super::smoothing_kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::simd::Real;
use std::f32::consts::PI;

/// Distance, in support radii, below which the gradient goes linearly to zero.
const NEAREST: f32 = 1e-6;

/// W = σ/R^d f(q), with the support radius R and q = r/R: f = `(1 − q)³`; σ = 10/π in two dimensions, 15/π in three. It has a
/// peak at the centre, where its gradient is largest, unlike poly6.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spiky {
    per_support: f32,
    w_scale: f32,
    dw_scale: f32,
}

impl Spiky {
    /// The kernel with the given support radius, m.
    pub fn new(dimensions: Dimensions, support_radius: f32) -> Self {
        let sigma = match dimensions {
            Dimensions::Two => 10.0 / PI,
            Dimensions::Three => 15.0 / PI,
        };
        let w_scale = sigma / support_radius.powi(dimensions.count() as i32);
        Self { per_support: support_radius.recip(), w_scale, dw_scale: w_scale / (support_radius * support_radius) }
    }
}

impl SmoothingKernel for Spiky {
    #[inline(always)]
    fn w<N: Real>(self, r: N) -> N {
        let t = (N::splat(1.0) - r * self.per_support).max(N::splat(0.0));
        t * t * t * self.w_scale
    }

    #[inline(always)]
    fn dw_over_r<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q).max(N::splat(0.0));
        // f′/q diverges at the centre; the gradient does not.
        t * t * (-3.0 * self.dw_scale) / q.max(N::splat(NEAREST))
    }
}
