//! Adhesion: walls attract the fluid next to them (Akinci2013).
//!
//! `a_i = −Σ_b β ρ₀ V_b A(r) x/r` with `A ∝ (−4q² + 6q − 2)^¼` for q = r/H from ½ to 1. As with surface tension, β follows from
//! a measurable quantity, the work of adhesion w: `w = π/4 ρ² ∫ F r⁴ dr` in space, `⅔ ρ² ∫ F r³ dr` in the plane.

use super::list::Force;
use super::particle_force::{ForceInput, ParticleForce};
use crate::boundary::{Cause, Reactions, SolidTerms};
use crate::kernel::SmoothingKernel;
use crate::parameters::Dimensions;
use crate::passes::{StepContext, sweep};
use glam::Vec3;
use std::f32::consts::FRAC_PI_4;

/// ∫ (−4q² + 6q − 2)^¼ qⁿ dq from ½ to 1 for n = 3 and 4.
const MOMENTS: [f32; 2] = [0.142_780_3, 0.116_585_1];

/// Adhesion to boundary particles. Planes have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Adhesion;

impl ParticleForce for Adhesion {
    const REACTS: bool = true;

    fn acts(ctx: &StepContext<'_>) -> bool {
        ctx.parameters.forces.adhesion > 0.0
    }

    fn add<K: SmoothingKernel>(
        &mut self,
        ForceInput { kernel, ctx, flow, walls, .. }: ForceInput<'_, K>,
        accelerations: &mut [Vec3],
    ) {
        let (pull, solids) = (Pull::new(ctx), SolidTerms { kernel, ctx, walls });
        sweep::update(accelerations, |i, acceleration| {
            let mut sum = Vec3::ZERO;
            for (b, x_ib) in solids.near(i, flow.positions[i]) {
                sum += pull.by(walls.volumes[b], x_ib);
            }
            *acceleration += ctx.lightness(i) * (-pull.coefficient * sum);
        });
    }

    fn react<K: SmoothingKernel>(
        ForceInput { ctx, flow, walls, .. }: ForceInput<'_, K>,
        duration: f32,
        reactions: &mut Reactions,
    ) {
        let pull = Pull::new(ctx);
        reactions.add(Cause::Force(Force::Adhesion), (ctx, walls), duration, |f, b| {
            -pull.coefficient * pull.by(walls.volumes[b], ctx.minimum_image(flow.positions[f], walls.positions[b]))
        });
    }
}

/// Pull of boundary particles with the present parameters.
#[derive(Clone, Copy, Debug)]
struct Pull {
    /// Coefficient β ρ₀ of the sum over boundary particles, over the factor of A.
    coefficient: f32,
    /// Support radius H, m.
    radius: f32,
}

impl Pull {
    fn new(ctx: &StepContext<'_>) -> Self {
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
        Self { coefficient: strength * rest_density, radius }
    }

    /// Returns `V_b (−4q² + 6q − 2)^¼ x/r` for a boundary particle of `volume` V_b (m³) at the distance `x_ib` (m).
    #[inline(always)]
    fn by(self, volume: f32, x_ib: Vec3) -> Vec3 {
        let r = x_ib.length();
        // The force is zero within half a radius: the bound only keeps r from being 0.
        volume * attraction(r / self.radius) / r.max(0.25 * self.radius) * x_ib
    }
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
