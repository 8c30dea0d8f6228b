//! The simulation: its state, and its step as a list of phases, from the neighbourhood to the report. Also the trait of engines, which
//! whoever drives it sees; its walls and bodies; what changes it between two steps (a user's hand, particles that come and go); and foam.

mod bodies;
mod coats;
mod cpu_engine;
mod engine;
mod foam;
mod hand;
mod input;
mod integration;
mod neighborhood;
mod points;
mod population;
mod report;
mod solids;
mod state;
mod step;

#[cfg(test)]
mod tests;

pub use bodies::PlacedBody;
pub use engine::{Engine, View};
pub use foam::{Foam, FoamKind, FoamParticle};
pub use hand::{
    BallPour, DropSite, DroppedBody, DroppedShape, Grab, Hand, HandError, MoveSite, Obstacle, PointGrab, Pour, Push,
};
pub use input::{Input, InputError};
pub use population::{NewParticle, PopulationError};
pub use state::State;

use crate::boundary::{BoundaryParticles, Inflow, Planes, Reaction, Reactions, WallIntegral};
use crate::forces::{ExternalForce, ForceState};
use crate::kernel::Kernel;
use crate::neighbors::CellOrder;
use crate::parameters::table::require;
use crate::parameters::{
    Curve, Discretization, Fluid, GridParameters, MAX_BUCKET_CAPACITY, MAX_TABLE_SIZE, ParameterError, Parameters,
};
use crate::passes::{CancelFlag, GatherBuffers, Mixture};
use crate::point_sets::PointSetup;
use crate::report::PhaseTimeline;
use crate::setup::{Setup, SetupError, sample_fluid};
use crate::solver::{Solver, VelocityUpdate, search_radius};
use crate::space::{Domain, lattice_sum};
use bodies::Bodies;
use coats::Coats;
use integration::Next;
use neighborhood::Neighborhood;
use points::Points;
use solids::{Containers, SolidSetup, Solids};

/// A fluid in its containers, at one moment.
///
/// A step runs on the rayon pool it is called from. Its results are the same to the bit for any number of threads and for any
/// [`GridParameters`](crate::neighbors::GridParameters). So a clone with another grid moves exactly like the original.
#[derive(Clone, Debug)]
pub struct Simulation {
    discretization: Discretization,
    solids: SolidSetup,
    state: State,
    containers: Containers,
    curves: Vec<Curve>,
    fluids: Vec<Fluid>,
    /// Coefficients of the particles; unused with one fluid.
    mixture: Mixture,
    external_forces: Vec<ExternalForce>,
    domain: Domain,
    kernel: Kernel,
    /// Mass of a particle of the reference fluid, kg (kg/m in two dimensions).
    mass: f32,
    walls: BoundaryParticles,
    planes: Planes,
    wall_integrals: Vec<WallIntegral>,
    bodies: Bodies,
    points: Points,
    coats: Coats,
    inflow: Inflow,
    /// Impulses of the step on bodies and walls.
    reactions: Reactions,
    neighborhood: Neighborhood,
    order: CellOrder,
    solver: Solver,
    velocity_update: VelocityUpdate,
    forces: ForceState,
    /// Workspace of the passes of a step.
    buffers: GatherBuffers,
    next: Next,
    /// Number of neighbour lists checked against brute force in each step.
    audited: usize,
    /// Flag that cancels steps, if there is one.
    cancel: Option<CancelFlag>,
    /// Timeline of the phases of the last step; `None` if switched off.
    timeline: Option<PhaseTimeline>,
}

impl Simulation {
    /// Creates the particles of `setup`.
    ///
    /// # Errors
    /// The errors of [`Setup::validate`].
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        setup.validate()?;
        let parameters = setup.parameters_at(0.0);
        if parameters != setup.parameters {
            return Self::new(&Setup { parameters, ..setup.clone() });
        }
        let domain = setup.domain.flat(setup.discretization.dimensions);
        let mut particles = sample_fluid(setup);
        particles.positions.iter_mut().for_each(|position| *position = domain.wrap(*position));
        let bodies = Bodies::initial_states(&setup.bodies, setup.discretization.dimensions);
        let source = setup.points.as_ref().map(PointSetup::source);
        let (sets, set_grids) = source.map_or_else(Default::default, |source| (source.sets(), source.grids()));
        Ok(Self::resume(setup, State { sets, set_grids, ..State::initial(setup.parameters, particles, bodies) }))
    }

    /// Places `state` into the walls and bodies of a valid `setup`.
    fn resume(setup: &Setup, state: State) -> Self {
        let discretization = setup.discretization;
        let parameters = &state.parameters;
        let domain = setup.domain.flat(discretization.dimensions);
        let volume = discretization.particle_volume() / lattice_sum(&discretization);
        let Solids { containers, planes, walls, bodies, reactions } = Solids::new(setup, &state.moved, &state.dropped);
        // Sampled at time 0 and then placed: resumed, a simulation has the volumes that it began with.
        let mut simulation = Self {
            solids: SolidSetup::of(setup),
            kernel: Kernel::new(discretization.kernel, discretization.dimensions, discretization.support_radius),
            mass: discretization.rest_density * volume,
            neighborhood: Neighborhood::new(parameters, domain, search_radius(&parameters.solver, &discretization)),
            containers,
            curves: setup.curves.clone(),
            fluids: setup.fluids.clone(),
            mixture: Mixture::default(),
            external_forces: setup.external_forces.clone(),
            inflow: Inflow::new(&setup.openings, &discretization),
            domain,
            discretization,
            walls,
            planes,
            wall_integrals: Vec::new(),
            reactions,
            bodies,
            points: Points::new(setup.points.as_ref()),
            coats: Coats::new(setup),
            order: CellOrder::default(),
            solver: Solver::new(parameters.solver.method),
            state,
            velocity_update: VelocityUpdate::default(),
            forces: ForceState::default(),
            buffers: GatherBuffers::default(),
            next: Next::default(),
            audited: 0,
            cancel: None,
            timeline: None,
        };
        simulation.follow_curves();
        simulation.place_walls();
        simulation
    }

    /// Samples walls and bodies again, after other bodies have been dropped or moved by a user, and places them. All else stays, the
    /// reactions of the last step included.
    fn sample_solids(&mut self) {
        let before = std::mem::take(&mut self.reactions);
        let forces: Vec<Reaction> = self.bodies.placed.iter().map(|placed| placed.force).collect();
        let Solids { containers, planes, walls, bodies, reactions } =
            Solids::new(self.solids.setup(), &self.state.moved, &self.state.dropped);
        (self.containers, self.planes, self.walls, self.bodies, self.reactions) =
            (containers, planes, walls, bodies, reactions);
        self.reactions.take_over(&before);
        self.coats.take_off();
        for (placed, force) in self.bodies.placed.iter_mut().zip(forces) {
            placed.force = force;
        }
        // Lists, and searches that are updated, still hold the old boundary particles.
        let parameters = &self.state.parameters;
        let radius = search_radius(&parameters.solver, &self.discretization);
        self.neighborhood = Neighborhood::new(parameters, self.domain, radius);
        self.place_walls();
    }

    /// Replaces the parameters from the next step on, but those that follow a curve. A new solver takes over the fluid as it is, pressure
    /// included.
    ///
    /// # Errors
    /// A value outside its range; the present parameters then stay.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        parameters.validate(&self.discretization)?;
        self.adopt(self.on_curves(parameters));
        Ok(())
    }

    /// Replaces the parameters of the search of the point set with index `set`, and of the sets that are searched with it, from the next step
    /// on. The motion does not change.
    ///
    /// # Errors
    /// A value outside its range, or no such set.
    pub fn set_point_grid(&mut self, set: usize, grid: GridParameters) -> Result<(), ParameterError> {
        let Some(points) = self.solids.setup().points.as_ref().filter(|_| set < self.state.sets.len()) else {
            return require(false, "set", set as f32, "the index of a point set");
        };
        let [low, high] = points.source().cell_sizes(set);
        // Tolerance for the ends of a slider, converted to metres and back.
        let inside = (low * 0.9999..=high * 1.0001).contains(&grid.cell_size);
        require(inside, "grid.cell_size", grid.cell_size, format!("{low} to {high} m"))?;
        let table = (1..=MAX_TABLE_SIZE).contains(&grid.table_size);
        require(table, "grid.table_size", grid.table_size as f32, format!("1 to {MAX_TABLE_SIZE}"))?;
        let capacity = (1..=MAX_BUCKET_CAPACITY).contains(&grid.bucket_capacity);
        require(capacity, "grid.bucket_capacity", grid.bucket_capacity as f32, format!("1 to {MAX_BUCKET_CAPACITY}"))?;
        grid.validate(grid.cell_size)?;
        let sets = points.source().searched_with(set);
        self.state.set_grids[sets].fill(grid);
        Ok(())
    }

    /// Takes the parameters with these keys off their curves, from the next step on, and puts all others on theirs.
    pub fn set_off_curve(&mut self, keys: &[&'static str]) {
        self.state.off_curve = keys.to_vec();
        self.follow_curves();
    }

    /// Sets the parameters that follow a curve to their values at the present time.
    fn follow_curves(&mut self) {
        if !self.curves.is_empty() {
            self.adopt(self.on_curves(self.state.parameters));
        }
    }

    /// `parameters` with the values of the curves at the present time; as they are if the values do not fit those that a user has set,
    /// as a shortest step above the longest.
    fn on_curves(&self, parameters: Parameters) -> Parameters {
        let mut followed = parameters;
        for curve in self.curves.iter().filter(|curve| !self.state.off_curve.contains(&curve.key())) {
            curve.apply(self.state.time, &mut followed);
        }
        if followed.validate(&self.discretization).is_ok() { followed } else { parameters }
    }

    /// Uses valid `parameters` from the next step on.
    fn adopt(&mut self, parameters: Parameters) {
        let radius = |parameters: &Parameters| search_radius(&parameters.solver, &self.discretization);
        let (before, now) = (radius(&self.state.parameters), radius(&parameters));
        let State { particles, parameters: present, solver, density_age, .. } = &mut self.state;
        if parameters.solver.method != present.solver.method {
            self.solver = Solver::take_over(&parameters, (&self.discretization, &self.fluids), particles, solver);
            *density_age = 0.0;
        }
        if now != before || parameters.grid != present.grid {
            self.neighborhood.replace_searches(&parameters, now);
        }
        *present = parameters;
    }

    /// Checks `queries` neighbour lists against brute force in every step from now on; see
    /// [`StepStats::audit`](crate::StepStats::audit). Costs as many distances as `queries` times the particles, in
    /// [`Phase::Statistics`](crate::Phase::Statistics).
    pub fn set_audit(&mut self, queries: usize) {
        self.audited = queries;
    }

    /// Lets `flag` cancel steps from now on.
    pub fn set_cancel_flag(&mut self, flag: CancelFlag) {
        self.cancel = Some(flag);
    }

    /// Switches the reaction of the fixed walls on or off, from the next step on; see [`Simulation::wall_reaction`]. Off at
    /// first: scenes without bodies then pay nothing for reactions.
    pub fn set_wall_reaction(&mut self, wanted: bool) {
        self.reactions.set_walls(wanted);
    }

    /// Switches the recording of a timeline on or off, from the next step on; see [`Simulation::timeline`].
    pub fn set_timeline(&mut self, wanted: bool) {
        self.timeline = wanted.then(PhaseTimeline::new);
    }
}
