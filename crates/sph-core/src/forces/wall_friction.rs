//! Wall friction, a force of the tests alone: it follows the recipe for forces in `CONTRIBUTING.md` line by line, so that the tests below fail
//! when the recipe no longer leads to a force with a share in the report and a reaction on solids.
//!
//! `a_i = −k Σ_b V_b W (v_i − v_b)`: a row of particles that slides along a wall at rest slows down as `exp(−k s t)` with `s = Σ_b V_b W`.

use super::list::Force;
use super::particle_force::{ForceInput, ParticleForce};
use crate::boundary::{Cause, Reactions, SolidTerms};
use crate::kernel::SmoothingKernel;
use crate::passes::{StepContext, sweep};
use glam::Vec3;

/// Friction of boundary particles. Planes have none.
#[derive(Clone, Debug, Default)]
pub(super) struct WallFriction;

impl ParticleForce for WallFriction {
    const REACTS: bool = true;

    fn acts(ctx: &StepContext<'_>) -> bool {
        ctx.parameters.forces.wall_friction > 0.0
    }

    fn add<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>, accelerations: &mut [Vec3]) {
        let ForceInput { kernel, ctx, flow, walls, .. } = input;
        let solids = SolidTerms { kernel, ctx, walls };
        sweep::update(accelerations, |i, acceleration| {
            for (b, x_ib) in solids.near(i, flow.positions[i]) {
                *acceleration += ctx.lightness(i) * by(input, (i, b), x_ib);
            }
        });
    }

    fn react<K: SmoothingKernel>(input: ForceInput<'_, K>, duration: f32, reactions: &mut Reactions) {
        let ForceInput { ctx, flow, walls, .. } = input;
        reactions.add(Cause::Force(Force::WallFriction), (ctx, walls), duration, |f, b| {
            by(input, (f, b), ctx.minimum_image(flow.positions[f], walls.positions[b]))
        });
    }
}

/// Acceleration of particle i by boundary particle b at the distance `x_ib` (m), m/s².
fn by<K: SmoothingKernel>(input: ForceInput<'_, K>, (i, b): (usize, usize), x_ib: Vec3) -> Vec3 {
    let ForceInput { kernel, ctx, flow, walls, .. } = input;
    let weight = ctx.parameters.forces.wall_friction * walls.volumes[b] * kernel.w(x_ib.length());
    -weight * (flow.velocities[i] - walls.velocity(b))
}
