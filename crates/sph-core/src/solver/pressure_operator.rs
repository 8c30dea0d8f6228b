//! What a pressure does to the density: the one linear operator that the incompressible solvers share.
//!
//! The unknown is k = p/(ρ₀R²), m²/s², with the relative density R = ρ/ρ₀. Every particle has the rest volume V = m/ρ₀; walls have
//! theirs. With one and the same volume and gradient in [`acceleration`] and in [`compression_rate`] the operator A, which takes k to the
//! rate of dR/dt, is symmetric and negative where walls do not push back (Ihmsen2014, Bender2017).

use crate::boundary::BoundaryParticles;
use crate::kernel::SmoothingKernel;
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
/// `D_i = |Σ_j V∇W + Σ_b V_b∇W|² + Σ_j |V∇W|²`, 1/m².
pub(crate) fn sites<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    positions: &[Vec3],
    walls: &BoundaryParticles,
    sites: &mut Vec<Site>,
) {
    let volume = around.rest_volume();
    let radius = around.discretization.support_radius;
    let least = LEAST_STIFFNESS / (radius * radius);
    // Far from the origin, what rounding took from the positions is as much as a density difference of 1e-5.
    let remainders = around.remainders;
    sweep::map(positions.len(), sites, |i| {
        let mut relative_density = volume * kernel.w(0.0);
        let (mut gradient, mut squares) = (Vec3::ZERO, 0.0);
        for &j in around.fluid.of(i) {
            let j = j as usize;
            let x_ij = around.between(positions[i], positions[j]) + (remainders[i] - remainders[j]);
            let r = x_ij.length();
            relative_density += volume * kernel.w(r);
            let term = volume * kernel.dw_over_r(r) * x_ij;
            gradient += term;
            squares += term.length_squared();
        }
        for &b in around.walls.of(i) {
            let b = b as usize;
            let x_ib = around.between(positions[i], walls.positions[b]) + remainders[i];
            let r = x_ib.length();
            relative_density += walls.volumes[b] * kernel.w(r);
            gradient += walls.volumes[b] * kernel.dw_over_r(r) * x_ib;
        }
        let stiffness = gradient.length_squared() + squares;
        // Written so that NaN has no pressure.
        Site { relative_density, alpha: if stiffness >= least { stiffness.recip() } else { 0.0 } }
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

/// `a_i(k) = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W`, m/s²; `walls.pressures` are k_b, m²/s².
pub(crate) fn acceleration<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    positions: &[Vec3],
    walls: &BoundaryParticles,
    k: &[f32],
    accelerations: &mut Vec<Vec3>,
) {
    let volume = around.rest_volume();
    sweep::map(positions.len(), accelerations, |i| {
        let mut sum = Vec3::ZERO;
        for &j in around.fluid.of(i) {
            let j = j as usize;
            let both = k[i] + k[j];
            // Much of a splash is without pressure.
            if both != 0.0 {
                sum -= volume * both * kernel.grad_w(around.between(positions[i], positions[j]));
            }
        }
        for &b in around.walls.of(i) {
            let b = b as usize;
            sum -= walls.volumes[b]
                * (k[i] + walls.pressures[b])
                * kernel.grad_w(around.between(positions[i], walls.positions[b]));
        }
        sum
    });
}

/// `Σ_j V (v_i − v_j)·∇W + Σ_b V_b (v_i − v_b)·∇W`: for velocities dR/dt, 1/s; for accelerations its rate, 1/s². `wall` is v_b of a
/// boundary particle, zero for what pressure does, which moves no wall.
pub(crate) fn compression_rate<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    positions: &[Vec3],
    walls: &BoundaryParticles,
    (field, wall): (&[Vec3], impl Fn(usize) -> Vec3),
    i: usize,
) -> f32 {
    let volume = around.rest_volume();
    let (mut fluid, mut solid) = (0.0, 0.0);
    for &j in around.fluid.of(i) {
        let j = j as usize;
        let x_ij = around.between(positions[i], positions[j]);
        fluid += kernel.dw_over_r(x_ij.length()) * (field[i] - field[j]).dot(x_ij);
    }
    for &b in around.walls.of(i) {
        let b = b as usize;
        let x_ib = around.between(positions[i], walls.positions[b]);
        solid += walls.volumes[b] * kernel.dw_over_r(x_ib.length()) * (field[i] - wall(b)).dot(x_ib);
    }
    volume * fluid + solid
}

#[cfg(test)]
pub(crate) mod tests;
