//! Probes: what instruments in a flume would read, taken from the particles of one moment.
//!
//! Every reading is a function of the state alone and of nothing that came before, so a run computes the same whether or not it is
//! probed. A reading where there is no fluid is `None`, never a number.

mod field;
mod surface;

pub use field::{pressure_at, velocity_at};
pub use surface::{front, water_height};

use crate::boundary::{BoundaryParticles, Face, Planes};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::parameters::{Dimensions, Discretization};
use crate::particles::Particles;
use crate::passes::sweep;
use crate::simulation::{PlacedBody, Simulation};
use crate::space::{Domain, Wrap};
use glam::Vec3;

/// The fluid and its walls at one moment, as probes see them.
#[derive(Clone, Copy, Debug)]
pub struct Fluid<'a> {
    /// The discretisation.
    pub discretization: &'a Discretization,
    /// Where space repeats.
    pub domain: &'a Domain,
    /// Gravity and the other forces from outside.
    pub external: ExternalForces<'a>,
    /// Mass of every particle, kg (kg/m in two dimensions).
    pub mass: f32,
    /// The fluid.
    pub particles: &'a Particles,
    /// The walls.
    pub walls: &'a BoundaryParticles,
    /// The bodies.
    pub bodies: &'a [PlacedBody],
    /// The walls that are not particles.
    pub planes: &'a Planes,
}

/// An instrument: what it measures, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Probe {
    /// Pressure at a point, Pa; see [`pressure_at`].
    Pressure {
        /// The point, m; usually on a wall.
        at: Vec3,
    },
    /// Height of the water's surface on the vertical line through a point, m; see [`water_height`].
    WaterHeight {
        /// A point of the line, m; its y is ignored.
        at: Vec3,
    },
    /// How far the fluid has come towards a face, m; see [`front`].
    Front {
        /// The face that the fluid runs to.
        toward: Face,
    },
    /// Velocity at points evenly along a line, both ends included, m/s; see [`velocity_at`].
    Velocity {
        /// The first point, m.
        from: Vec3,
        /// The last point, m.
        to: Vec3,
        /// Number of points, at least 1.
        points: u32,
    },
    /// Kinetic and potential energy of the fluid, J (J/m in two dimensions).
    Energy,
    /// Force of the fluid on a body in the last step, N (N/m in two dimensions), by pressure and by viscosity; see
    /// [`BodyForce`](crate::BodyForce).
    Force {
        /// The body's place in the list of bodies, from 0.
        body: usize,
    },
}

impl Probe {
    /// What tells its readings apart, one entry a reading, in the order of [`Probe::read`]: empty for a probe that gives one number.
    pub fn labels(&self, dimensions: Dimensions) -> Vec<String> {
        match *self {
            Self::Pressure { .. } | Self::WaterHeight { .. } | Self::Front { .. } => vec![String::new()],
            Self::Force { .. } => {
                let axes = &["x", "y", "z"][..dimensions.count()];
                ["pressure", "viscous"].iter().flat_map(|part| axes.iter().map(move |axis| format!("{part}.{axis}"))).collect()
            }
            Self::Velocity { points, .. } => {
                let axes = &["x", "y", "z"][..dimensions.count()];
                (0..points).flat_map(|point| axes.iter().map(move |axis| format!("{point}.{axis}"))).collect()
            }
            Self::Energy => ["kinetic", "potential"].map(str::to_owned).to_vec(),
        }
    }

    /// The readings, in SI units; `None` where there is no fluid.
    pub fn read(&self, fluid: &Fluid<'_>) -> Vec<Option<f64>> {
        match *self {
            Self::Pressure { at } => vec![pressure_at(fluid, at)],
            Self::WaterHeight { at } => vec![water_height(fluid, at)],
            Self::Front { toward } => vec![front(fluid, toward)],
            Self::Velocity { from, to, points } => {
                let mut velocities = Vec::new();
                let last = points.saturating_sub(1).max(1) as f32;
                sweep::map(points as usize, &mut velocities, |point| velocity_at(fluid, from.lerp(to, point as f32 / last)));
                let axes = fluid.discretization.dimensions.count();
                velocities.into_iter().flat_map(|velocity| (0..axes).map(move |axis| velocity.map(|v| v[axis]))).collect()
            }
            Self::Force { body } => {
                let axes = fluid.discretization.dimensions.count();
                let force = fluid.bodies.get(body).map(|body| body.force);
                let parts = [force.map(|force| force.pressure), force.map(|force| force.viscous)];
                parts.into_iter().flat_map(|part| (0..axes).map(move |axis| part.map(|part| part[axis]))).collect()
            }
            Self::Energy => vec![Some(kinetic_energy(fluid)), Some(potential_energy(fluid))],
        }
    }
}

impl<'a> Fluid<'a> {
    /// The present state of `simulation`.
    pub fn of(simulation: &'a Simulation) -> Self {
        Self {
            discretization: simulation.discretization(),
            domain: simulation.domain(),
            external: simulation.external_forces(),
            mass: simulation.particle_mass(),
            particles: simulation.particles(),
            walls: simulation.boundary(),
            bodies: simulation.bodies(),
            planes: simulation.planes(),
        }
    }

    /// Volume that a particle stands for when it is not compressed, m³ (m² in two dimensions).
    fn rest_volume(&self) -> f64 {
        f64::from(self.mass) / f64::from(self.discretization.rest_density)
    }

    fn kernel(&self) -> Kernel {
        let Discretization { kernel, dimensions, support_radius, .. } = *self.discretization;
        Kernel::new(kernel, dimensions, support_radius)
    }

    /// How two places are apart.
    fn wrap(&self) -> Wrap {
        Wrap::new(self.domain)
    }

    /// `place` between the periodic faces, and in the plane that a two-dimensional fluid lies in.
    fn flat(&self, place: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => self.domain.wrap(place).with_z(0.0),
            Dimensions::Three => self.domain.wrap(place),
        }
    }
}

/// `Σ ½ m v²`, J (J/m in two dimensions).
pub fn kinetic_energy(fluid: &Fluid<'_>) -> f64 {
    let velocities = &fluid.particles.velocities;
    sweep::sum(velocities.len(), |i| 0.5 * f64::from(fluid.mass) * f64::from(velocities[i].length_squared()))
}

/// In gravity and the other forces from outside, `−Σ m g·x` where they are the same everywhere, J (J/m in two dimensions): zero for
/// fluid at the origin. Along a periodic axis nothing has a height.
pub fn potential_energy(fluid: &Fluid<'_>) -> f64 {
    let positions = &fluid.particles.positions;
    sweep::sum(positions.len(), |i| f64::from(fluid.mass) * fluid.external.potential(positions[i]))
}
