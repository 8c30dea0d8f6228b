//! Changes of the population between two steps: particles that are added and removed, and simulations made from a state.

mod exchange;

use super::{Simulation, State};
use crate::boundary::Body;
use crate::parameters::{Dimensions, Discretization, ParameterError, lightness};
use crate::particles::{Particles, Presence};
use crate::setup::{MAX_PARTICLES, Setup, SetupError};
use crate::solver::EquationOfState;
use glam::Vec3;
use std::ops::Range;

/// Particle to be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NewParticle {
    /// Position, m.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Pressure, Pa, from which its density follows.
    pub pressure: f32,
    /// Index of its fluid in [`Setup::fluids`]; 0 if there is one.
    pub fluid: usize,
}

/// Reason why particles cannot be added or removed, or a state not be resumed. The simulation is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PopulationError {
    /// A value is not finite, or in two dimensions not in the plane.
    #[error("particle {index}: its {attribute} is not finite, or out of the plane")]
    Invalid {
        /// Index of the particle among those given, from 0.
        index: usize,
        /// Name of the attribute.
        attribute: &'static str,
    },
    /// A density is not positive.
    #[error("particle {index}: its density is not positive")]
    Density {
        /// Index of the particle among those given, from 0.
        index: usize,
    },
    /// More particles than [`MAX_PARTICLES`], boundary particles included.
    #[error("{count} particles are too many: at most {limit} are possible")]
    TooMany {
        /// Number of particles that there would be.
        count: u64,
        /// Largest possible number.
        limit: u64,
    },
    /// All ids have been used.
    #[error("no ids are left: a simulation can have {limit} particles in its life")]
    NoIds {
        /// Number of ids.
        limit: u32,
    },
    /// No particle has this id.
    #[error("there is no particle with id {id}")]
    UnknownId {
        /// The id.
        id: u32,
    },
    /// The fluid of a particle is not in the table of fluids, or given although there is one fluid.
    #[error("particle {index}: its fluid {fluid} is not in the table of fluids, which is empty with one fluid")]
    UnknownFluid {
        /// Index of the particle among those given, from 0.
        index: usize,
        /// Index of the fluid.
        fluid: usize,
    },
    /// Two particles have the same id, or an id is not below `next_id`.
    #[error("the id {id} is used twice, or not below the next id")]
    InvalidId {
        /// The id.
        id: u32,
    },
    /// An array of a state does not have one entry for each particle.
    #[error("the attribute {attribute} has {found} values for {expected} particles")]
    Length {
        /// Name of the attribute.
        attribute: &'static str,
        /// Length of its array.
        found: usize,
        /// Number of particles.
        expected: usize,
    },
    /// There is not one state for each body that moves by forces.
    #[error("there are {found} states of bodies for {expected} that move by forces")]
    Bodies {
        /// Number of states.
        found: usize,
        /// Number of such bodies.
        expected: usize,
    },
    /// A number of the state of a body is not finite, out of the plane, or its rotation is no unit quaternion.
    #[error("the state of moving body {index} is not finite, out of the plane, or not a rotation")]
    InvalidBody {
        /// Index among the bodies that move by forces.
        index: usize,
    },
    /// A time, a length of a step or an age is negative, above 1e9 s or not finite, or there are too many steps to count.
    #[error("{name} of the state is not from 0 to 1e9 s, or the steps can no longer be counted")]
    Time {
        /// Name of the number.
        name: &'static str,
    },
    /// A parameter of the state is outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The setup is invalid.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Number of ids. Structures that are updated hold about 60 bytes for each id up to the largest, 4 GB for all; those above are left
/// to periodic images.
const IDS: u32 = 1 << 26;

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
        state.parameters.validate(&setup.discretization)?;
        state.validate(&setup.discretization)?;
        state.validate_bodies(&setup.bodies, setup.discretization.dimensions)?;
        let (fluids, particles) = (setup.fluids.len(), &state.particles);
        let unknown = particles.fluids.iter().position(|&fluid| usize::from(fluid) >= fluids);
        if let Some(index) = unknown {
            return Err(PopulationError::UnknownFluid { index, fluid: particles.fluids[index].into() });
        }
        if fluids > 0 && particles.fluids.len() < particles.len() {
            return Err(PopulationError::Length { attribute: "fluids", found: 0, expected: particles.len() });
        }
        let count = state.particles.len() as u64 + setup.particle_counts().boundary;
        if count > MAX_PARTICLES {
            return Err(PopulationError::TooMany { count, limit: MAX_PARTICLES });
        }
        let domain = setup.domain.flat(setup.discretization.dimensions);
        state.particles.positions.iter_mut().for_each(|position| *position = domain.wrap(*position));
        Ok(Self::resume(setup, state))
    }

    /// Adds particles, and returns their ids, in the order of `particles`. Solvers start them without memory.
    ///
    /// A particle closer than about a spacing to another is pushed away violently; keeping a distance is up to the caller.
    ///
    /// # Errors
    /// A value is not finite, or there would be too many particles. Nothing is added then.
    pub fn add(&mut self, particles: &[NewParticle]) -> Result<Range<u32>, PopulationError> {
        let equation = EquationOfState::of(&self.discretization, &self.state.parameters);
        let mut new = Particles::default();
        new.extend(particles.len());
        for (i, particle) in particles.iter().enumerate() {
            let &NewParticle { position, velocity, pressure, fluid } = particle;
            if fluid >= self.fluids.len().max(1) {
                return Err(PopulationError::UnknownFluid { index: i, fluid });
            }
            let lightness = lightness(&self.fluids, self.discretization.rest_density, Some(fluid));
            if !self.fluids.is_empty() {
                new.fluids.push(fluid as u8);
            }
            (new.positions[i], new.velocities[i]) = (self.domain.wrap(position), velocity);
            (new.pressures[i], new.densities[i]) = (pressure, equation.density(pressure) / lightness);
        }
        validate_values(&new, self.discretization.dimensions)?;
        let count = (self.state.particles.len() + self.walls.len() + new.len()) as u64;
        if count > MAX_PARTICLES {
            return Err(PopulationError::TooMany { count, limit: MAX_PARTICLES });
        }
        let State { particles: present, next_id, .. } = &mut self.state;
        let Some(end) = next_id.checked_add(new.len() as u32).filter(|&end| end <= IDS) else {
            return Err(PopulationError::NoIds { limit: IDS });
        };
        let ids = *next_id..end;
        new.ids = ids.clone().collect();
        present.append(&new);
        *next_id = end;
        Ok(ids)
    }

    /// Removes the particles with these ids; an id may be given twice. The other particles keep theirs.
    ///
    /// # Errors
    /// No particle has one of the ids. Nothing is removed then.
    pub fn remove(&mut self, ids: &[u32]) -> Result<(), PopulationError> {
        let particles = &self.state.particles;
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let gone: Vec<bool> = particles.ids.iter().map(|id| sorted.binary_search(id).is_ok()).collect();
        if gone.iter().filter(|&&gone| gone).count() < sorted.len() {
            let mut present = particles.ids.clone();
            present.sort_unstable();
            let unknown = sorted.into_iter().find(|id| present.binary_search(id).is_err());
            return Err(PopulationError::UnknownId { id: unknown.unwrap_or_default() });
        }
        self.state.particles.retain(|index| !gone[index]);
        Ok(())
    }
}

impl State {
    /// Checks the arrays, ids and numbers.
    fn validate(&self, discretization: &Discretization) -> Result<(), PopulationError> {
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

    /// Checks the states of the bodies that move by forces.
    fn validate_bodies(&self, bodies: &[Body], dimensions: Dimensions) -> Result<(), PopulationError> {
        let (found, expected) = (self.bodies.len(), bodies.iter().filter(|body| body.dynamics.is_some()).count());
        if found != expected {
            return Err(PopulationError::Bodies { found, expected });
        }
        match self.bodies.iter().position(|body| !body.is_valid(dimensions)) {
            Some(index) => Err(PopulationError::InvalidBody { index }),
            None => Ok(()),
        }
    }
}

/// Checks that every value is finite, every density positive, and in two dimensions everything in the plane.
fn validate_values(particles: &Particles, dimensions: Dimensions) -> Result<(), PopulationError> {
    for (attribute, values) in particles.attributes() {
        if let Some(index) = values.first_not_finite() {
            return Err(PopulationError::Invalid { index, attribute: attribute.name });
        }
    }
    if let Some(index) = particles.densities.iter().position(|&density| density <= 0.0) {
        return Err(PopulationError::Density { index });
    }
    if dimensions == Dimensions::Two {
        let Particles { positions, rounding_errors, velocities, viscosity_changes, spins, .. } = particles;
        let in_plane = [
            ("positions", positions),
            ("rounding_errors", rounding_errors),
            ("velocities", velocities),
            ("viscosity_changes", viscosity_changes),
        ];
        // Spins are axes of rotation: along z.
        let leaves_plane = in_plane.map(|(name, vectors)| (name, vectors.iter().position(|vector| vector.z != 0.0)));
        let tilted = ("spins", spins.iter().position(|spin| spin.truncate() != glam::Vec2::ZERO));
        for (attribute, index) in leaves_plane.into_iter().chain([tilted]) {
            if let Some(index) = index {
                return Err(PopulationError::Invalid { index, attribute });
            }
        }
    }
    Ok(())
}
