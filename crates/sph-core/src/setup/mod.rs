//! The start of a simulation: blocks of fluid and the boxes that contain them, their validation, and their particles.

mod block;
mod error;
mod sampling;
mod usual;
mod validation;
mod velocity_field;

pub use block::{BlockShape, FluidBlock, InitialPressure};
pub use error::SetupError;
pub use velocity_field::VelocityField;

pub(crate) use sampling::sample_fluid;

use crate::boundary::{Body, Container};
use crate::forces::ExternalForce;
use crate::parameters::{Dimensions, Discretization, Parameters, WallSampling};
use crate::space::{Domain, lattice_counts, product};
use glam::Vec3;

/// Most particles, fluid and boundary together, that a simulation accepts.
pub const MAX_PARTICLES: u64 = 20_000_000;

/// Everything that a [`Simulation`](crate::Simulation) is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The discretisation, fixed for the simulation's life.
    pub discretization: Discretization,
    /// The parameters of the first step.
    pub parameters: Parameters,
    /// The fluid.
    pub blocks: Vec<FluidBlock>,
    /// The walls. Along periodic axes they have none, whatever their faces say.
    pub containers: Vec<Container>,
    /// Solid bodies in the fluid.
    pub bodies: Vec<Body>,
    /// Forces from outside, added to gravity.
    pub external_forces: Vec<ExternalForce>,
    /// Where space repeats.
    pub domain: Domain,
    /// How the walls of containers and bodies are cut into particles.
    pub wall_sampling: WallSampling,
}

/// Numbers of particles that a setup asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleCounts {
    /// Fluid particles; an upper bound where blocks are not boxes.
    pub fluid: u64,
    /// Boundary particles.
    pub boundary: u64,
}

impl ParticleCounts {
    /// Fluid and boundary particles together.
    pub fn total(self) -> u64 {
        self.fluid.saturating_add(self.boundary)
    }
}

impl Setup {
    /// How many particles the setup asks for, computed without making them; saturates.
    pub fn particle_counts(&self) -> ParticleCounts {
        let Discretization { dimensions, particle_spacing, .. } = self.discretization;
        let domain = self.domain.flat(dimensions);
        let block = |block: &FluidBlock| product(lattice_counts(block.min, block.max, particle_spacing, dimensions));
        let container = |container: &Container| match self.wall_sampling {
            WallSampling::Analytic => 0,
            WallSampling::Layers | WallSampling::SingleLayer => container.particle_count(&self.discretization, &domain),
        };
        let body = |body: &Body| body.particle_count(&self.discretization);
        let solid = self.containers.iter().map(container).chain(self.bodies.iter().map(body));
        ParticleCounts {
            fluid: self.blocks.iter().map(block).fold(0, u64::saturating_add),
            boundary: solid.fold(0, u64::saturating_add),
        }
    }

    /// `point` with z = 0 in two dimensions.
    pub(crate) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => point.with_z(0.0),
            Dimensions::Three => point,
        }
    }
}
