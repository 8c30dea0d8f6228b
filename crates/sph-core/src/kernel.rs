//! Smoothing kernels W and their gradients, normalised for two and three dimensions.
//!
//! Kernels are parametrised by their support radius, the distance at which they become zero. The smoothing length h of the
//! literature is half of it for the kernels here.

pub use crate::simd::Real;
pub use crate::space::lattice_sum;

use std::f32::consts::PI;

use crate::parameters::{Dimensions, KernelKind};
use glam::Vec3;

/// A radial kernel with compact support. Distances in m; W in 1/m³ (1/m² in two dimensions). Generic over one distance and SIMD
/// lanes of distances.
pub trait SmoothingKernel: Copy + Send + Sync {
    /// W at distance `r` ≥ 0; zero beyond the support radius.
    fn w<N: Real>(self, r: N) -> N;

    /// W′(r)/r at distance `r` ≥ 0, also finite at 0: the gradient is this times the separation vector.
    fn dw_over_r<N: Real>(self, r: N) -> N;

    /// ∇W at particle i, for `x_ij = x_i − x_j`: points from i towards j, and is zero when they coincide.
    fn grad_w(self, x_ij: Vec3) -> Vec3 {
        self.dw_over_r(x_ij.length()) * x_ij
    }
}

// Static dispatch over kernels: passes are compiled for each kernel, and the kernel is selected once for each pass.

/// Any one of the kernels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// The cubic spline.
    CubicSpline(CubicSpline),
    /// Wendland's C2 function.
    WendlandC2(WendlandC2),
    /// Wendland's C4 function.
    WendlandC4(WendlandC4),
    /// Poly6.
    Poly6(Poly6),
    /// Spiky.
    Spiky(Spiky),
}

/// Runs `$body` with `$kernel` bound to the concrete kernel in `$choice`, so that the match is outside the loop over pairs.
macro_rules! with_kernel {
    ($choice:expr, $kernel:ident => $body:expr) => {
        match $choice {
            $crate::kernel::Kernel::CubicSpline($kernel) => $body,
            $crate::kernel::Kernel::WendlandC2($kernel) => $body,
            $crate::kernel::Kernel::WendlandC4($kernel) => $body,
            $crate::kernel::Kernel::Poly6($kernel) => $body,
            $crate::kernel::Kernel::Spiky($kernel) => $body,
        }
    };
}

pub(crate) use with_kernel;

impl Kernel {
    /// Kernel of the given kind and support radius, m.
    pub fn new(kind: KernelKind, dimensions: Dimensions, support_radius: f32) -> Self {
        match kind {
            KernelKind::CubicSpline => Self::CubicSpline(CubicSpline::new(dimensions, support_radius)),
            KernelKind::WendlandC2 => Self::WendlandC2(WendlandC2::new(dimensions, support_radius)),
            KernelKind::WendlandC4 => Self::WendlandC4(WendlandC4::new(dimensions, support_radius)),
            KernelKind::Poly6 => Self::Poly6(Poly6::new(dimensions, support_radius)),
            KernelKind::Spiky => Self::Spiky(Spiky::new(dimensions, support_radius)),
        }
    }
}

impl SmoothingKernel for Kernel {
    fn w<N: Real>(self, r: N) -> N {
        with_kernel!(self, kernel => kernel.w(r))
    }

    fn dw_over_r<N: Real>(self, r: N) -> N {
        with_kernel!(self, kernel => kernel.dw_over_r(r))
    }
}

// The cubic B-spline (Monaghan1992).

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

// Wendland's C2 function (Wendland1995, Dehnen2012).

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

// Wendland's C4 function (Wendland1995, Dehnen2012).

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

// The poly6 kernel (Muller2003).

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

// The spiky kernel (Muller2003, after Desbrun).

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, Discretization, KernelKind};
    use glam::Vec3;

    // Every kernel, in both dimensions: unit integral, gradient, support, lattice sums.

    const SUPPORT: f32 = 0.3;

    fn every_kernel() -> impl Iterator<Item = (KernelKind, Dimensions, Kernel)> {
        let dimensions = [Dimensions::Two, Dimensions::Three];
        KernelKind::ALL.into_iter().flat_map(move |kind| dimensions.map(|d| (kind, d, Kernel::new(kind, d, SUPPORT))))
    }

    #[test]
    fn integrates_to_one() {
        for (kind, dimensions, kernel) in every_kernel() {
            // Midpoint rule over shells.
            let n = 20_000;
            let dr = f64::from(SUPPORT) / f64::from(n);
            let integral: f64 = (0..n)
                .map(|k| {
                    let r = (f64::from(k) + 0.5) * dr;
                    let shell = match dimensions {
                        Dimensions::Two => 2.0 * std::f64::consts::PI * r,
                        Dimensions::Three => 4.0 * std::f64::consts::PI * r * r,
                    };
                    f64::from(kernel.w(r as f32)) * shell * dr
                })
                .sum();
            assert!((integral - 1.0).abs() < 1e-5, "{kind:?} {dimensions:?}: {integral}");
        }
    }

    #[test]
    fn gradient_agrees_with_finite_differences() {
        for (kind, dimensions, kernel) in every_kernel() {
            let peak = kernel.w(0.0) / SUPPORT;
            for k in 1..100 {
                let r = SUPPORT * k as f32 / 100.0;
                let step = 1e-3 * SUPPORT;
                let slope = (kernel.w(r + step) - kernel.w(r - step)) / (2.0 * step);
                let direction = Vec3::new(0.6, -0.8, 0.0);
                let gradient = kernel.grad_w(r * direction);
                let error = (gradient - slope * direction).length() / peak;
                assert!(error < 1e-3, "{kind:?} {dimensions:?} at r = {r}: {gradient} against {slope}");
            }
        }
    }

    #[test]
    fn gradient_points_to_the_neighbour_and_vanishes_at_zero_and_beyond_the_support() {
        for (_, _, kernel) in every_kernel() {
            assert!(kernel.grad_w(Vec3::new(0.1, 0.0, 0.0)).x < 0.0);
            assert_eq!(kernel.grad_w(Vec3::ZERO), Vec3::ZERO);
            for r in [SUPPORT, 1.01 * SUPPORT, 10.0 * SUPPORT] {
                // At the support radius, rounding may leave 1 − q just above zero.
                assert!(kernel.w(r).abs() < 1e-15 && kernel.dw_over_r(r).abs() < 1e-8);
            }
            assert!((0..100).all(|k| kernel.w(SUPPORT * k as f32 / 100.0) >= 0.0));
        }
    }

    /// Lattice sums against `assets/reference/kernel_checks.csv`, computed independently in double precision.
    #[test]
    fn lattice_sums_agree_with_the_reference() {
        let table = include_str!("../../../assets/reference/kernel_checks.csv");
        let mut compared = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split([',', ' ']).collect();
            let kernel = match fields[0] {
                "cubic" => KernelKind::CubicSpline,
                "wendlandC2" => KernelKind::WendlandC2,
                "wendlandC4" => KernelKind::WendlandC4,
                "poly6" => KernelKind::Poly6,
                "spiky" => KernelKind::Spiky,
                _ => continue,
            };
            let dimensions = if fields[1] == "2" { Dimensions::Two } else { Dimensions::Three };
            for (ratio, expected) in [2.0, 2.6, 3.0, 4.0].into_iter().zip(&fields[4..]) {
                let discretization = Discretization {
                    dimensions,
                    particle_spacing: 0.1,
                    kernel,
                    support_radius: 0.1 * ratio,
                    rest_density: 1.0,
                };
                let expected: f32 = expected.parse().expect("a number");
                let sum = lattice_sum(&discretization);
                assert!((sum - expected).abs() < 1e-5, "{kernel:?} {dimensions:?} {ratio}: {sum} against {expected}");
                compared += 1;
            }
        }
        assert_eq!(compared, 40);
    }
}
