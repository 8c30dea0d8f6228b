//! The simulation: owns everything, and takes steps.

mod bodies;
mod neighborhood;

pub use bodies::{BodyForce, PlacedBody};

#[cfg(test)]
mod tests;

use crate::boundary::{BoundaryParticles, Container, Planes, WallIntegral, WallSampling, calibrate};
use crate::forces::{ExternalForce, ExternalForces, Flow, ForceState};
use crate::kernel::Kernel;
use crate::neighbors::{Audit, CellOrder, SearchStats, Tally, TooManyCells};
use crate::parameters::{Discretization, ParameterError, Parameters};
use crate::particles::Particles;
use crate::passes::{GatherBuffers, StepContext, sweep};
use crate::report::{Clock, Memory, Phase, PhaseTimes, StepError, StepStats, Timeline, held};
use crate::setup::{Setup, SetupError, sample_fluid};
use crate::solver::{SolveReport, Solver, StepState, VelocityUpdate};
use crate::space::{Domain, Wrap, lattice_sum, two_sum};
use bodies::Bodies;
use glam::Vec3;
use neighborhood::Neighborhood;
use std::time::Duration;

/// Time step, s, below which a simulation no longer gets anywhere.
const SHORTEST_STEP: f32 = 1e-12;

/// How close to a wall a particle may come, in particle spacings. Fluid under pressure stays a third to a half away; droplets come
/// this close.
const WALL_CLEARANCE: f32 = 0.1;

/// A fluid in its containers, at one moment.
///
/// A step runs on the rayon pool it is called from. Its results are the same to the bit for any number of threads and for any
/// [`GridParameters`](crate::neighbors::GridParameters). So a clone that is given another grid goes on moving exactly as the original.
#[derive(Clone, Debug)]
pub struct Simulation {
    discretization: Discretization,
    parameters: Parameters,
    containers: Vec<Container>,
    external_forces: Vec<ExternalForce>,
    domain: Domain,
    kernel: Kernel,
    mass: f32,
    particles: Particles,
    /// What positions lack of the places where particles are, m: the rounding of all steps so far.
    rounding_errors: Vec<Vec3>,
    walls: BoundaryParticles,
    planes: Planes,
    wall_integrals: Vec<WallIntegral>,
    bodies: Bodies,
    neighborhood: Neighborhood,
    order: CellOrder,
    solver: Solver,
    velocity_update: VelocityUpdate,
    forces: ForceState,
    /// Workspace of the passes of a step.
    buffers: GatherBuffers,
    next: Next,
    time: f64,
    steps: u64,
    last_dt: f32,
    /// How far densities are behind positions, s.
    density_age: f32,
    /// Neighbour lists checked against brute force in each step.
    audited: usize,
    /// When the phases of the last step ran, where that is wanted.
    timeline: Option<Timeline>,
}

/// What the search for neighbours found, and what it took.
#[derive(Debug, Default)]
struct Found {
    tally: Tally,
    /// Wall-clock time of the fluid's own search: registering, and filling its lists.
    build: Duration,
    query: Duration,
    audit: Audit,
}

/// Arrays that are being written while the present state is read, and exchanged with it afterwards.
#[derive(Clone, Debug, Default)]
struct Next {
    positions: Vec<Vec3>,
    rounding_errors: Vec<Vec3>,
    velocities: Vec<Vec3>,
    densities: Vec<f32>,
    pressures: Vec<f32>,
    ids: Vec<u32>,
}

impl Next {
    /// Bytes on the heap.
    fn memory(&self) -> usize {
        let Self { positions, rounding_errors, velocities, densities, pressures, ids } = self;
        let vectors = held(positions) + held(rounding_errors) + held(velocities);
        vectors + held(densities) + held(pressures) + held(ids)
    }
}

impl Simulation {
    /// Places the particles of `setup`.
    ///
    /// # Errors
    /// Whatever [`Setup::validate`] finds.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        setup.validate()?;
        let Setup { discretization, parameters, .. } = *setup;
        let domain = setup.domain.flat(discretization.dimensions);
        let containers: Vec<Container> = setup.containers.iter().map(|container| container.within(&domain)).collect();
        let mut particles = sample_fluid(setup);
        particles.positions.iter_mut().for_each(|position| *position = domain.wrap(*position));
        // A particle stands for one lattice cell of fluid: the kernel's lattice sum makes its summed density exactly ρ₀.
        let volume = discretization.particle_volume() / lattice_sum(&discretization);
        let mut walls = BoundaryParticles::default();
        let analytic = setup.wall_sampling == WallSampling::Analytic;
        let planes = if analytic { Planes::new(&discretization, containers.clone()) } else { Planes::default() };
        for container in containers.iter().filter(|_| !analytic) {
            container.sample(&discretization, (&domain, setup.wall_sampling), volume, &mut walls);
        }
        let mut order = CellOrder::default();
        let sorted = order.sort(&walls.positions, discretization.support_radius);
        walls.sort(sorted);
        let bodies = Bodies::new(setup, &domain, volume, &mut walls);
        walls.drop_unused();
        if setup.wall_sampling == WallSampling::SingleLayer {
            calibrate(&discretization, &domain, &mut walls);
        }
        Ok(Self {
            kernel: Kernel::new(discretization.kernel, discretization.dimensions, discretization.support_radius),
            mass: discretization.rest_density * volume,
            neighborhood: Neighborhood::new(&parameters, domain, Solver::search_radius(&parameters.solver, &discretization)),
            containers,
            external_forces: setup.external_forces.clone(),
            domain,
            discretization,
            parameters,
            rounding_errors: vec![Vec3::ZERO; particles.len()],
            particles,
            walls,
            planes,
            wall_integrals: Vec::new(),
            bodies,
            order,
            solver: Solver::new(parameters.solver.method),
            velocity_update: VelocityUpdate::default(),
            forces: ForceState::default(),
            buffers: GatherBuffers::default(),
            next: Next::default(),
            time: 0.0,
            steps: 0,
            last_dt: 0.0,
            density_age: 0.0,
            audited: 0,
            timeline: None,
        })
    }

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

    /// Replaces the parameters; they act from the next step on. A solver that is switched to takes the fluid over as it is, pressure
    /// included.
    ///
    /// # Errors
    /// A value outside its range; the parameters in force then stay.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        parameters.validate(&self.discretization)?;
        let radius = |parameters: &Parameters| Solver::search_radius(&parameters.solver, &self.discretization);
        let (before, now) = (radius(&self.parameters), radius(&parameters));
        if parameters.solver.method != self.parameters.solver.method {
            self.solver = Solver::take_over(&parameters, &self.discretization, &mut self.particles);
            self.density_age = 0.0;
        }
        if now != before || parameters.grid != self.parameters.grid {
            self.neighborhood.replace_searches(&parameters, now);
        }
        self.parameters = parameters;
        Ok(())
    }

    /// Checks `queries` neighbour lists against brute force in every step from now on; see [`StepStats::audit`]. Costs as many distances as
    /// `queries` times the particles, in [`Phase::Statistics`].
    pub fn set_audit(&mut self, queries: usize) {
        self.audited = queries;
    }

    /// GatherBuffers when the phases of every step from now on run, or no longer does; see [`Simulation::timeline`].
    pub fn set_timeline(&mut self, wanted: bool) {
        self.timeline = wanted.then(Timeline::new);
    }

    /// When the phases of the last step ran; `None` unless [`Simulation::set_timeline`] asked for it.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// The parameters of the next step.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The discretisation.
    pub fn discretization(&self) -> &Discretization {
        &self.discretization
    }

    /// The fluid.
    pub fn particles(&self) -> &Particles {
        &self.particles
    }

    /// How fast each particle spins, 1/s; empty unless `vorticity_transfer` makes them.
    pub fn spin(&self) -> &[Vec3] {
        self.forces.spin()
    }

    /// The walls as particles. Containers have none where [`WallSampling::Analytic`] is chosen.
    pub fn boundary(&self) -> &BoundaryParticles {
        &self.walls
    }

    /// Where space repeats.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The walls as boxes, without faces along periodic axes.
    pub fn containers(&self) -> &[Container] {
        &self.containers
    }

    /// Gravity and all other forces from outside, as they are now.
    pub fn external_forces(&self) -> ExternalForces<'_> {
        ExternalForces::new(self.parameters.gravity, &self.external_forces, self.time, &self.domain)
    }

    /// The walls that are not particles.
    pub fn planes(&self) -> &Planes {
        &self.planes
    }

    /// The bodies, where they are now.
    pub fn bodies(&self) -> &[PlacedBody] {
        &self.bodies.placed
    }

    /// How far neighbours are looked for, m: the support radius, or somewhat more for solvers that move particles between two searches.
    pub fn search_radius(&self) -> f32 {
        Solver::search_radius(&self.parameters.solver, &self.discretization)
    }

    /// Mass of every fluid particle, kg (kg/m in two dimensions).
    pub fn particle_mass(&self) -> f32 {
        self.mass
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Length of the last step, s; 0 before the first.
    pub fn last_dt(&self) -> f32 {
        self.last_dt
    }

    /// Completed steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Bytes that the simulation holds.
    pub fn memory(&self) -> Memory {
        let Self {
            particles,
            rounding_errors,
            next,
            order,
            neighborhood,
            solver,
            velocity_update,
            forces,
            buffers,
            walls,
            bodies,
            ..
        } = self;
        let at_planes = self.planes.memory() + held(&self.wall_integrals) + held(&walls.at_planes);
        let ([search, lists], [pairs, solver]) = (neighborhood.memory(), solver.memory());
        Memory {
            particles: particles.memory() + held(rounding_errors) + next.memory(),
            search: search + order.memory(),
            lists,
            pairs,
            solver: solver + velocity_update.memory() + forces.memory() + buffers.memory() + at_planes,
            walls: walls.memory() + bodies.memory(),
        }
    }

    /// Puts the bodies where they are now.
    fn place_bodies(&mut self) {
        if self.bodies.move_at_all() {
            self.bodies.place(self.time, &self.domain, &mut self.walls);
            self.neighborhood.walls_moved();
        }
    }

    /// Finds the neighbours of fluid and walls, and checks some of them where that is wanted.
    fn find_neighbors(&mut self, phases: &mut Clock) -> Result<Found, TooManyCells> {
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
    fn advance(&mut self, phases: &mut Clock) -> SolveReport {
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
        phases.measure(Phase::Integrate, || {
            next.densities.clone_from(&particles.densities);
            next.pressures.clone_from(&particles.pressures);
        });
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

    /// Puts the particles into the order of their cells.
    fn sort_particles(&mut self) {
        let Self { particles, rounding_errors, next, order, solver, forces, discretization, .. } = self;
        let order = order.sort(&particles.positions, discretization.support_radius);
        sweep::permute(order, &mut particles.positions, &mut next.positions);
        sweep::permute(order, rounding_errors, &mut next.rounding_errors);
        sweep::permute(order, &mut particles.velocities, &mut next.velocities);
        sweep::permute(order, &mut particles.densities, &mut next.densities);
        sweep::permute(order, &mut particles.pressures, &mut next.pressures);
        sweep::permute(order, &mut particles.ids, &mut next.ids);
        solver.reorder(order);
        forces.reorder(order);
    }

    /// Asks the walls, then moves the particles: `x += dt v`, and in again where that leads out through a periodic face. Undoes the
    /// density step and moves nothing if a particle would go wrong.
    fn integrate(&mut self, dt: f32) -> Option<StepError> {
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
            std::mem::swap(&mut particles.positions, &mut next.positions);
            std::mem::swap(rounding_errors, &mut next.rounding_errors);
            std::mem::swap(&mut particles.velocities, &mut next.velocities);
        } else {
            std::mem::swap(&mut particles.densities, &mut next.densities);
            std::mem::swap(&mut particles.pressures, &mut next.pressures);
        }
        error
    }

    fn report(&mut self, mut phases: Clock, advance: SolveReport, found: Found, error: Option<StepError>) -> StepStats {
        let Self { particles, discretization, parameters, mass, .. } = &*self;
        let count = particles.len();
        let (mass, rest_density, external) = (f64::from(*mass), discretization.rest_density, self.external_forces());
        let compression = |i: usize| (particles.densities[i] / rest_density - 1.0).max(0.0);
        let mut stats = phases.measure(Phase::Statistics, || StepStats {
            step: self.steps,
            time: self.time,
            dt: advance.step.dt,
            dt_limit: advance.step.limit,
            dt_exceeds: advance.step.exceeded,
            particles: count,
            phases: PhaseTimes::default(),
            density_error: (sweep::sum(count, |i| f64::from(compression(i))) / count as f64) as f32,
            max_density_error: sweep::max(count, compression),
            max_speed: sweep::max(count, |i| particles.velocities[i].length()),
            density_solve: advance.density,
            divergence_solve: advance.divergence,
            viscosity_solve: self.forces.solve,
            kinetic_energy: sweep::sum(count, |i| 0.5 * mass * f64::from(particles.velocities[i].length_squared())),
            potential_energy: sweep::sum(count, |i| mass * external.potential(particles.positions[i])),
            search: SearchStats {
                parameters: parameters.grid,
                occupancy: self.neighborhood.fluid_search.occupancy(),
                tally: found.tally,
                build: found.build,
                query: found.query,
            },
            audit: found.audit,
            error,
        });
        (stats.phases, self.timeline) = phases.stop();
        stats
    }
}
