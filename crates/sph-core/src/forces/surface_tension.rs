//! Surface tension: cohesion between particles, and minimisation of the surface area by normals (Akinci2013).
//!
//! `a_i = −Σ_j K_ij γ [m C(r) x/r + κ ρ₀ V/H^d (n_i − n_j)]` with normals `n = H Σ_j m/ρ_j ∇W`, of length about 1 at a surface.
//! The factor `K_ij = 2ρ₀/(ρ_i + ρ_j)` compensates for missing neighbours near a surface; it is symmetric in i and j, so that
//! momentum is conserved.
//!
//! There are two differences to the paper. The paper weighs the normals of a pair by κ ρ₀ = 1, so that their weight beside the
//! cohesion grows with the number of neighbours; here the factor V/H^d keeps the ratio of the two constant. And the weight of
//! the normals is eight times that of the paper at 33 neighbours, because they are what restores the shape of an oscillating
//! drop: cohesion compresses the drop, the pressure that balances it cancels most of its tension, and cohesion alone turns a
//! drop into a solid, whose particles do not move past each other.
//!
//! In the paper γ is a free coefficient. Here it follows from the surface tension σ: see [`SHARE`].

use super::particle_force::{Flow, ForceInput, ParticleForce};
use crate::kernel::SmoothingKernel;
use crate::parameters::{Dimensions, Discretization, MAX_FLUIDS};
use crate::passes::{FluidCoefficients, Mixture, StepContext, sweep};
use crate::report::held;
use glam::Vec3;
use std::f32::consts::PI;

/// κ: weight of the normals beside the cohesion.
const NORMALS: f32 = 0.064;

/// Surface tension of cohesion and normals together over that of cohesion across a sharp surface, in the plane and in space.
/// The latter is half the work of separating two halves of a fluid of density ρ: `π/8 ρ² ∫ F r⁴ dr` in space and
/// `⅓ ρ² ∫ F r³ dr` in the plane, for a force F per mass² of each particle.
///
/// Calibrated by the periods of oscillating drops with a support radius of 4 spacings: in the plane at radii of 30, 40 and 60
/// spacings, in space at 10 spacings, extrapolated to 40 by the ratio between 20 and 40 in the plane.
const SHARE: [f32; 2] = [4.5, 5.4];

/// ∫ c qⁿ dq from 0 to 1 for n = 3 and 4, exactly 33/28672 and 21/28160.
const MOMENTS: [f32; 2] = [33.0 / 28672.0, 21.0 / 28160.0];

/// Surface tension.
#[derive(Clone, Debug, Default)]
pub(super) struct SurfaceTension {
    /// Normals, workspace.
    normals: Vec<Vec3>,
}

impl ParticleForce for SurfaceTension {
    fn acts(ctx: &StepContext<'_>) -> bool {
        ctx.has_surface_tension()
    }

    fn add<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>, accelerations: &mut [Vec3]) {
        add(input, &mut self.normals, accelerations);
    }

    fn memory(&self) -> usize {
        held(&self.normals)
    }
}

/// Adds the accelerations of surface tension, m/s². `normals` is workspace.
fn add<K: SmoothingKernel>(
    ForceInput { kernel, ctx, flow: Flow { positions, densities, .. }, .. }: ForceInput<'_, K>,
    normals: &mut Vec<Vec3>,
    accelerations: &mut [Vec3],
) {
    let radius = ctx.discretization.support_radius;
    let single = Cohesion::new(ctx, ctx.discretization.rest_density, ctx.parameters.forces.surface_tension);
    let mut of_fluids = [single; MAX_FLUIDS];
    for (cohesion, fluid) in of_fluids.iter_mut().zip(ctx.mixture.map_or(&[][..], Mixture::fluids)) {
        *cohesion = Cohesion::of(ctx, fluid);
    }
    // Fluids attract their own kind only: each has a surface where the other begins.
    let is_other = |i: usize, j: usize| ctx.mixture.is_some_and(|mixture| mixture.of_particle[i] != mixture.of_particle[j]);
    sweep::map(positions.len(), normals, |i| {
        let mut sum = Vec3::ZERO;
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            if is_other(i, j) {
                continue;
            }
            sum += kernel.grad_w(ctx.minimum_image(positions[i], positions[j])) / densities[j];
        }
        radius * ctx.mass_of(i) * sum
    });
    sweep::update(accelerations, |i, acceleration| {
        let (rest_density, mass) = (ctx.rest_density_of(i), ctx.mass_of(i));
        let cohesion = ctx.mixture.map_or(single, |mixture| of_fluids[usize::from(mixture.of_particle[i])]);
        let mut sum = Vec3::ZERO;
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            if is_other(i, j) {
                continue;
            }
            let x_ij = ctx.minimum_image(positions[i], positions[j]);
            let attraction = mass * cohesion.over_r(x_ij.length()) * x_ij;
            let curvature = cohesion.normals * (normals[i] - normals[j]);
            sum += 2.0 * rest_density / (densities[i] + densities[j]) * (attraction + curvature);
        }
        *acceleration -= cohesion.strength * sum;
    });
}

/// Cohesion spline C, and the coefficients of cohesion and normals.
#[derive(Clone, Copy, Debug)]
struct Cohesion {
    /// Support radius H, m.
    radius: f32,
    /// Coefficient γ, m⁴/(kg s²).
    strength: f32,
    /// Prefactor of C, 1/m³ (1/m² in two dimensions): 32/π H⁻³ in space; in the plane such that γ means the same σ.
    scale: f32,
    /// Weight of the normals κ ρ₀ V/H^d, kg/m³ (kg/m² in two dimensions).
    normals: f32,
}

impl Cohesion {
    /// Cohesion of one of several fluids.
    fn of(ctx: &StepContext<'_>, fluid: &FluidCoefficients) -> Self {
        Self::new(ctx, ctx.discretization.rest_density / fluid.lightness, fluid.surface_tension)
    }

    /// Cohesion of a fluid with a rest density (kg/m³) and a surface tension (N/m).
    fn new(ctx: &StepContext<'_>, rest_density: f32, surface_tension: f32) -> Self {
        let Discretization { dimensions, support_radius: radius, .. } = *ctx.discretization;
        let weight = rest_density * radius;
        let [third, fourth] = MOMENTS;
        let (scale, share) = match dimensions {
            Dimensions::Two => (12.0 * fourth / third / radius.powi(2), SHARE[0]),
            Dimensions::Three => (32.0 / PI / radius.powi(3), SHARE[1]),
        };
        let strength = surface_tension / (share * 4.0 * fourth * weight * weight);
        let per_neighbourhood = ctx.rest_volume() / radius.powi(dimensions.count() as i32);
        Self { radius, strength, scale, normals: NORMALS * rest_density * per_neighbourhood }
    }

    /// Returns C(r)/r; 0 at r = 0, where the direction is undefined.
    fn over_r(self, r: f32) -> f32 {
        if r > 0.0 { self.scale * spline(r / self.radius) / r } else { 0.0 }
    }
}

/// Cohesion spline: `(1 − q)³ q³` for q > ½, else `2(1 − q)³ q³ − 1/64`. Attractive from q ≈ 0.37 on, with the maximum 1/64 at
/// ½. The term 1/64 is inside the prefactor of C; only so is C continuous.
fn spline(q: f32) -> f32 {
    let product = ((1.0 - q) * q).max(0.0);
    let cubed = product * product * product;
    if q > 0.5 { cubed } else { 2.0 * cubed - 1.0 / 64.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spline_is_continuous_and_largest_in_the_middle() {
        let samples: Vec<f32> = (0..=10_000).map(|n| spline(n as f32 * 1e-4)).collect();
        assert!(samples.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 2e-5), "the spline is discontinuous");
        let largest = samples.iter().fold(0.0f32, |largest, &value| largest.max(value));
        assert_eq!((samples[5000], largest), (1.0 / 64.0, 1.0 / 64.0));
        assert_eq!((samples[0], samples[10_000]), (-1.0 / 64.0, 0.0));
    }

    #[test]
    fn the_moments_are_integrals() {
        for (power, exact) in (3..).zip(MOMENTS) {
            let cells = 100_000;
            let term = |cell: u32| {
                let q = (f64::from(cell) + 0.5) / f64::from(cells);
                f64::from(spline(q as f32)) * q.powi(power) / f64::from(cells)
            };
            let integral: f64 = (0..cells).map(term).sum();
            assert!((integral / f64::from(exact) - 1.0).abs() < 1e-4, "{integral}");
        }
    }
}
