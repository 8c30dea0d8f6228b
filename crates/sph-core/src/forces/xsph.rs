//! XSPH (Monaghan1989): particles move with a velocity smoothed over their neighbours, and so keep their order.

use super::flow::Flow;
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::passes::{StepContext, sweep};
use glam::Vec3;

/// Turns the velocities with which particles are about to move, m/s, into `v_i − ε Σ_j 2m/(ρ_i + ρ_j) v_ij W_ij`.
///
/// The velocities that they keep stay as they are: smoothed as well they would lose energy by the step, like a viscosity that depends
/// on dt. Pairs cancel, so the fluid as a whole moves with its momentum.
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
            sum += w / (densities[i] + densities[j]) * (velocities[i] - velocities[j]);
        }
        velocities[i] - share * sum
    });
}
