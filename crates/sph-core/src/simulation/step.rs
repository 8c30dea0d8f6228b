//! A step as the list of its phases: sort the particles, find their neighbours, solve for velocities, move, report.

use super::Simulation;
use super::report::Found;
use crate::forces::{ExternalForces, Flow};
use crate::neighbors::{Audit, TooManyCells};
use crate::particles::Particles;
use crate::passes::StepContext;
use crate::report::{Clock, Phase, StepStats};
use crate::solver::{SolveReport, Solver, StepState};
use crate::space::Wrap;

impl Simulation {
    /// Advances by one time step and reports on it.
    ///
    /// Never panics on fluid that has gone wrong: when a particle's state is about to become non-finite or to run away, the step is
    /// refused, the particles stay as they were (their order in memory may change), and [`StepStats::error`] names the particle.
    pub fn step(&mut self) -> StepStats {
        let mut phases = Clock::start(self.timeline.take());
        phases.measure(Phase::Sort, || self.sort_particles());
        let found = match self.find_neighbors(&mut phases) {
            Ok(found) => found,
            Err(error) => return self.report(phases, SolveReport::NONE, Found::default(), Some(error.into())),
        };
        let advance = self.advance(&mut phases);
        let dt = advance.step.dt;
        let error = phases.measure(Phase::Integrate, || self.integrate(dt));
        if error.is_none() {
            self.time += f64::from(dt);
            self.steps += 1;
            self.last_dt = dt;
            self.density_age = advance.density_age;
            self.forces.commit();
        }
        self.place_bodies();
        self.report(phases, advance, found, error)
    }

    /// Puts the particles into the order of their cells.
    pub(super) fn sort_particles(&mut self) {
        let Self { particles, rounding_errors, next, order, solver, forces, discretization, .. } = self;
        let order = order.sort(&particles.positions, discretization.support_radius);
        next.sort(order, particles, rounding_errors);
        solver.reorder(order);
        forces.reorder(order);
    }

    /// Finds the neighbours of fluid and walls, and checks some of them where that is wanted.
    pub(super) fn find_neighbors(&mut self, phases: &mut Clock) -> Result<Found, TooManyCells> {
        let Self { discretization, parameters, domain, particles, walls, neighborhood, .. } = self;
        let build = phases.measure(Phase::Build, || neighborhood.update(particles, walls))?;
        let (tally, query) = phases.measure(Phase::Query, || neighborhood.fill(&particles.positions, walls));
        let (radius, round) = (Solver::search_radius(&parameters.solver, discretization), self.steps);
        let audit = phases.measure(Phase::Statistics, || {
            Audit::of(&neighborhood.fluid, domain, &particles.positions, radius, self.audited, round)
        });
        Ok(Found { tally, build, query, audit })
    }

    /// Lets the solver compute densities, pressures, and where the step leads.
    pub(super) fn advance(&mut self, phases: &mut Clock) -> SolveReport {
        let Self {
            discretization,
            parameters,
            domain,
            particles,
            walls,
            bodies,
            neighborhood,
            solver,
            velocity_update,
            next,
            ..
        } = self;
        let (forces, buffers, external_forces) = (&mut self.forces, &mut self.buffers, &self.external_forces);
        // Should the step be refused, these are what there was before.
        phases.measure(Phase::Integrate, || next.keep_densities(particles));
        velocity_update.advection_velocities.clear();
        let external = ExternalForces::new(parameters.gravity, external_forces, self.time, domain);
        phases.measure(Phase::Walls, || self.planes.integrate_all(&particles.positions, external, &mut self.wall_integrals));
        let ctx = StepContext {
            discretization,
            parameters,
            kernel: self.kernel,
            wrap: Wrap::new(domain),
            rounding_errors: &self.rounding_errors,
            mass: self.mass,
            external,
            fluid: &neighborhood.fluid,
            walls: &neighborhood.walls,
            wall_neighbors: &neighborhood.wall_neighbors,
            planes: &self.planes,
            wall_integrals: &self.wall_integrals,
            bodies: !bodies.placed.is_empty(),
            last_dt: self.last_dt,
            density_age: self.density_age,
        };
        let advance = solver.advance(&ctx, &mut StepState { particles, walls, velocity_update, forces, buffers, phases });
        if parameters.forces.xsph > 0.0 {
            phases.measure(Phase::Integrate, || velocity_update.smooth(&ctx, particles));
        }
        if parameters.solver.shifting > 0.0 {
            phases.measure(Phase::Integrate, || velocity_update.shift(&ctx, particles, walls, advance.step.dt));
        }
        phases.measure(Phase::Statistics, || bodies.measure(&ctx, particles, walls, solver.divergence_pressure()));
        let Particles { positions, velocities, densities, .. } = &*particles;
        phases.measure(Phase::Forces, || forces.advance_spin(&ctx, Flow { positions, velocities, densities }, advance.step.dt));
        advance
    }

    /// Puts the bodies where they are now.
    fn place_bodies(&mut self) {
        if self.bodies.move_at_all() {
            self.bodies.place(self.time, &self.domain, &mut self.walls);
            self.neighborhood.walls_moved();
        }
    }
}
