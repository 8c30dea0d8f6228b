//! Bound on the energy that a pressure solve gives to fluid that strikes walls.

use crate::boundary::BoundaryParticles;
use crate::passes::{StepContext, sum_cells, sweep};
use crate::solver::time_step::potential_range;
use glam::{Vec3, Vec4};

/// Least energy of fluid in violent motion, over that which it would have at the speed √(gH) of its longest waves.
const VIOLENT: f64 = 0.1;

/// Shortens the change `dt a` of the velocities by a solve (m/s) with its pressures, k and those of the walls, where it would
/// double the energy of fluid in violent motion between walls at rest. The change that takes most energy is the share
/// θ = −Σ v·a / dt Σ a² of it; without walls a solve that only stops compression has θ = 1. Walls push with a pressure extrapolated
/// from several particles, some of which may be about to leave: where fluid strikes a corner the change may be several times too
/// large.
pub fn keep_energy(
    ctx: &StepContext<'_>,
    (positions, velocities): (&[Vec3], &[Vec3]),
    dt: f32,
    (k, walls, accelerations): (&mut [f32], &mut BoundaryParticles, &mut [Vec4]),
) {
    if walls.max_speed() > 0.0 {
        return;
    }
    // Twice the energy, the power and Σ a², over the mass of a particle of the reference fluid; and how many of these weigh as much.
    let [energy, power, squares, weights] = sum_cells(ctx.cells, |i| {
        let (velocity, acceleration) = (velocities[i], accelerations[i].truncate());
        let weight = ctx.lightness(i).recip();
        [velocity.length_squared(), velocity.dot(acceleration), acceleration.length_squared(), 1.0]
            .map(|sum| f64::from(weight * sum))
    });
    let dt = f64::from(dt);
    let gain = dt * (2.0 * power + dt * squares);
    if gain <= energy || energy <= VIOLENT * weights * f64::from(potential_range(&ctx.external, positions)) {
        return;
    }
    let share = (-power / (dt * squares)).max(0.0) as f32;
    sweep::update(accelerations, |_, acceleration| *acceleration *= share);
    sweep::update(k, |_, k| *k *= share);
    ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure *= share);
    sweep::update(&mut walls.at_planes, |_, pressure| *pressure *= share);
}
