//! The kernel poly6 (Muller2003).

use super::SmoothingKernel;
use crate::parameters::Dimensions;
use std::f32::consts::PI;

/// With q = r / support radius: `(1 − q²)³`; σ = 4/π in two dimensions, 315/64π in three. Its gradient vanishes at the centre: particles that
/// have come close are not pushed apart.
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
    #[inline]
    fn w(self, r: f32) -> f32 {
        let q = r * self.per_support;
        let t = (1.0 - q * q).max(0.0);
        self.w_scale * t * t * t
    }

    #[inline]
    fn dw_over_r(self, r: f32) -> f32 {
        let q = r * self.per_support;
        let t = (1.0 - q * q).max(0.0);
        // f′/q = −6(1 − q²)²: the factor q has cancelled.
        self.dw_scale * (-6.0 * t * t)
    }
}
