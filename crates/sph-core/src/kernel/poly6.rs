//! The poly6 kernel (Muller2003).

use super::smoothing_kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::simd::Real;
use std::f32::consts::PI;

/// W = σ/R^d f(q), with the support radius R and q = r/R: f = `(1 − q²)³`; σ = 4/π in two dimensions, 315/64π in three. Its
/// gradient vanishes at the centre, so that particles at short distance hardly repel each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poly6 {
    per_support: f32,
    w_scale: f32,
    dw_scale: f32,
}

impl Poly6 {
    /// The kernel with the given support radius, m.
    pub fn new(dimensions: Dimensions, support_radius: f32) -> Self {
        let sigma = match dimensions {
            Dimensions::Two => 4.0 / PI,
            Dimensions::Three => 315.0 / (64.0 * PI),
        };
        let w_scale = sigma / support_radius.powi(dimensions.count() as i32);
        Self { per_support: support_radius.recip(), w_scale, dw_scale: w_scale / (support_radius * support_radius) }
    }
}

impl SmoothingKernel for Poly6 {
    #[inline(always)]
    fn w<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q * q).max(N::splat(0.0));
        t * t * t * self.w_scale
    }

    #[inline(always)]
    fn dw_over_r<N: Real>(self, r: N) -> N {
        let q = r * self.per_support;
        let t = (N::splat(1.0) - q * q).max(N::splat(0.0));
        // f′/q = −6(1 − q²)²: the factor q has cancelled.
        t * t * (-6.0 * self.dw_scale)
    }
}
