//! Integration of positions, which ends a step: solids confine the particles, and the step is accepted or refused.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Simulation;
use super::bodies::Bodies;
use super::coats::CoatedStep;
use super::points::{StepFluid, StepSurfaces};
use super::solids::Containers;
use crate::boundary::{BodyState, Reactions, Solid, StepInterval};
use crate::forces::ExternalForces;
use crate::neighbors::AuditPlan;
use crate::parameters::{Dimensions, Method};
use crate::particles::Particles;
use crate::passes::{sum_cells, sweep};
use crate::point_sets::FluidField;
use crate::report::StepError;
use crate::solver::SolverMemory;
use crate::space::{Domain, Wrap, two_sum};
use glam::{DVec3, Vec3};

/// Shortest time step that is accepted, s.
const SHORTEST_STEP: f32 = 1e-12;

/// Smallest distance of a particle to a wall, in particle spacings. Fluid under the pressure of [`WallPressure::Extrapolated`]
/// stays at a third to a half; only droplets and impacts reach it. [`StepStats::held_particles`] counts them.
///
/// [`WallPressure::Extrapolated`]: crate::parameters::WallPressure::Extrapolated
/// [`StepStats::held_particles`]: crate::StepStats::held_particles
const WALL_CLEARANCE: f32 = 0.1;

impl Simulation {
    /// Computes how bodies and containers move in a step of `dt` (s). Returns the states of the bodies at its end, and the step that has begun;
    /// refuses the step if one of them would not be finite.
    pub(super) fn begin_motion(&mut self, dt: f32) -> Result<Vec<BodyState>, StepError> {
        let Self { state, next, bodies, containers, domain, external_forces, reactions, .. } = self;
        let times = [state.time, state.time + f64::from(dt)];
        let external = ExternalForces::new(state.parameters.gravity, external_forces, state.time, domain);
        let acceleration = |at: DVec3| external.at(domain.wrap(at.as_vec3())).as_dvec3();
        let is_incompressible = state.parameters.solver.method != Method::Wcsph;
        let interval = StepInterval { times, moved: &state.moved, is_incompressible };
        let ends = bodies.advance(&state.bodies, reactions, acceleration, interval).map_err(|body| {
            next.refuse(&mut state.particles, &mut state.solver);
            StepError::Body { body }
        })?;
        bodies.begin_step(times, &ends, &state.moved);
        containers.begin_step(times);
        Ok(ends)
    }

    /// Advances the point sets by `dt` (s), among bodies and containers whose motion has begun; refuses the step if a point would have a state
    /// that is not finite.
    pub(super) fn advance_points(&mut self, dt: f32) -> Result<(), StepError> {
        let Self { state, next, points, coats, bodies, containers, domain, external_forces, reactions, .. } = self;
        let Self { discretization, neighborhood, velocity_update, audited, .. } = self;
        coats.gather(reactions.on_points(), &state.sets, &mut points.impulses);
        let is_incompressible = state.parameters.solver.method != Method::Wcsph;
        points.relax(&state.sets, dt, |set, point| coats.moved(&state.sets, (set, point), is_incompressible));
        let times = [state.time, state.time + f64::from(dt)];
        let external = ExternalForces::new(state.parameters.gravity, external_forces, state.time, domain);
        let surfaces = StepSurfaces { bodies, containers, domain, dt };
        let (positions, velocities) = (&state.particles.positions, velocity_update.of_positions());
        let fluid = (!velocities.is_empty()).then(|| StepFluid { discretization, domain, neighborhood, positions, velocities });
        let fluid = fluid.as_ref().map(|fluid| fluid as &dyn FluidField);
        let audit = AuditPlan { queries: *audited, round: state.steps };
        let advanced = points.advance(state, times, external, &surfaces, fluid, audit);
        advanced.inspect_err(|_| next.refuse(&mut state.particles, &mut state.solver))
    }

    /// Confines the velocities by the walls, then moves the particles: `x += dt v`, wrapped into the periodic domain. Returns
    /// what the walls have held. If the state of a particle is invalid, or it would move farther than `reach` (m), refuses the
    /// step: particles stay where they are and get back their densities. `ends` are the states of the bodies at its end.
    pub(super) fn integrate(&mut self, dt: f32, reach: f32, ends: Vec<BodyState>) -> Result<WallClamp, StepError> {
        let Self { state, next, velocity_update, discretization, containers, bodies, domain, reactions, .. } = self;
        let points = CoatedStep {
            coats: &self.coats,
            near: &self.neighborhood.walls,
            sets: [&state.sets, &self.points.next].map(Vec::as_slice),
        };
        let times = [state.time, state.time + f64::from(dt)];
        let particles = &mut state.particles;
        let count = particles.len();
        let clearance = WALL_CLEARANCE * discretization.particle_spacing;
        let solids = Confinement { dimensions: discretization.dimensions, domain, bodies, containers, points, clearance, dt };
        let confined = |i: usize, free: Vec3| solids.confine((i, particles.positions[i]), free, |_, _| ());
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
            } else if speed * dt > reach {
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
        let held = WallClamp::new(held.into_inner(), self.order.cells(), mass, velocities);
        if held.particles > 0 && reactions.are_wanted() {
            solids.add_contacts(mass, &particles.positions, velocities, reactions);
        }
        let (coats, contacts, before) = (&self.coats, reactions.contacts_of_points(), &state.sets);
        self.points.keep_pending(|add| coats.share(before, domain, contacts, add));
        next.accept(particles);
        state.bodies = ends;
        let length = times[1] - times[0];
        let spacing = discretization.particle_spacing;
        state.moved.iter_mut().for_each(|moved| *moved = moved.after(length).braked(length, spacing));
        bodies.keep_contacts(&mut state.bodies, reactions);
        bodies.push(&mut state.bodies, self.points.impulses_on_bodies());
        self.points.accept(state);
        Ok(held)
    }
}

// Confinement of velocities by everything solid, the account of it, and the reactions to it.

/// Containers and bodies during a step, which particles neither leave nor enter.
pub(super) struct Confinement<'a> {
    pub dimensions: Dimensions,
    pub domain: &'a Domain,
    pub bodies: &'a Bodies,
    pub containers: &'a Containers,
    pub points: CoatedStep<'a>,
    /// Smallest distance of a particle to a wall, m.
    pub clearance: f32,
    /// Length of the step, s.
    pub dt: f32,
}

/// Particles that a step has held back at solids: those whose velocities confinement has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WallClamp {
    /// Their number.
    pub particles: usize,
    /// Sum of the magnitudes of the impulses on them, Σ m |Δv|, N s (N s/m in two dimensions).
    pub impulse: f64,
}

impl WallClamp {
    /// The account of `particles` held particles: impulses of fluid of particle mass `mass` (kg), ordered by `cells`, from the
    /// first to the second of its velocities, m/s.
    pub fn new(particles: usize, cells: &[u32], mass: impl Fn(usize) -> f32 + Sync, [free, confined]: [&[Vec3]; 2]) -> Self {
        if particles == 0 {
            return Self::default();
        }
        let impulse = |i: usize| f64::from(mass(i)) * (confined[i].as_dvec3() - free[i].as_dvec3()).length();
        let [impulse] = sum_cells(cells, |i| [if free[i] == confined[i] { 0.0 } else { impulse(i) }]);
        Self { particles, impulse }
    }
}

impl Confinement<'_> {
    /// Velocity (m/s) closest to `velocity` with which particle `i` at `position` (m) stays inside the containers and outside
    /// bodies and coated points. `stopped` is called for each solid that changes it, with the change, m/s.
    #[inline]
    pub fn confine(&self, (i, position): (usize, Vec3), velocity: Vec3, mut stopped: impl FnMut(Solid, DVec3)) -> Vec3 {
        let Self { dimensions, domain, bodies, containers, points, clearance, dt } = *self;
        let by_body = |index, change| stopped(Solid::Body(index), change);
        let outside = bodies.confine((dimensions, domain), clearance, dt, (position, velocity), by_body);
        let outside = points.confine((i, position), domain, (clearance, dt), outside, &mut stopped);
        let inside = containers.confine(dimensions, clearance, dt, position, outside);
        if inside != outside {
            stopped(Solid::Walls, inside.as_dvec3() - outside.as_dvec3());
        }
        inside
    }

    /// Adds the reactions to the confinement of fluid of particle mass `mass` (kg) at `positions` (m): from the first to the
    /// second of `velocities`, m/s.
    pub fn add_contacts(
        &self,
        mass: impl Fn(usize) -> f32,
        positions: &[Vec3],
        velocities: [&[Vec3]; 2],
        reactions: &mut Reactions,
    ) {
        let [free, confined] = velocities;
        let is_stopped = |i: usize| free[i] != confined[i];
        let Some(first) = sweep::find_first(free.len(), |i| is_stopped(i).then_some(i)) else { return };
        let wrap = Wrap::new(self.domain);
        for i in (first..free.len()).filter(|&i| is_stopped(i)) {
            self.confine((i, positions[i]), free[i], |solid, change| {
                reactions.add_contact(solid, wrap, positions[i], f64::from(mass(i)) * change);
            });
        }
    }
}

// Second buffer of the particles' state, in which a step is written before it is accepted or refused.

/// Arrays that a step writes while it reads the present ones, and that are swapped with them afterwards. Besides, the second
/// buffer of permutations: between two steps its values mean nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Next {
    pub particles: Particles,
    /// Memory of the solver before the step.
    solver: SolverMemory,
}

impl Next {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.particles.memory()
    }

    /// Permutes the particles into `order`.
    pub fn sort(&mut self, order: &[u32], particles: &mut Particles) {
        particles.permute(order, &mut self.particles);
    }

    /// Copies what the solver overwrites, for the case that the step is refused: densities, pressures, and what it remembers.
    pub fn keep(&mut self, particles: &Particles, solver: SolverMemory) {
        self.solver = solver;
        self.particles.densities.clone_from(&particles.densities);
        self.particles.pressures.clone_from(&particles.pressures);
        self.particles.viscosity_changes.clone_from(&particles.viscosity_changes);
        self.particles.earlier_k.clone_from(&particles.earlier_k);
        self.particles.divergence_k.clone_from(&particles.divergence_k);
        self.particles.density_offsets.clone_from(&particles.density_offsets);
    }

    /// Accepts the step: the new positions and velocities replace the old ones.
    pub fn accept(&mut self, particles: &mut Particles) {
        std::mem::swap(&mut particles.positions, &mut self.particles.positions);
        std::mem::swap(&mut particles.rounding_errors, &mut self.particles.rounding_errors);
        std::mem::swap(&mut particles.velocities, &mut self.particles.velocities);
    }

    /// Refuses the step: restores what [`Next::keep`] has copied.
    pub fn refuse(&mut self, particles: &mut Particles, solver: &mut SolverMemory) {
        *solver = self.solver;
        std::mem::swap(&mut particles.densities, &mut self.particles.densities);
        std::mem::swap(&mut particles.pressures, &mut self.particles.pressures);
        std::mem::swap(&mut particles.viscosity_changes, &mut self.particles.viscosity_changes);
        std::mem::swap(&mut particles.earlier_k, &mut self.particles.earlier_k);
        std::mem::swap(&mut particles.divergence_k, &mut self.particles.divergence_k);
        std::mem::swap(&mut particles.density_offsets, &mut self.particles.density_offsets);
    }
}
