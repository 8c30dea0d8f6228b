//! The end of a step: particles move, or the step is refused.

use super::Simulation;
use super::next::Next;
use crate::boundary::Container;
use crate::passes::sweep;
use crate::report::StepError;
use crate::space::two_sum;
use glam::Vec3;

/// Time step, s, below which a simulation no longer gets anywhere.
const SHORTEST_STEP: f32 = 1e-12;

/// How close to a wall a particle may come, in particle spacings. Fluid under pressure stays a third to a half away; droplets come
/// this close.
const WALL_CLEARANCE: f32 = 0.1;

impl Simulation {
    /// Asks the walls, then moves the particles: `x += dt v`, and in again where that leads out through a periodic face. Undoes the
    /// density step and moves nothing if a particle would go wrong.
    pub(super) fn integrate(&mut self, dt: f32) -> Option<StepError> {
        let times = [self.time, self.time + f64::from(dt)];
        let Self { particles, rounding_errors, next, velocity_update, discretization, containers, bodies, domain, .. } = self;
        let count = particles.len();
        let clearance = WALL_CLEARANCE * discretization.particle_spacing;
        let confined = |i: usize, free: Vec3| {
            let confine = |velocity, container: &Container| {
                container.confine(discretization.dimensions, clearance, dt, particles.positions[i], velocity)
            };
            let free = bodies.confine((discretization.dimensions, domain), clearance, times, particles.positions[i], free);
            containers.iter().fold(free, confine)
        };
        let Next { positions, rounding_errors: new_rounding_errors, velocities, .. } = next;
        sweep::map_three(count, (positions, new_rounding_errors, velocities), |i| {
            let velocity = confined(i, velocity_update.velocities[i]);
            let carried = velocity_update
                .advection_velocities
                .get(i)
                .map_or(velocity, |&advection_velocities| confined(i, advection_velocities));
            let (sum, rest) = two_sum(particles.positions[i], dt * carried + rounding_errors[i]);
            (domain.wrap(sum), rest, velocity)
        });
        let farthest = 0.5 * discretization.support_radius;
        let error = sweep::find_first(count, |i| {
            let (particle_id, position) = (particles.ids[i], particles.positions[i]);
            let (density, speed) = (particles.densities[i], next.velocities[i].length());
            // The velocity before the walls as well: they would turn one that is NaN into one that is not.
            let finite = velocity_update.velocities[i].is_finite() && next.positions[i].is_finite() && density.is_finite();
            if !finite {
                Some(StepError::NonFinite { particle_id, position })
            } else if density <= 0.0 {
                Some(StepError::Density { particle_id, position, density })
            } else if speed * dt > farthest {
                Some(StepError::Runaway { particle_id, position, speed })
            } else {
                None
            }
        });
        // Asked after the particles: one whose state is not finite is the better explanation.
        let error = error.or((dt < SHORTEST_STEP).then_some(StepError::Stalled { dt }));
        if error.is_none() {
            next.accept(particles, rounding_errors);
        } else {
            next.refuse(particles);
        }
        error
    }
}
