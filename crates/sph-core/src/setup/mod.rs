//! Setup of a simulation: fluid blocks, containers, bodies, curves; validation, review and forecast; sampling with particles.

mod block;
mod coats;
mod error;
mod fall;
mod forecast;
mod particle_set;
mod review;
mod sampling;
mod validation;

pub use block::{BlockShape, Filling, FluidBlock, InitialPressure, Interface, VelocityField};
pub use error::{MotionObstacle, Rigid, SetupError};
pub use forecast::{CountsByKind, Forecast, ParticleCounts};
pub use particle_set::{ParticleSet, ParticleSetError};
pub use review::Remark;

pub(crate) use sampling::sample_fluid;

use crate::boundary::{Body, Container, Joint, Openings};
use crate::forces::ExternalForce;
use crate::parameters::{Curve, Dimensions, Discretization, Fluid, MAX_TABLE_SIZE, Parameters, Value, WallSampling};
use crate::point_sets::PointSetup;
use crate::solver::{StepBound, expected_step, expected_step_of_solids};
use crate::space::Domain;
use glam::Vec3;

/// Largest number of particles in a simulation, fluid and boundary together.
pub const MAX_PARTICLES: u64 = 20_000_000;

/// Highest speed of a block along an axis, and of any point of a container or body, m/s.
pub const MAX_SPEED: f32 = 1e6;

/// Setup of a [`Simulation`](crate::Simulation).
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Discretisation, constant during a simulation.
    pub discretization: Discretization,
    /// Initial parameters; [`Setup::curves`] prevail.
    pub parameters: Parameters,
    /// Parameters that change over time, each by one curve.
    pub curves: Vec<Curve>,
    /// Fluids, if there are several; empty for one, whose constants are those of the discretisation and the parameters.
    pub fluids: Vec<Fluid>,
    /// Blocks of fluid.
    pub blocks: Vec<FluidBlock>,
    /// Fluid of given particles.
    pub particle_sets: Vec<ParticleSet>,
    /// Containers, whose faces are walls. Faces normal to periodic axes are ignored.
    pub containers: Vec<Container>,
    /// Solid bodies in the fluid.
    pub bodies: Vec<Body>,
    /// Joints of bodies that move by forces.
    pub joints: Vec<Joint>,
    /// External forces, added to gravity.
    pub external_forces: Vec<ExternalForce>,
    /// Periodic domain.
    pub domain: Domain,
    /// Emitters and drains.
    pub openings: Openings,
    /// Sampling of walls with particles, or analytic walls.
    pub wall_sampling: WallSampling,
    /// Cloths and balls; `None` without any.
    pub points: Option<PointSetup>,
}

impl Setup {
    /// `point` with z = 0 in two dimensions; unchanged in three.
    pub(crate) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => point.with_z(0.0),
            Dimensions::Three => point,
        }
    }
}

// Usual values of a setup: those that follow from its fluid.

/// Buckets per fluid particle in a hash table: most buckets then hold the particles of one cell or none.
const BUCKETS_PER_PARTICLE: u64 = 2;

/// Number of particles for which the table of a scene is made that only emitters fill, without a limit.
const EMITTED: u64 = 10_000;

impl Setup {
    /// Setup of `blocks` of fluid in `containers` with usual parameters: no bodies, no external forces, no periodic axes.
    pub fn new(discretization: Discretization, blocks: Vec<FluidBlock>, containers: Vec<Container>) -> Self {
        let mut setup = Self {
            discretization,
            parameters: Parameters::usual(&discretization),
            curves: Vec::new(),
            fluids: Vec::new(),
            blocks,
            particle_sets: Vec::new(),
            containers,
            bodies: Vec::new(),
            joints: Vec::new(),
            external_forces: Vec::new(),
            domain: Domain::default(),
            openings: Openings::default(),
            wall_sampling: WallSampling::default(),
            points: None,
        };
        setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
        setup.parameters.grid.table_size = setup.usual_table_size();
        setup.parameters.foam.speed = setup.usual_foam_speed();
        setup
    }

    /// Usual speed of sound, `10 √(v² + 2 |g| H)`, at least 1 m/s; H is the extent of all the fluid along gravity, emitters and the floors
    /// below them included, v the highest speed in an opening; without any fluid, which a user may pour, that of the containers. Of a gravity that
    /// changes, the strongest counts.
    ///
    /// `√(2 |g| H)` is the speed of fluid that has fallen through H; ten times the highest speed keeps the density within 1 %
    /// (Monaghan1994).
    pub fn usual_sound_speed(&self) -> f32 {
        let gravity = self.strongest_gravity();
        let Some(down) = gravity.try_normalize() else {
            return (10.0 * self.openings.top_speed(&self.discretization)).max(1.0);
        };
        let points = self.openings.emitters.iter().map(|emitter| (emitter.center, emitter.center));
        // The fluid of an emitter falls to the floor.
        let floors = self.containers.iter().filter(|_| !self.openings.emitters.is_empty());
        let floors =
            floors.map(|container| (container.min * down).max(container.max * down).element_sum()).map(|low| (low, low));
        let tanks = self.containers.iter().filter(|_| !self.has_fluid()).map(|container| (container.min, container.max));
        let extents = self.fluid_boxes().chain(points).chain(tanks).map(|ends| extent_along(down, ends)).chain(floors);
        let inflow = self.openings.top_speed(&self.discretization);
        let speed = 10.0 * (inflow * inflow + 2.0 * gravity.length() * span(extents)).sqrt();
        // The validation refuses corners that are not finite; its error names them, not this speed.
        if speed.is_finite() { speed.max(1.0) } else { 1.0 }
    }

    /// Usual speed scale of the foam, m/s: the highest speed to expect.
    pub fn usual_foam_speed(&self) -> f32 {
        let speed = self.expected_speed();
        // The validation names what is not finite.
        if speed.is_finite() { speed.clamp(1e-6, 1e6) } else { 1.0 }
    }

    /// Usual size of the hash table: two buckets per fluid particle at the start; in a scene that only emitters, or a user, fill, for as many
    /// particles as it may have, or 10,000 without a limit.
    pub fn usual_table_size(&self) -> u32 {
        if self.discretization.validate().is_err() {
            return 1;
        }
        let particles = match self.particle_counts().fluid {
            0 => self.openings.particle_limit.unwrap_or(EMITTED),
            fluid => fluid,
        };
        let size = particles.saturating_mul(BUCKETS_PER_PARTICLE).clamp(1, MAX_TABLE_SIZE.into());
        u32::try_from(size).unwrap_or(MAX_TABLE_SIZE)
    }

    /// Range of the potential of `gravity` (m/s²) over the particles at the start, m²/s²; 0 without any. Fluid that emitters pour later, and other
    /// forces, are left out: how deep the fluid will be is not known.
    fn potential_range(&self, gravity: Vec3) -> f32 {
        let gravity = self.flat(gravity);
        // The centres lie half a spacing inside the fluid.
        let margin = self.discretization.particle_spacing * gravity.length();
        (span(self.fluid_boxes().map(|ends| extent_along(gravity, ends))) - margin).max(0.0)
    }
}

/// Least and greatest product with `direction` of the points of a box with the corners `min` and `max`.
fn extent_along(direction: Vec3, (min, max): (Vec3, Vec3)) -> (f32, f32) {
    let (a, b) = (min * direction, max * direction);
    (a.min(b).element_sum(), a.max(b).element_sum())
}

/// Length of the smallest interval that contains all of `extents`; −∞ without any.
fn span(extents: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (low, high) = extents.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    high - low
}

// Curves of a setup: parameters at a time, extremes over all times, validation.

impl Setup {
    /// Parameters at `time`, s: those of the setup, and the values of the curves then.
    pub fn parameters_at(&self, time: f64) -> Parameters {
        let mut parameters = self.parameters;
        self.curves.iter().for_each(|curve| curve.apply(time, &mut parameters));
        parameters
    }

    /// Gravity when it is strongest, m/s².
    fn strongest_gravity(&self) -> Vec3 {
        let points = self.curves.iter().filter(|curve| curve.key() == "gravity").flat_map(|curve| curve.points());
        let on_curve = points.filter_map(|&(_, value)| if let Value::Vector(gravity) = value { Some(gravity) } else { None });
        on_curve.reduce(|a, b| if b.length() > a.length() { b } else { a }).unwrap_or(self.parameters.gravity)
    }

    /// The shortest of the time steps to expect at `speed`, m/s, with the parameters at the points of all curves.
    fn shortest_step(&self, speed: f32) -> StepBound {
        let step = |parameters: &Parameters| self.step_to_expect(parameters, speed);
        let on_curves = self.point_times().map(|time| step(&self.parameters_at(time)));
        on_curves.fold(step(&self.parameters), |shortest, other| if other.dt < shortest.dt { other } else { shortest })
    }

    /// The time step to expect with `parameters` at `speed`, m/s; without fluid that of the solids.
    fn step_to_expect(&self, parameters: &Parameters, speed: f32) -> StepBound {
        if self.has_fluid() {
            expected_step((&self.discretization, parameters), &self.fluids, [speed, self.potential_range(parameters.gravity)])
        } else {
            expected_step_of_solids(&self.discretization, &parameters.time_step, self.solid_speed())
        }
    }

    /// Checks that each parameter has at most one curve, and the parameters at the points of all of them. Between points values are linear,
    /// and so are their bounds.
    fn validate_curves(&self) -> Result<(), SetupError> {
        for (index, curve) in self.curves.iter().enumerate() {
            if self.curves[..index].iter().any(|other| other.key() == curve.key()) {
                return Err(SetupError::TwoCurves { key: curve.key() });
            }
        }
        for time in self.point_times() {
            let result = self.parameters_at(time).validate(&self.discretization);
            result.map_err(|error| SetupError::Curve { time, error })?;
        }
        Ok(())
    }

    /// Times of the points of all curves, s, ascending, each once.
    fn point_times(&self) -> impl Iterator<Item = f64> {
        let mut times: Vec<f64> = self.curves.iter().flat_map(|curve| curve.points()).map(|&(time, _)| time).collect();
        times.sort_unstable_by(f64::total_cmp);
        // Curves often have points at the same times.
        times.dedup();
        times.into_iter()
    }
}
