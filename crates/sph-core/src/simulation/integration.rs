//! Integration of positions, which ends a step: the step is accepted or refused.

use super::Simulation;
use super::confinement::{Confinement, Held};
use crate::boundary::StepInterval;
use crate::forces::ExternalForces;
use crate::parameters::Method;
use crate::particles::Particles;
use crate::passes::sweep;
use crate::report::StepError;
use crate::space::two_sum;
use glam::{DVec3, Vec3};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Shortest time step that is accepted, s.
const SHORTEST_STEP: f32 = 1e-12;

/// Smallest distance of a particle to a wall, in particle spacings. Fluid under the pressure of [`WallPressure::Extrapolated`]
/// stays at a third to a half; only droplets and impacts reach it. [`StepStats::held_particles`] counts them.
///
/// [`WallPressure::Extrapolated`]: crate::parameters::WallPressure::Extrapolated
/// [`StepStats::held_particles`]: crate::StepStats::held_particles
const WALL_CLEARANCE: f32 = 0.1;

impl Simulation {
    /// Confines the velocities by the walls, then moves the particles: `x += dt v`, wrapped into the periodic domain. Returns
    /// what the walls have held. If the state of a particle is invalid, refuses the step: particles stay where they are and get
    /// back their densities.
    pub(super) fn integrate(&mut self, dt: f32) -> Result<Held, StepError> {
        let Self {
            state, next, velocity_update, discretization, containers, bodies, domain, external_forces, reactions, ..
        } = self;
        let times = [state.time, state.time + f64::from(dt)];
        let particles = &mut state.particles;
        let count = particles.len();
        let external = ExternalForces::new(state.parameters.gravity, external_forces, state.time, domain);
        let acceleration = |at: DVec3| external.at(domain.wrap(at.as_vec3())).as_dvec3();
        let is_incompressible = state.parameters.solver.method != Method::Wcsph;
        let interval = StepInterval { times, moved: &state.moved, is_incompressible };
        let ends = match bodies.advance(&state.bodies, reactions, acceleration, interval) {
            Ok(ends) => ends,
            Err(body) => {
                next.refuse(particles, &mut state.solver);
                return Err(StepError::Body { body });
            }
        };
        bodies.begin_step(times, &ends, &state.moved);
        containers.begin_step(times);
        let clearance = WALL_CLEARANCE * discretization.particle_spacing;
        let solids = Confinement { dimensions: discretization.dimensions, domain, bodies, containers, clearance, dt };
        let confined = |i: usize, free: Vec3| solids.confine(particles.positions[i], free, |_, _| ());
        // Of whole numbers, so that the count does not depend on the order.
        let held = AtomicUsize::new(0);
        // x += dt v, with the rounding error kept for the next step.
        let Particles { positions, rounding_errors, velocities, .. } = &mut next.particles;
        sweep::map_three(count, (positions, rounding_errors, velocities), |i| {
            let free = velocity_update.velocities[i];
            let velocity = confined(i, free);
            let advection = velocity_update.advection_velocities.get(i);
            let advection_velocity = advection.map_or(velocity, |&unconfined| confined(i, unconfined));
            if velocity != free || advection.is_some_and(|&unconfined| advection_velocity != unconfined) {
                held.fetch_add(1, Ordering::Relaxed);
            }
            let (sum, rounding_error) = two_sum(particles.positions[i], dt * advection_velocity + particles.rounding_errors[i]);
            (domain.wrap(sum), rounding_error, velocity)
        });
        // The first invalid state, by index.
        let max_displacement = 0.5 * discretization.support_radius;
        let error = sweep::find_first(count, |i| {
            let (particle_id, position) = (particles.ids[i], particles.positions[i]);
            let (density, speed) = (particles.densities[i], next.particles.velocities[i].length());
            // The unconfined velocity is checked as well: confinement can turn NaN into a number.
            let finite =
                velocity_update.velocities[i].is_finite() && next.particles.positions[i].is_finite() && density.is_finite();
            if !finite {
                Some(StepError::NonFinite { particle_id, position })
            } else if density <= 0.0 {
                Some(StepError::Density { particle_id, position, density })
            } else if speed * dt > max_displacement {
                Some(StepError::Runaway { particle_id, position, speed })
            } else {
                None
            }
        });
        // Checked last: a particle whose state is not finite explains more.
        let error = error.or((dt < SHORTEST_STEP).then_some(StepError::Stalled { dt }));
        if let Some(error) = error {
            next.refuse(particles, &mut state.solver);
            return Err(error);
        }
        let velocities = [velocity_update.velocities.as_slice(), &next.particles.velocities];
        let mass = |i: usize| self.mass * self.mixture.relative_rest_density(i);
        let held = Held::new(held.into_inner(), self.order.cells(), mass, velocities);
        if held.particles > 0 && reactions.are_wanted() {
            solids.add_contacts(mass, &particles.positions, velocities, reactions);
        }
        next.accept(particles);
        state.bodies = ends;
        let length = times[1] - times[0];
        let spacing = discretization.particle_spacing;
        state.moved.iter_mut().for_each(|moved| *moved = moved.after(length).braked(length, spacing));
        bodies.keep_contacts(&mut state.bodies, reactions);
        Ok(held)
    }
}
