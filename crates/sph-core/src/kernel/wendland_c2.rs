//! Wendland's C2 function (Wendland1995, Dehnen2012).

use super::SmoothingKernel;
use crate::parameters::Dimensions;
use std::f32::consts::PI;

/// With q = r / support radius: `(1 − q)⁴(1 + 4q)`; σ = 7/π in two dimensions, 21/2π in three.
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
    #[inline]
    fn w(self, r: f32) -> f32 {
        let q = r * self.per_support;
        let t = (1.0 - q).max(0.0);
        let t2 = t * t;
        self.w_scale * t2 * t2 * (1.0 + 4.0 * q)
    }

    #[inline]
    fn dw_over_r(self, r: f32) -> f32 {
        let t = (1.0 - r * self.per_support).max(0.0);
        // f′/q = −20(1 − q)³: the factor q has cancelled.
        self.dw_scale * (-20.0 * t * t * t)
    }
}
