//! XSPH (Monaghan1989): advection with velocities smoothed over the neighbours, which keeps particles in order.

use super::flow::Flow;
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::passes::{StepContext, sweep};
use glam::Vec3;

/// Computes the advection velocities `v_i − ε Σ_j 2m/(ρ_i + ρ_j) v_ij W_ij`, m/s.
///
/// The velocities themselves stay: smoothed, they would lose energy in every step, like a viscosity that depends on dt. Pairs
/// cancel, so that the momentum of the fluid is conserved.
pub(crate) fn smooth(ctx: &StepContext<'_>, flow: Flow<'_>, advection_velocities: &mut Vec<Vec3>) {
    with_kernel!(ctx.kernel, kernel => smooth_with(kernel, ctx, flow, advection_velocities));
}

fn smooth_with<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>, flow: Flow<'_>, advection_velocities: &mut Vec<Vec3>) {
    let Flow { positions, velocities, densities } = flow;
    let share = 2.0 * ctx.parameters.forces.xsph * ctx.mass;
    sweep::map(positions.len(), advection_velocities, |i| {
        let mut sum = Vec3::ZERO;
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let w = kernel.w(ctx.minimum_image(positions[i], positions[j]).length());
            let density = |k: usize| ctx.lightness(k) * densities[k];
            let pair_density = ctx.mixture.map_or(1.0, |mixture| mixture.pair_density(i, j));
            sum += pair_density * w / (density(i) + density(j)) * (velocities[i] - velocities[j]);
        }
        velocities[i] - share * ctx.lightness(i) * sum
    });
}
