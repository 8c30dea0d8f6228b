//! Setup of a simulation: fluid blocks, containers, bodies; validation; sampling with particles.

mod block;
mod counts;
mod curves;
mod error;
mod fluids;
mod forecast;
mod interface;
mod memory_estimate;
mod review;
mod sampling;
mod solids;
mod usual;
mod validation;
mod velocity_field;

pub use block::{BlockShape, Filling, FluidBlock, InitialPressure};
pub use counts::{CountsByKind, ParticleCounts};
pub use error::{MotionObstacle, Rigid, SetupError};
pub use forecast::Forecast;
pub use interface::Interface;
pub use review::Remark;
pub use velocity_field::VelocityField;

pub(crate) use sampling::sample_fluid;

use crate::boundary::Openings;
use crate::boundary::{Body, Container, Joint};
use crate::forces::ExternalForce;
use crate::parameters::{Curve, Dimensions, Discretization, Fluid, Parameters, WallSampling};
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
