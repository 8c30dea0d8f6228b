//! State of a simulation: all that the next steps depend on, besides its setup; simulations made from a state.

use super::coats::MOST_FOR_A_HAND;
use super::points::Points;
use super::population::{IDS, PopulationError, validate_values};
use super::{DroppedBody, Simulation};
use crate::boundary::{Body, BodyState, Exchange, MovedBody};
use crate::forces::ForceState;
use crate::parameters::{Dimensions, Discretization, GridParameters, Parameters};
use crate::particles::{Particles, Presence};
use crate::point_sets::PointSet;
use crate::setup::{MAX_PARTICLES, Setup};
use crate::solver::{Solver, SolverMemory, VelocityUpdate, search_radius};
use crate::space::Domain;
use glam::Vec3;

/// State of a simulation between two steps. With the [`Setup`](crate::Setup) it determines all later steps to the bit; see
/// [`Simulation::from_state`](crate::Simulation::from_state).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Particles, in any order: each step sorts them by cell and id. Serde skips them: who saves a state writes them as arrays of bytes, by
    /// [`Particles::attributes`].
    #[cfg_attr(feature = "serde", serde(skip))]
    pub particles: Particles,
    /// Bodies that move by forces: those of the setup in its order, then the dropped ones.
    pub bodies: Vec<BodyState>,
    /// Bodies that have been dropped, in that order: as they were at that moment.
    pub dropped: Vec<DroppedBody>,
    /// Bodies of the setup that a user has moved, each once, in the order in which they were first moved; none of them moves by forces.
    pub moved: Vec<MovedBody>,
    /// Parameters of the next step.
    pub parameters: Parameters,
    /// Keys of the parameters that have been taken off their curves.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "known_keys"))]
    pub off_curve: Vec<&'static str>,
    /// Simulated time, s.
    pub time: f64,
    /// Completed steps.
    pub steps: u64,
    /// Length of the last step, s; 0 before the first.
    pub last_dt: f32,
    /// Age of the densities: time by which they lag behind the positions, s.
    pub density_age: f32,
    /// Time at which emitters and drains acted last, s; `None` before the first step.
    pub exchanged: Option<f64>,
    /// Id of the next particle that is added, above all ids so far.
    pub next_id: u32,
    /// Numbers that the solver carries from step to step.
    pub solver: SolverMemory,
    /// Point sets: cloths, balls.
    pub sets: Vec<PointSet>,
    /// Parameters of the search of each of them.
    pub set_grids: Vec<GridParameters>,
}

impl State {
    /// State of `particles` and `bodies` that have not moved yet.
    pub(crate) fn initial(parameters: Parameters, particles: Particles, bodies: Vec<BodyState>) -> Self {
        let next_id = particles.len() as u32;
        Self {
            particles,
            bodies,
            dropped: Vec::new(),
            moved: Vec::new(),
            parameters,
            off_curve: Vec::new(),
            time: 0.0,
            steps: 0,
            last_dt: 0.0,
            density_age: 0.0,
            exchanged: None,
            next_id,
            solver: SolverMemory::default(),
            sets: Vec::new(),
            set_grids: Vec::new(),
        }
    }
}

/// Keys of parameters, read back: a key that no parameter has is refused.
#[cfg(feature = "serde")]
fn known_keys<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<&'static str>, D::Error> {
    use serde::de::{Deserialize as _, Error as _};
    let known = |key: String| Parameters::table().iter().map(|parameter| parameter.key).find(|known| *known == key);
    let keys = Vec::<String>::deserialize(deserializer)?.into_iter().map(known);
    keys.collect::<Option<_>>().ok_or_else(|| D::Error::custom("a key is that of no parameter"))
}

// Simulations made from a state, and brought back to one.

/// Latest time, s: far beyond it, a float of 64 bits no longer resolves a step.
const LATEST: f64 = 1e9;

impl Simulation {
    /// Creates a simulation with the walls and bodies of `setup` and the fluid of `state`: it goes on as the simulation that
    /// the state is of, to the bit. The blocks and parameters of `setup` have to be valid, but are not used.
    ///
    /// # Errors
    /// The setup is invalid; the arrays of the state have different lengths, its ids are not unique, or a value is not finite
    /// or outside its range.
    pub fn from_state(setup: &Setup, mut state: State) -> Result<Self, PopulationError> {
        setup.validate()?;
        let Setup { bodies, discretization, fluids, domain, .. } = setup;
        let domain = domain.flat(discretization.dimensions);
        state.validate_sets(setup)?;
        state.validate((discretization, &domain), (fluids.len(), setup.particle_counts().boundary), bodies.iter())?;
        state.particles.positions.iter_mut().for_each(|position| *position = domain.wrap(*position));
        Ok(Self::resume(setup, state))
    }

    /// Brings this simulation to `state`, which has to be of the same setup: it goes on as the simulation that the state is of, to the
    /// bit. Walls are placed, not sampled again, so that this costs about as much as a copy of the state, unless other bodies have been
    /// dropped or moved.
    ///
    /// # Errors
    /// Those of [`Simulation::from_state`]; the present state then stays.
    pub fn restore(&mut self, mut state: State) -> Result<(), PopulationError> {
        let setup = self.solids.setup();
        let dropped = self.bodies.placed.get(setup.bodies.len());
        let boundary =
            dropped.map_or(self.walls.len() - self.coats.particles().len(), |placed| placed.boundary_particles().start);
        let space = (&self.discretization, &self.domain);
        state.validate_sets(setup)?;
        state.validate(space, (self.fluids.len(), boundary as u64), setup.bodies.iter())?;
        state.particles.positions.iter_mut().for_each(|position| *position = self.domain.wrap(*position));
        // Searches that are updated still hold the old points.
        let radius = search_radius(&state.parameters.solver, &self.discretization);
        self.neighborhood.replace_searches(&state.parameters, radius);
        if !self.walls.are_fixed() {
            self.neighborhood.walls_moved();
        }
        self.solver = Solver::new(state.parameters.solver.method);
        self.points = Points::new(setup.points.as_ref());
        let has_same_moved = state.moved.iter().map(|moved| moved.body).eq(self.state.moved.iter().map(|moved| moved.body));
        let has_other_bodies = state.dropped != self.state.dropped || !has_same_moved;
        self.state = state;
        if has_other_bodies {
            self.sample_solids();
        }
        // What steps keep for reading only, and the memory that they write anew.
        self.velocity_update = VelocityUpdate::default();
        self.forces = ForceState::default();
        self.inflow.exchange = Exchange::default();
        self.reactions.forget();
        self.bodies.placed.iter_mut().for_each(|placed| placed.force = Default::default());
        self.follow_curves();
        self.place_walls();
        Ok(())
    }
}

impl State {
    /// Checks the state against discretisation and domain, the numbers of fluids and of boundary particles, and `bodies` of the setup.
    fn validate<'a>(
        &self,
        (discretization, domain): (&Discretization, &Domain),
        (fluids, boundary): (usize, u64),
        bodies: impl Iterator<Item = &'a Body> + Clone,
    ) -> Result<(), PopulationError> {
        self.parameters.validate(discretization)?;
        self.validate_arrays(discretization)?;
        self.validate_bodies(bodies.clone(), (discretization, domain))?;
        self.validate_moved(bodies, discretization.dimensions)?;
        let particles = &self.particles;
        let unknown = particles.fluids.iter().position(|&fluid| usize::from(fluid) >= fluids);
        if let Some(index) = unknown {
            return Err(PopulationError::UnknownFluid { index, fluid: particles.fluids[index].into() });
        }
        if fluids > 0 && particles.fluids.len() < particles.len() {
            return Err(PopulationError::Length { attribute: "fluids", found: 0, expected: particles.len() });
        }
        let dropped = self.dropped.iter().map(|dropped| dropped.body().particle_count(discretization));
        let count = dropped.fold(particles.len() as u64 + boundary, u64::saturating_add);
        if count > MAX_PARTICLES {
            return Err(PopulationError::TooMany { count, limit: MAX_PARTICLES });
        }
        Ok(())
    }

    /// Checks the arrays, ids and numbers.
    fn validate_arrays(&self, discretization: &Discretization) -> Result<(), PopulationError> {
        let dimensions = discretization.dimensions;
        let expected = self.particles.len();
        for (attribute, values) in self.particles.attributes() {
            let absent = attribute.presence == Presence::Optional && values.is_empty();
            if values.len() != expected && !absent {
                return Err(PopulationError::Length { attribute: attribute.name, found: values.len(), expected });
            }
        }
        validate_values(&self.particles, dimensions)?;
        let is_large = |error: &Vec3| error.length() > discretization.particle_spacing;
        if let Some(index) = self.particles.rounding_errors.iter().position(is_large) {
            return Err(PopulationError::Invalid { index, attribute: "rounding_errors" });
        }
        let mut ids = self.particles.ids.clone();
        ids.sort_unstable();
        let twice = ids.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        let beyond = ids.last().copied().filter(|&id| id >= self.next_id.min(IDS));
        if let Some(id) = twice.or(beyond) {
            return Err(PopulationError::InvalidId { id });
        }
        let times = [
            ("time", self.time),
            ("last_dt", f64::from(self.last_dt)),
            ("density_age", f64::from(self.density_age)),
            ("exchanged", self.exchanged.unwrap_or_default()),
            ("divergence_dt", f64::from(self.solver.divergence_dt)),
        ];
        match times.into_iter().find(|(_, time)| !(0.0..=LATEST).contains(time)) {
            Some((name, _)) => Err(PopulationError::Time { name }),
            None if self.steps == u64::MAX => Err(PopulationError::Time { name: "steps" }),
            None => Ok(()),
        }
    }

    /// Checks the bodies that have been dropped, and the states of all that move by forces.
    fn validate_bodies<'a>(
        &self,
        bodies: impl Iterator<Item = &'a Body>,
        (discretization, domain): (&Discretization, &Domain),
    ) -> Result<(), PopulationError> {
        let invalid = self.dropped.iter().position(|dropped| dropped.validate(discretization, domain).is_err());
        if let Some(index) = invalid.or((self.dropped.len() > DroppedBody::MAX).then_some(DroppedBody::MAX)) {
            return Err(PopulationError::InvalidDropped { index });
        }
        let free = bodies.filter(|body| body.dynamics.is_some()).count();
        let (found, expected) = (self.bodies.len(), free + self.dropped.len());
        if found != expected {
            return Err(PopulationError::Bodies { found, expected });
        }
        match self.bodies.iter().position(|body| !body.is_valid(discretization.dimensions)) {
            Some(index) => Err(PopulationError::InvalidBody { index }),
            None => Ok(()),
        }
    }

    /// Checks the point sets against those of the setup.
    fn validate_sets(&self, setup: &Setup) -> Result<(), PopulationError> {
        let Self { sets, set_grids, .. } = self;
        let points = setup.points.as_ref();
        let fits = points.map_or(sets.is_empty(), |points| points.source().fits(sets)) && sets.len() == set_grids.len();
        match sets.iter().zip(set_grids).position(|(set, grid)| !set.is_valid() || !grid.is_valid()) {
            Some(set) => Err(PopulationError::InvalidSet { set }),
            None if !fits => Err(PopulationError::ForeignSets),
            // Balls that a hand has poured.
            None => match setup.coat_count_of_balls(sets) {
                count if count > MOST_FOR_A_HAND && count > setup.coat_count() => {
                    Err(PopulationError::TooMany { count, limit: MOST_FOR_A_HAND })
                }
                _ => Ok(()),
            },
        }
    }

    /// Checks the bodies that a user has moved.
    fn validate_moved<'a>(
        &self,
        bodies: impl Iterator<Item = &'a Body>,
        dimensions: Dimensions,
    ) -> Result<(), PopulationError> {
        let can_be_moved: Vec<bool> = bodies.map(|body| body.dynamics.is_none()).collect();
        let is_valid = |index: usize| {
            let moved = &self.moved[index];
            let is_new = self.moved[..index].iter().all(|before| before.body != moved.body);
            can_be_moved.get(moved.body) == Some(&true) && is_new && moved.is_valid(dimensions)
        };
        match (0..self.moved.len()).find(|&index| !is_valid(index)) {
            Some(index) => Err(PopulationError::InvalidMoved { index }),
            None => Ok(()),
        }
    }
}
