//! Setup of a simulation: fluid blocks, containers, bodies; validation; sampling with particles.

mod block;
mod error;
mod fluids;
mod interface;
mod memory_estimate;
mod sampling;
mod solids;
mod usual;
mod validation;
mod velocity_field;

pub use block::{BlockShape, Filling, FluidBlock, InitialPressure};
pub use error::{MotionObstacle, Rigid, SetupError};
pub use interface::Interface;
pub use velocity_field::VelocityField;

pub(crate) use sampling::sample_fluid;

use crate::boundary::Openings;
use crate::boundary::{Body, Container};
use crate::forces::ExternalForce;
use crate::parameters::{Dimensions, Discretization, Fluid, Parameters, WallSampling};
use crate::space::{Domain, lattice_counts, product};
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
    /// Initial parameters.
    pub parameters: Parameters,
    /// Fluids, if there are several; empty for one, whose constants are those of the discretisation and the parameters.
    pub fluids: Vec<Fluid>,
    /// Blocks of fluid.
    pub blocks: Vec<FluidBlock>,
    /// Containers, whose faces are walls. Faces normal to periodic axes are ignored.
    pub containers: Vec<Container>,
    /// Solid bodies in the fluid.
    pub bodies: Vec<Body>,
    /// External forces, added to gravity.
    pub external_forces: Vec<ExternalForce>,
    /// Periodic domain.
    pub domain: Domain,
    /// Emitters and drains.
    pub openings: Openings,
    /// Sampling of walls with particles, or analytic walls.
    pub wall_sampling: WallSampling,
}

/// Numbers of particles of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleCounts {
    /// Fluid particles; an upper bound unless all blocks are boxes.
    pub fluid: u64,
    /// Boundary particles; an upper bound.
    pub boundary: u64,
}

impl ParticleCounts {
    /// Sum of fluid and boundary particles; saturates.
    pub fn total(self) -> u64 {
        self.fluid.saturating_add(self.boundary)
    }
}

impl Setup {
    /// Numbers of particles, computed without sampling; saturates.
    pub fn particle_counts(&self) -> ParticleCounts {
        let Discretization { dimensions, particle_spacing, .. } = self.discretization;
        let domain = self.domain.flat(dimensions);
        let block = |block: &FluidBlock| match &block.shape {
            BlockShape::Solid(solid) => sampling::solid_count(solid, &self.discretization),
            BlockShape::Box | BlockShape::Ellipsoid => {
                product(lattice_counts(block.min, block.max, particle_spacing, dimensions))
            }
        };
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

    /// `point` with z = 0 in two dimensions; unchanged in three.
    pub(crate) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => point.with_z(0.0),
            Dimensions::Three => point,
        }
    }
}
