//! Micropolar fluid (Bender2017a): particles with spin, coupled to the flow.
//!
//! `dv/dt = ν_t ∇×ω`, `Θ dω/dt = ν_t (∇×v − 2ω)`: in a rigid rotation the spin approaches the angular velocity of the fluid,
//! and eddies smaller than the particle spacing persist as spin. The curl of ω uses sums and that of v differences, so that the
//! forces of a pair are opposite.

use super::particle_force::{Flow, ForceInput, ParticleForce};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::passes::{StepContext, sweep};
use crate::report::held;
use glam::Vec3;

/// Adds to `accelerations` `ν_t Σ_j V ∇W × (ω_i + ω_j)`, m/s², with the angular velocities ω (1/s) of all particles, or none.
fn add<K: SmoothingKernel>(ForceInput { kernel, ctx, flow, spins, .. }: ForceInput<'_, K>, accelerations: &mut [Vec3]) {
    if spins.is_empty() {
        return;
    }
    let positions = flow.positions;
    let weight = ctx.parameters.forces.vorticity_transfer * ctx.rest_volume();
    sweep::update(accelerations, |i, acceleration| {
        let mut sum = Vec3::ZERO;
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let curl = kernel.grad_w(ctx.minimum_image(positions[i], positions[j])).cross(spins[i] + spins[j]);
            sum += ctx.mixture.map_or(1.0, |mixture| mixture.pair_density(i, j)) * curl;
        }
        *acceleration += weight * ctx.lightness(i) * sum;
    });
}

/// Spin of the particles after a step, until the step is accepted.
#[derive(Clone, Debug, Default)]
pub(super) struct Spin {
    /// ω after the step, 1/s.
    next: Vec<Vec3>,
}

impl ParticleForce for Spin {
    fn acts(ctx: &StepContext<'_>) -> bool {
        ctx.parameters.forces.vorticity_transfer > 0.0
    }

    fn add<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>, accelerations: &mut [Vec3]) {
        add(input, accelerations);
    }

    fn memory(&self) -> usize {
        held(&self.next)
    }
}

impl Spin {
    /// Computes the spin after a step of `dt` (s) from `flow`; [`Spin::commit`] accepts it.
    ///
    /// Smooths it, `ω_i − ν_ω Σ_j V ω_ij W`, then sets `ω ← (ω + b ∇×v)/(1 + 2b)` with `b = dt ν_t/Θ`, which is stable for any
    /// dt.
    pub fn advance(&mut self, ctx: &StepContext<'_>, flow: Flow<'_>, spins: &[Vec3], dt: f32) {
        with_kernel!(ctx.kernel, kernel => self.advance_with(kernel, ctx, flow, spins, dt));
    }

    fn advance_with<K: SmoothingKernel>(&mut self, kernel: K, ctx: &StepContext<'_>, flow: Flow<'_>, spins: &[Vec3], dt: f32) {
        let Flow { positions, velocities, .. } = flow;
        let forces = ctx.parameters.forces;
        let exchange = dt * forces.vorticity_transfer / forces.micro_inertia;
        let volume = ctx.rest_volume();
        // In the first step nothing spins.
        let spin = |i: usize| spins.get(i).copied().unwrap_or(Vec3::ZERO);
        sweep::map(positions.len(), &mut self.next, |i| {
            let (mut difference, mut curl) = (Vec3::ZERO, Vec3::ZERO);
            for &j in ctx.fluid.of(i) {
                let j = j as usize;
                let x_ij = ctx.minimum_image(positions[i], positions[j]);
                let r = x_ij.length();
                let pair_density = ctx.mixture.map_or(1.0, |mixture| ctx.lightness(i) * mixture.pair_density(i, j));
                difference += pair_density * kernel.w(r) * (spin(i) - spin(j));
                curl += pair_density * kernel.dw_over_r(r) * (velocities[i] - velocities[j]).cross(x_ij);
            }
            let smooth = spin(i) - forces.vorticity_smoothing * volume * difference;
            (smooth + exchange * volume * curl) / (1.0 + 2.0 * exchange)
        });
    }

    /// Accepts the spin of the last step; without one, `spins` become empty.
    pub fn commit(&mut self, spins: &mut Vec<Vec3>) {
        std::mem::swap(spins, &mut self.next);
        self.next.clear();
    }
}
