//! What a pressure does to the density: the one linear operator that the incompressible solvers share.
//!
//! The unknown is k = p/(ρ₀R²), m²/s², with the relative density R = ρ/ρ₀. Every particle has the rest volume V = m/ρ₀; walls have
//! theirs. With one and the same volume and gradient in [`acceleration`] and in [`compression_rate`] the operator A, which takes k to the
//! rate of dR/dt, is symmetric and negative where walls do not push back (Ihmsen2014, Bender2017).

use super::gradients::{Gradients, Row, RowMut, Weights};
use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
use crate::simd::{Simd, with_simd};
use crate::surroundings::Surroundings;
use crate::sweep;
use glam::Vec3;

/// D below this over the support radius squared has no pressure: there is next to nobody to push against.
const LEAST_STIFFNESS: f32 = 1e-6;

/// Density and stiffness of a particle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Site {
    /// R = ρ/ρ₀ by summation over fluid and walls.
    pub relative_density: f32,
    /// α = 1/D, m²; 0 where D is next to nothing.
    pub alpha: f32,
}

/// R and α of every particle: `R_i = V W(0) + Σ_j V W_ij + Σ_b V_b W_ib`,
/// `D_i = |Σ_j V∇W + Σ_b V_b∇W|² + Σ_j |V∇W|²`, 1/m². The gradients are kept for the iterations.
pub(crate) fn sites<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    positions: &[Vec3],
    walls: &BoundaryParticles,
    (gradients, sites): (&mut Gradients, &mut Vec<Site>),
) {
    let volume = around.rest_volume();
    let radius = around.discretization.support_radius;
    let least = LEAST_STIFFNESS / (radius * radius);
    // Far from the origin, what rounding took from the positions is as much as a density difference of 1e-5.
    let remainders = around.remainders;
    let simd = Simd::best();
    gradients.fill((around.fluid, around.walls), sites, |i, mut fluid, mut solid| {
        fluid.put(|j| around.between(positions[i], positions[j]) + (remainders[i] - remainders[j]));
        solid.put(|b| around.between(positions[i], walls.positions[b]) + remainders[i]);
        let volumes = walls.volumes.as_slice();
        let near = with_simd!(
            simd,
            (kernel: K, fluid: RowMut<'_>, volume: f32) -> Weights,
            [K: SmoothingKernel],
            fluid.weigh(kernel, |_| volume)
        );
        let near_walls = with_simd!(
            simd,
            (kernel: K, solid: RowMut<'_>, volumes: &[f32]) -> Weights,
            [K: SmoothingKernel],
            solid.weigh(kernel, |b| volumes[b])
        );
        let stiffness = (near.gradient + near_walls.gradient).length_squared() + near.squares;
        Site {
            relative_density: volume * kernel.w(0.0) + near.density + near_walls.density,
            // Written so that NaN has no pressure.
            alpha: if stiffness >= least { stiffness.recip() } else { 0.0 },
        }
    });
}

/// R of particle i alone, at `places`.
pub(crate) fn relative_density<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    places: &[Vec3],
    walls: &BoundaryParticles,
    i: usize,
) -> f32 {
    let mut fluid = kernel.w(0.0);
    for &j in around.fluid.of(i) {
        fluid += kernel.w(around.between(places[i], places[j as usize]).length());
    }
    let mut solid = 0.0;
    for &b in around.walls.of(i) {
        let b = b as usize;
        solid += walls.volumes[b] * kernel.w(around.between(places[i], walls.positions[b]).length());
    }
    around.rest_volume() * fluid + solid
}

/// `a_i(k) = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W`, m/s²; `wall_pressures` are k_b, m²/s².
pub(crate) fn acceleration(
    gradients: &Gradients,
    around: &Surroundings<'_>,
    wall_pressures: &[f32],
    k: &[f32],
    accelerations: &mut Vec<Vec3>,
) {
    let simd = Simd::best();
    sweep::map(around.fluid.len(), accelerations, |i| {
        let (fluid, solid) = (gradients.fluid(around.fluid, i), gradients.walls(around.walls, i));
        with_simd!(
            simd,
            (fluid: Row<'_>, solid: Row<'_>, i: usize, k: &[f32], wall_pressures: &[f32]) -> Vec3,
            [],
            -(fluid.weighted(k[i], |j| k[j]) + solid.weighted(k[i], |b| wall_pressures[b]))
        )
    });
}

/// `Σ_j V (v_i − v_j)·∇W + Σ_b V_b (v_i − v_b)·∇W`: for velocities dR/dt, 1/s; for accelerations its rate, 1/s². `wall` is v_b of the
/// boundary particles, `None` for what pressure does, which moves no wall.
#[inline]
pub(crate) fn compression_rate(
    gradients: &Gradients,
    around: &Surroundings<'_>,
    (field, wall): (&[Vec3], Option<&[Vec3]>),
    i: usize,
) -> f32 {
    let (fluid, solid) = (gradients.fluid(around.fluid, i), gradients.walls(around.walls, i));
    with_simd!(
        Simd::best(),
        (fluid: Row<'_>, solid: Row<'_>, i: usize, field: &[Vec3], wall: Option<&[Vec3]>) -> f32,
        [],
        fluid.difference(field[i], |j| field[j])
            + wall.map_or_else(|| solid.difference(field[i], |_| Vec3::ZERO), |wall| solid.difference(field[i], |b| wall[b]))
    )
}

#[cfg(test)]
pub(crate) mod tests;
