//! Every kernel, in both dimensions: unit integral, gradient, support, lattice sums.

use super::*;
use crate::parameters::{Dimensions, Discretization, KernelKind};
use glam::Vec3;

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
    let table = include_str!("../../../../assets/reference/kernel_checks.csv");
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
            let discretization =
                Discretization { dimensions, particle_spacing: 0.1, kernel, support_radius: 0.1 * ratio, rest_density: 1.0 };
            let expected: f32 = expected.parse().expect("a number");
            let sum = lattice_sum(&discretization);
            assert!((sum - expected).abs() < 1e-5, "{kernel:?} {dimensions:?} {ratio}: {sum} against {expected}");
            compared += 1;
        }
    }
    assert_eq!(compared, 40);
}
