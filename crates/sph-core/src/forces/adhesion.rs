//! Adhesion: walls attract the fluid next to them (Akinci2013).
//!
//! `a_i = −Σ_b β ρ₀ V_b A(r) x/r` with `A ∝ (−4q² + 6q − 2)^¼` for q = r/H from ½ to 1. As with surface tension, β follows from
//! a measurable quantity, the work of adhesion w: `w = π/4 ρ² ∫ F r⁴ dr` in space, `⅔ ρ² ∫ F r³ dr` in the plane.

use super::Flow;
use crate::boundary::{BoundaryParticles, Solids};
use crate::kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::passes::{StepContext, sweep};
use glam::Vec3;
use std::f32::consts::FRAC_PI_4;

/// ∫ (−4q² + 6q − 2)^¼ qⁿ dq from ½ to 1 for n = 3 and 4.
const MOMENTS: [f32; 2] = [0.142_780_3, 0.116_585_1];

/// Adhesion of the present parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adhesion {
    /// Coefficient β ρ₀ of the sum over boundary particles, over the factor of A.
    pub coefficient: f32,
    /// Support radius H, m.
    radius: f32,
}

impl Adhesion {
    /// Adhesion of the present parameters; `None` without.
    pub fn of(ctx: &StepContext<'_>) -> Option<Self> {
        let adhesion = ctx.parameters.forces.adhesion;
        let radius = ctx.discretization.support_radius;
        let rest_density = ctx.discretization.rest_density;
        // β A over (−4q² + 6q − 2)^¼.
        let weight = rest_density * rest_density * radius * radius;
        let strength = adhesion / weight
            * match ctx.discretization.dimensions {
                Dimensions::Two => 1.0 / (2.0 / 3.0 * MOMENTS[0] * radius.powi(2)),
                Dimensions::Three => 1.0 / (FRAC_PI_4 * MOMENTS[1] * radius.powi(3)),
            };
        (adhesion > 0.0).then_some(Self { coefficient: strength * rest_density, radius })
    }

    /// Returns `V_b (−4q² + 6q − 2)^¼ x/r` for a boundary particle of `volume` V_b (m³) at the distance `x_ib` (m).
    #[inline(always)]
    pub fn pull(self, volume: f32, x_ib: Vec3) -> Vec3 {
        let r = x_ib.length();
        // The force is zero within half a radius: the bound only keeps r from being 0.
        volume * attraction(r / self.radius) / r.max(0.25 * self.radius) * x_ib
    }
}

/// Adds the accelerations of adhesion, m/s².
pub(super) fn add<K: SmoothingKernel>(
    (kernel, adhesion): (K, Adhesion),
    ctx: &StepContext<'_>,
    flow: Flow<'_>,
    walls: &BoundaryParticles,
    accelerations: &mut [Vec3],
) {
    let solids = Solids { kernel, ctx, walls };
    sweep::update(accelerations, |i, acceleration| {
        *acceleration += ctx.lightness(i) * solids.adhesion(adhesion, i, flow.positions[i]);
    });
}

/// Adhesion spline `(−4q² + 6q − 2)^¼`; 0 outside ½ to 1.
fn attraction(q: f32) -> f32 {
    ((6.0 - 4.0 * q) * q - 2.0).max(0.0).sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moments_are_integrals() {
        for (power, expected) in (3..).zip(MOMENTS) {
            let cells = 1_000_000;
            let term = |cell: u32| {
                let q = (f64::from(cell) + 0.5) / f64::from(cells);
                f64::from(attraction(q as f32)) * q.powi(power) / f64::from(cells)
            };
            let integral: f64 = (0..cells).map(term).sum();
            assert!((integral / f64::from(expected) - 1.0).abs() < 1e-4, "{integral}");
        }
        assert_eq!([0.0, 0.5, 1.0].map(attraction), [0.0; 3]);
    }
}
