//! Changes of the population between two steps: particles that are added and removed, and those that come and go through openings.

use std::ops::Range;

use super::{Simulation, State};
use crate::boundary::{Exchange, Inflow, Inlet};
use crate::parameters::{Dimensions, ParameterError, lightness};
use crate::particles::Particles;
use crate::passes::sweep;
use crate::setup::{MAX_PARTICLES, SetupError};
use crate::solver::EquationOfState;
use crate::space::Wrap;
use glam::Vec3;

/// Particle to be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NewParticle {
    /// Position, m.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Pressure, Pa, from which its density follows.
    pub pressure: f32,
    /// Index of its fluid in [`Setup::fluids`](crate::Setup::fluids); 0 if there is one.
    pub fluid: usize,
}

/// Reason why particles cannot be added or removed, or a state not be resumed. The simulation is then as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PopulationError {
    /// A value is not finite, or in two dimensions not in the plane.
    #[error("particle {index}: its {attribute} is not finite, or not within the plane")]
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
    #[error("no ids are left: a simulation can create at most {limit} particles")]
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
    /// A number of a dropped body is outside its range, or there are too many of them.
    #[error("dropped body {index} has a number outside its range, or is one too many")]
    InvalidDropped {
        /// Index among the dropped bodies.
        index: usize,
    },
    /// A body that a user has moved is none of the setup, moves by forces, is named twice, or has a number outside its range.
    #[error(
        "moved body {index} is not at rest and has no prescribed motion, is listed twice, or has a number outside its range"
    )]
    InvalidMoved {
        /// Index among the bodies that a user has moved.
        index: usize,
    },
    /// Arrays of a point set differ in length, its ids do not ascend, a number is not finite or outside its range, or its search has an
    /// impossible parameter.
    #[error("point set {set} has arrays of different lengths, a number outside its range, or an impossible grid")]
    InvalidSet {
        /// Index of the set.
        set: usize,
    },
    /// The point sets are not those of the setup.
    #[error("the cloths and balls are not those of the scene")]
    ForeignSets,
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
pub(super) const IDS: u32 = 1 << 26;

impl Simulation {
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
        let State { particles: present, next_id, time, .. } = &mut self.state;
        let Some(end) = next_id.checked_add(new.len() as u32).filter(|&end| end <= IDS) else {
            return Err(PopulationError::NoIds { limit: IDS });
        };
        let ids = *next_id..end;
        new.ids = ids.clone().collect();
        if *time > 0.0 {
            new.births = vec![*time as f32; new.len()];
        }
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

/// Checks that every value is finite, every density positive, and in two dimensions everything in the plane.
pub(super) fn validate_values(particles: &Particles, dimensions: Dimensions) -> Result<(), PopulationError> {
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

// Exchange of fluid through openings: particles that come and go before a step, and velocities that openings give.

/// Smallest distance to other fluid at which an emitter adds a particle, in spacings.
const CLEARANCE: f32 = 0.5;

impl Simulation {
    /// Removes what drains have caught, and adds what emitters have put out since the last exchange.
    pub(super) fn exchange_fluid(&mut self) {
        if self.inflow.is_empty() {
            return;
        }
        let (from, to) = (self.state.exchanged.replace(self.state.time), self.state.time);
        let drained = self.drain();
        let (emitted, withheld) = self.emit(from, to);
        self.inflow.exchange = Exchange { emitted, withheld, drained };
    }

    /// Gives the fluid in openings its velocity at the end of a step of length `dt`, s.
    pub(super) fn guide_fluid(&mut self, dt: f32) {
        if self.inflow.is_empty() {
            return;
        }
        let Self { inflow: Inflow { inlets, drains, .. }, state, velocity_update, discretization, domain, .. } = self;
        let time = state.time + f64::from(dt);
        let wrap = Wrap::new(domain);
        let flowing: Vec<(&Inlet, Vec3)> =
            inlets.iter().map(|inlet| (inlet, inlet.velocity(time))).filter(|(_, velocity)| *velocity != Vec3::ZERO).collect();
        let positions = &state.particles.positions;
        let guided = |i: usize| {
            let inlet = flowing.iter().find(|(inlet, _)| inlet.guides(positions[i], &wrap));
            inlet
                .map(|&(_, velocity)| velocity)
                .or_else(|| drains.iter().find_map(|drain| drain.guided(positions[i], discretization)))
        };
        for velocities in [&mut velocity_update.velocities, &mut velocity_update.advection_velocities] {
            sweep::update(velocities, |i, velocity| *velocity = guided(i).unwrap_or(*velocity));
        }
    }

    /// Removes the particles that drains have caught, and returns their number.
    fn drain(&mut self) -> usize {
        let Self { inflow: Inflow { drains, .. }, state, discretization, .. } = self;
        if drains.is_empty() {
            return 0;
        }
        let particles = &mut state.particles;
        let before = particles.len();
        let gone: Vec<bool> = particles
            .positions
            .iter()
            .map(|&position| drains.iter().any(|drain| drain.removes(position, discretization)))
            .collect();
        if gone.contains(&true) {
            particles.retain(|index| !gone[index]);
        }
        before - particles.len()
    }

    /// Adds the sheets that come out between two times (s), and returns the numbers of particles added and held back.
    fn emit(&mut self, from: Option<f64>, to: f64) -> (usize, usize) {
        let wrap = Wrap::new(&self.domain);
        let (mut new, mut wanted) = (Vec::<NewParticle>::new(), 0);
        for inlet in &self.inflow.inlets {
            let sheets = inlet.sheets(from, to);
            if sheets.is_empty() {
                continue;
            }
            let positions = self.state.particles.positions.iter().copied();
            let near: Vec<Vec3> = positions.filter(|&position| inlet.is_near(position, &wrap)).collect();
            let clearance = CLEARANCE * self.discretization.particle_spacing;
            let velocity = inlet.velocity(to);
            wanted += (sheets.end - sheets.start).saturating_mul(inlet.sheet.len() as u64);
            // Latest first: sheets that are far ahead by now have been held back for good.
            for number in sheets.rev() {
                let place = inlet.place(number, to);
                if !inlet.guides(place, &wrap) {
                    break;
                }
                let places = inlet.sheet.iter().map(|offset| self.domain.wrap(place + offset));
                let is_free = |at: &Vec3| near.iter().all(|other| wrap.minimum_image(*at, *other).length() >= clearance);
                new.extend(places.filter(is_free).map(|position| NewParticle {
                    position,
                    velocity,
                    pressure: 0.0,
                    fluid: inlet.fluid,
                }));
            }
        }
        let limit = self.inflow.particle_limit.unwrap_or(u64::MAX);
        let room = limit.saturating_sub(self.state.particles.len() as u64);
        new.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        // Refused as a whole at the largest number of particles, or of ids, that there can be.
        let emitted = if self.add(&new).is_ok() { new.len() } else { 0 };
        (emitted, usize::try_from(wanted).unwrap_or(usize::MAX) - emitted)
    }
}
