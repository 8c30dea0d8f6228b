//! State of a simulation, as input of probes.

use crate::boundary::{BoundaryParticles, Planes};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::parameters::{Dimensions, Discretization};
use crate::particles::Particles;
use crate::simulation::{PlacedBody, Simulation};
use crate::space::{Domain, Wrap};
use glam::Vec3;

/// State of a simulation at one time, as input of probes.
#[derive(Clone, Copy, Debug)]
pub struct Fluid<'a> {
    /// Discretisation.
    pub discretization: &'a Discretization,
    /// Periodic domain.
    pub domain: &'a Domain,
    /// Gravity and the other external forces.
    pub external: ExternalForces<'a>,
    /// Mass of every particle, kg (kg/m in two dimensions).
    pub mass: f32,
    /// Fluid particles.
    pub particles: &'a Particles,
    /// Boundary particles.
    pub walls: &'a BoundaryParticles,
    /// Bodies.
    pub bodies: &'a [PlacedBody],
    /// Analytic walls.
    pub planes: &'a Planes,
}

impl<'a> Fluid<'a> {
    /// Present state of `simulation`.
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

    /// Volume of a particle at rest density, m³ (m² in two dimensions).
    pub(super) fn rest_volume(&self) -> f64 {
        f64::from(self.mass) / f64::from(self.discretization.rest_density)
    }

    pub(super) fn kernel(&self) -> Kernel {
        let Discretization { kernel, dimensions, support_radius, .. } = *self.discretization;
        Kernel::new(kernel, dimensions, support_radius)
    }

    /// Minimum-image differences in the domain.
    pub(super) fn wrap(&self) -> Wrap {
        Wrap::new(self.domain)
    }

    /// Periodic image of `point` inside the domain, with z = 0 in two dimensions.
    pub(super) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => self.domain.wrap(point).with_z(0.0),
            Dimensions::Three => self.domain.wrap(point),
        }
    }
}
