//! The engine on processor cores, and read access to it between two steps.

use std::ops::Range;

use super::engine::{Engine, View};
use super::{DroppedBody, Hand, HandError, NewParticle, PlacedBody, PopulationError, Simulation, State};
use crate::boundary::{BoundaryParticles, Container, Planes, Reaction, Solid};
use crate::forces::ExternalForces;
use crate::parameters::{Discretization, Fluid, GridParameters, ParameterError, Parameters};
use crate::particles::Particles;
use crate::passes::CancelFlag;
use crate::point_sets::PointSet;
use crate::report::{Memory, PhaseTimeline, StepStats, held};
use crate::solver::search_radius;
use crate::space::Domain;
use glam::Vec3;

impl Engine for Simulation {
    fn step(&mut self) -> StepStats {
        Simulation::step(self)
    }

    fn time(&self) -> f64 {
        Simulation::time(self)
    }

    fn steps(&self) -> u64 {
        Simulation::steps(self)
    }

    fn parameters(&self) -> &Parameters {
        Simulation::parameters(self)
    }

    fn view(&self) -> View<'_> {
        View {
            discretization: self.discretization(),
            parameters: self.parameters(),
            domain: self.domain(),
            containers: self.containers(),
            external: self.external_forces(),
            fluids: self.fluids(),
            mass: self.particle_mass(),
            particles: self.particles(),
            walls: self.boundary(),
            boundary_of_points: self.coats.particles().len(),
            planes: self.planes(),
            bodies: self.bodies(),
            dropped: &self.state().dropped,
            wall_reaction: self.wall_reaction(),
            sets: &self.state.sets,
            set_grids: &self.state.set_grids,
            dynamics: self.points.dynamics(),
            set_searches: &self.points.report.searches,
            time: self.time(),
            steps: self.steps(),
            last_dt: self.last_dt(),
            divergence_dt: self.state.solver.divergence_dt,
        }
    }

    fn snapshot(&self) -> State {
        self.state().clone()
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }

    fn restore(&mut self, state: State) -> Result<(), PopulationError> {
        Simulation::restore(self, state)
    }

    fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        Simulation::set_parameters(self, parameters)
    }

    fn set_point_grid(&mut self, set: usize, grid: GridParameters) -> Result<(), ParameterError> {
        Simulation::set_point_grid(self, set, grid)
    }

    fn set_off_curve(&mut self, keys: &[&'static str]) {
        Simulation::set_off_curve(self, keys);
    }

    fn off_curve(&self) -> &[&'static str] {
        Simulation::off_curve(self)
    }

    fn add(&mut self, particles: &[NewParticle]) -> Result<Range<u32>, PopulationError> {
        Simulation::add(self, particles)
    }

    fn remove(&mut self, ids: &[u32]) -> Result<(), PopulationError> {
        Simulation::remove(self, ids)
    }

    fn apply_hand(&mut self, hand: &Hand) -> Result<usize, HandError> {
        Simulation::apply_hand(self, hand)
    }

    fn drop_body(&mut self, dropped: &DroppedBody) -> Result<(), HandError> {
        Simulation::drop_body(self, dropped)
    }

    fn set_audit(&mut self, queries: usize) {
        Simulation::set_audit(self, queries);
    }

    fn set_cancel_flag(&mut self, flag: CancelFlag) {
        Simulation::set_cancel_flag(self, flag);
    }

    fn set_wall_reaction(&mut self, wanted: bool) {
        Simulation::set_wall_reaction(self, wanted);
    }

    fn set_timeline(&mut self, wanted: bool) {
        Simulation::set_timeline(self, wanted);
    }

    fn timeline(&self) -> Option<&PhaseTimeline> {
        Simulation::timeline(self)
    }

    fn memory(&self) -> Memory {
        Simulation::memory(self)
    }
}

impl Simulation {
    /// Timeline of the phases of the last step; `None` unless [`Simulation::set_timeline`] has switched it on.
    pub fn timeline(&self) -> Option<&PhaseTimeline> {
        self.timeline.as_ref()
    }

    /// Whole state: with the setup, all that the next steps depend on.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The parameters of the next step.
    pub fn parameters(&self) -> &Parameters {
        &self.state.parameters
    }

    /// Keys of the parameters that have been taken off their curves.
    pub fn off_curve(&self) -> &[&'static str] {
        &self.state.off_curve
    }

    /// The discretisation.
    pub fn discretization(&self) -> &Discretization {
        &self.discretization
    }

    /// The fluid.
    pub fn particles(&self) -> &Particles {
        &self.state.particles
    }

    /// Angular velocity of every particle, 1/s; empty if `vorticity_transfer` is 0.
    pub fn spin(&self) -> &[Vec3] {
        &self.state.particles.spins
    }

    /// The walls as particles. Containers have none if [`WallSampling::Analytic`](crate::WallSampling::Analytic) is chosen.
    pub fn boundary(&self) -> &BoundaryParticles {
        &self.walls
    }

    /// Periodic domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The walls as boxes, without faces along periodic axes, as they are at time 0: their [`Motion`](crate::Motion) says where
    /// they are now.
    pub fn containers(&self) -> &[Container] {
        &self.containers.all
    }

    /// Gravity and all other external forces, at the present time.
    pub fn external_forces(&self) -> ExternalForces<'_> {
        ExternalForces::new(self.state.parameters.gravity, &self.external_forces, self.state.time, &self.domain)
    }

    /// The analytic walls, which are not particles.
    pub fn planes(&self) -> &Planes {
        &self.planes
    }

    /// The bodies, at the present time.
    pub fn bodies(&self) -> &[PlacedBody] {
        &self.bodies.placed
    }

    /// Force of the fluid on the walls of all containers together in the last step, and its torque about the origin; zero
    /// before the first step, `None` unless [`Simulation::set_wall_reaction`] has switched it on.
    pub fn wall_reaction(&self) -> Option<&Reaction> {
        self.reactions.of(Solid::Walls)
    }

    /// Search radius of the neighbour lists, m: the support radius, plus a skin for solvers that evaluate predicted positions.
    pub fn search_radius(&self) -> f32 {
        search_radius(&self.state.parameters.solver, &self.discretization)
    }

    /// Fluids, if there are several; empty for one.
    pub fn fluids(&self) -> &[Fluid] {
        &self.fluids
    }

    /// Mass of a particle of the reference fluid, kg (kg/m in two dimensions): of every particle if there is one fluid.
    pub fn particle_mass(&self) -> f32 {
        self.mass
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Length of the last step, s; 0 before the first.
    pub fn last_dt(&self) -> f32 {
        self.state.last_dt
    }

    /// Completed steps.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Memory of the simulation, in bytes.
    pub fn memory(&self) -> Memory {
        let Self {
            solids,
            state,
            next,
            order,
            neighborhood,
            solver,
            velocity_update,
            forces,
            buffers,
            walls,
            bodies,
            containers,
            reactions,
            points,
            coats,
            ..
        } = self;
        let at_planes = self.planes.memory() + held(&self.wall_integrals) + held(&walls.at_planes);
        let ([search, lists], [pairs, solver]) = (neighborhood.memory(), solver.memory());
        Memory {
            particles: state.particles.memory() + next.memory(),
            search: search + order.memory(),
            lists,
            pairs,
            solver: solver + velocity_update.memory() + forces.memory() + buffers.memory() + self.mixture.memory() + at_planes,
            walls: solids.memory()
                + held(&state.dropped)
                + held(&state.moved)
                + walls.memory()
                + bodies.memory()
                + containers.memory()
                + reactions.memory(),
            points: points.memory()
                + coats.memory()
                + held(&state.sets)
                + state.sets.iter().map(PointSet::memory).sum::<usize>()
                + held(&state.set_grids),
        }
    }
}
