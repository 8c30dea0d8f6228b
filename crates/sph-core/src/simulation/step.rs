//! A step as the list of its phases: sort the particles, find their neighbours, solve for the velocities, integrate, report.

use super::integration::WallClamp;
use super::report::SearchResult;
use super::{Simulation, State};
use crate::boundary::Solid;
use crate::forces::{ExternalForces, Flow};
use crate::neighbors::{Audit, AuditPlan, TooManyCells};
use crate::parameters::{Discretization, Method, Parameters, TimeStepParameters};
use crate::particles::Particles;
use crate::passes::{CancelFlag, StepContext};
use crate::report::{Clock, Phase, StepError, StepStats};
use crate::solver::{SolveReport, StepState, TimeStepLimit, search_radius};
use crate::space::Wrap;

/// Factor by which a step that throws a particle is shortened when it is retried: a body that falls flat squeezes the last film of
/// fluid out at many times its own speed, within one step.
const LESS_THROWN: f32 = 0.25;

/// Largest compression that a long step may leave without being made again, and the factor by which it is then shortened: what
/// compresses fluid more than the solve has allowed falls with the square of the length.
const LARGEST_COMPRESSION: f32 = 0.08;
const LESS_COMPRESSED: f32 = 0.7;

/// Retries that a step has left, by what makes it too long.
#[derive(Clone, Copy)]
struct Retries {
    thrown: u32,
    compressed: u32,
}

/// What became of an attempt at a step.
enum Attempt {
    /// It throws a particle, and has to be made again.
    Thrown,
    /// It compresses a particle too much, and has to be made again.
    Compressed,
    /// The step is made, or refused.
    Over(Result<WallClamp, StepError>),
}

impl Simulation {
    /// Advances by one time step and reports on it.
    ///
    /// Never panics on an invalid state: if a particle would run away, the step is made again with a quarter of its length, and if with IISPH
    /// or DFSPH and a Courant factor above 1 it would compress one by more than 8 %, with 0.7 of it; each at most three times, and not with
    /// `fixed_dt`. If a particle would still run away, or the state of a particle or body would become non-finite, the step is refused, the
    /// particles stay as they were (their order in memory may change), and [`StepStats::error`] names the particle.
    pub fn step(&mut self) -> StepStats {
        let mut phases = Clock::start(self.timeline.take());
        self.points.begin_step();
        // Openings: particles that come and go.
        self.exchange_fluid();
        let solids_move = self.points.dynamics().is_some() || !self.walls.are_fixed();
        if solids_move {
            phases.measure(Phase::Walls, || self.coat_points());
        }
        // Sort: particles in the order of their cells.
        phases.measure(Phase::Sort, || self.sort_particles());
        // Neighbours: lists of fluid and walls within the search radius.
        let search = match self.find_neighbors(&mut phases) {
            Ok(search) => search,
            Err(error) => return self.report(phases, SolveReport::NONE, SearchResult::default(), Err(error.into())),
        };
        if self.is_cancelled() {
            return self.report(phases, SolveReport::NONE, search, Err(StepError::Cancelled));
        }
        // Solver and integration. What makes a step too long may be known only after it.
        let most = if self.state.parameters.time_step.fixed_dt.is_some() { 0 } else { 3 };
        let mut retries = Retries { thrown: most, compressed: most };
        let mut longest = None;
        let (solve, held) = loop {
            let (solve, attempt) = self.advance(&mut phases, longest, retries);
            let (left, factor) = match attempt {
                Attempt::Over(held) => break (solve, held),
                Attempt::Thrown => (&mut retries.thrown, LESS_THROWN),
                Attempt::Compressed => (&mut retries.compressed, LESS_COMPRESSED),
            };
            *left -= 1;
            longest = Some(factor * solve.time_step.dt);
            if solids_move {
                phases.measure(Phase::Walls, || self.place_walls());
            }
        };
        let dt = solve.time_step.dt;
        if held.is_ok() {
            let State { particles, time, steps, last_dt, density_age, .. } = &mut self.state;
            *time += f64::from(dt);
            *steps += 1;
            *last_dt = dt;
            *density_age = solve.density_age;
            self.forces.commit(&mut particles.spins);
            self.close_reactions(dt);
        }
        // Curves: parameters of the next step, at its start.
        self.follow_curves();
        // Bodies and containers: positions and velocities at the new time.
        if solids_move {
            phases.measure(Phase::Walls, || self.place_walls());
        }
        self.report(phases, solve, search, held)
    }

    /// The solver: densities, pressures, dt of at most `longest` (s) and new velocities; then the integration: x += dt v, or the
    /// step is refused. While there are retries, pressure may make a particle move less far than on a last attempt.
    fn advance(&mut self, phases: &mut Clock, longest: Option<f32>, retries: Retries) -> (SolveReport, Attempt) {
        let mut solve = self.solve(phases, longest);
        let dt = solve.time_step.dt;
        if longest.is_some() && solve.time_step.limit == TimeStepLimit::Maximum {
            solve.time_step.limit = TimeStepLimit::Retry;
        }
        if self.is_cancelled() {
            self.next.refuse(&mut self.state.particles, &mut self.state.solver);
            return (solve, Attempt::Over(Err(StepError::Cancelled)));
        }
        if retries.compressed > 0 && solve.compression > LARGEST_COMPRESSION {
            self.next.refuse(&mut self.state.particles, &mut self.state.solver);
            return (solve, Attempt::Compressed);
        }
        self.guide_fluid(dt);
        let reach = longest_way(&self.discretization, &self.state.parameters, retries.thrown > 0);
        let held = phases.measure(Phase::Integrate, || self.begin_motion(dt)).and_then(|ends| {
            if self.points.dynamics().is_some() {
                phases.measure(Phase::Points, || self.advance_points(dt))?;
            }
            phases.measure(Phase::Integrate, || self.integrate(dt, reach, ends))
        });
        match held {
            Err(StepError::Runaway { .. }) if retries.thrown > 0 => (solve, Attempt::Thrown),
            held => (solve, Attempt::Over(held)),
        }
    }

    /// True if the step is cancelled.
    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelFlag::is_raised)
    }

    /// Sorts the particles by their cells.
    pub(super) fn sort_particles(&mut self) {
        let Self { state: State { particles, .. }, next, order, discretization, .. } = self;
        next.sort(order.sort_by_id(&particles.positions, &particles.ids, discretization.support_radius), particles);
    }

    /// Finds the neighbours of fluid and walls, and checks some lists against brute force if an audit is set.
    pub(super) fn find_neighbors(&mut self, phases: &mut Clock) -> Result<SearchResult, TooManyCells> {
        let Self { discretization, state, domain, walls, neighborhood, .. } = self;
        let State { particles, parameters, steps, .. } = state;
        phases.measure(Phase::Walls, || neighborhood.register_walls(walls))?;
        phases.measure(Phase::Build, || neighborhood.register_fluid(particles))?;
        let tally = phases.measure(Phase::Query, || neighborhood.fill_fluid(&particles.positions));
        phases.measure(Phase::Walls, || neighborhood.fill_walls(&particles.positions, walls));
        let radius = search_radius(&parameters.solver, discretization);
        let audit = phases.measure(Phase::Statistics, || {
            let plan = AuditPlan { queries: self.audited, round: *steps };
            Audit::of(&neighborhood.fluid, domain, &particles.positions, radius, plan)
        });
        Ok(SearchResult { tally, audit })
    }

    /// Computes densities, pressures and velocities by the solver, for a step of at most `longest` (s), then the advection velocities
    /// and the spin.
    pub(super) fn solve(&mut self, phases: &mut Clock, longest: Option<f32>) -> SolveReport {
        let Self { discretization, state, domain, walls, bodies, neighborhood, solver, velocity_update, next, .. } = self;
        let State { particles, bodies: placed, parameters, time, last_dt, density_age, solver: memory, .. } = state;
        let parameters = &within(parameters, longest);
        let (forces, buffers, external_forces) = (&mut self.forces, &mut self.buffers, &self.external_forces);
        self.reactions.begin(bodies.centers(*time, placed, domain));
        if !self.fluids.is_empty() {
            self.mixture.update(&self.fluids, discretization.rest_density, parameters, &particles.fluids);
        }
        // Copies for a refused step, external forces at this time, and integrals of the analytic walls.
        phases.measure(Phase::Integrate, || next.keep(particles, *memory));
        velocity_update.advection_velocities.clear();
        // Read by every pass, while the solver changes the other attributes.
        let rounding_errors = std::mem::take(&mut particles.rounding_errors);
        let external = ExternalForces::new(parameters.gravity, external_forces, *time, domain);
        phases.measure(Phase::Walls, || self.planes.integrate_all(&particles.positions, external, &mut self.wall_integrals));
        let ctx = StepContext {
            discretization,
            parameters,
            kernel: self.kernel,
            wrap: Wrap::new(domain),
            rounding_errors: &rounding_errors,
            mass: self.mass,
            has_fluid: !particles.is_empty() || !self.inflow.inlets.is_empty(),
            mixture: (!self.fluids.is_empty()).then_some(&self.mixture),
            external,
            cells: self.order.cells(),
            fluid: &neighborhood.fluid,
            walls: &neighborhood.walls,
            wall_neighbors: &neighborhood.wall_neighbors,
            planes: &self.planes,
            wall_integrals: &self.wall_integrals,
            last_dt: *last_dt,
            density_age: *density_age,
            cancel: self.cancel.as_ref(),
        };
        // Densities, pressures, velocities.
        let reactions = &mut self.reactions;
        let step = &mut StepState { particles, walls, velocity_update, forces, memory, buffers, reactions, phases };
        let report = solver.advance(&ctx, step);
        // Advection velocities: XSPH (Monaghan1989) and particle shifting (Lind2012).
        if parameters.forces.xsph > 0.0 && !ctx.is_cancelled() {
            phases.measure(Phase::Integrate, || velocity_update.smooth(&ctx, particles));
        }
        if parameters.solver.shifting > 0.0 && !ctx.is_cancelled() {
            phases.measure(Phase::Integrate, || velocity_update.shift(&ctx, particles, walls, report.time_step.dt));
        }
        // Spin of micropolar particles (Bender2017a).
        let Particles { positions, velocities, densities, .. } = &*particles;
        let flow = Flow { positions, velocities, densities };
        if !ctx.is_cancelled() {
            phases.measure(Phase::Forces, || forces.advance_spin(&ctx, flow, &particles.spins, report.time_step.dt));
        }
        particles.rounding_errors = rounding_errors;
        report
    }

    /// Ends the account of the forces on bodies and walls.
    fn close_reactions(&mut self, dt: f32) {
        self.reactions.close(dt);
        for (index, body) in self.bodies.placed.iter_mut().enumerate() {
            body.force = self.reactions.of(Solid::Body(index)).copied().unwrap_or_default();
        }
    }

    /// Gives points that have come their boundary particles, where they are at the present time.
    fn coat_points(&mut self) {
        let Self { coats, points, state: State { sets, particles, .. }, walls, neighborhood, .. } = self;
        let Some(dynamics) = points.dynamics() else { return };
        if coats.put_on(dynamics, sets, !particles.is_empty(), walls) {
            self.reactions.set_points(coats.particles());
            coats.place(sets, &self.domain, walls);
            neighborhood.walls_changed(walls);
        }
    }

    /// Places moving bodies, containers and points where they are at the present time.
    pub(super) fn place_walls(&mut self) {
        self.coat_points();
        if !self.walls.are_fixed() {
            let State { time, bodies, moved, sets, .. } = &self.state;
            let bodies_moved = self.bodies.place(*time, (bodies, moved), &self.domain, &mut self.walls);
            let containers_moved = self.containers.place(*time, &self.domain, &mut self.walls);
            let points_moved = self.coats.place(sets, &self.domain, &mut self.walls);
            if bodies_moved || containers_moved || points_moved {
                self.neighborhood.walls_moved();
            }
        }
    }
}

/// Farthest way of a particle in a step, m: half the support radius. With all solvers but PBF, in a step that may be made again with less
/// length, twice what the Courant limit allows at the usual factor or the user's: pressure has then made particles so much
/// faster that the density after the step is not the one that was computed.
fn longest_way(discretization: &Discretization, parameters: &Parameters, may_be_shorter: bool) -> f32 {
    const USUAL_FACTOR: f32 = 0.4;
    let farthest = 0.5 * discretization.support_radius;
    match parameters.solver.method {
        Method::Wcsph | Method::Pcisph | Method::Iisph | Method::Dfsph if may_be_shorter => {
            farthest.min(parameters.time_step.cfl_factor.max(USUAL_FACTOR) * discretization.particle_spacing)
        }
        _ => farthest,
    }
}

/// `parameters` with steps of at most `longest`, s.
fn within(parameters: &Parameters, longest: Option<f32>) -> Parameters {
    let TimeStepParameters { max_dt, min_dt, .. } = parameters.time_step;
    let longest = longest.unwrap_or(max_dt);
    let time_step = TimeStepParameters { max_dt: max_dt.min(longest), min_dt: min_dt.min(longest), ..parameters.time_step };
    Parameters { time_step, ..*parameters }
}
