//! The fluid and its walls at one moment, as probes see them.

use crate::boundary::{BoundaryParticles, Planes};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::parameters::{Dimensions, Discretization};
use crate::particles::Particles;
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
    pub(super) fn rest_volume(&self) -> f64 {
        f64::from(self.mass) / f64::from(self.discretization.rest_density)
    }

    pub(super) fn kernel(&self) -> Kernel {
        let Discretization { kernel, dimensions, support_radius, .. } = *self.discretization;
        Kernel::new(kernel, dimensions, support_radius)
    }

    /// How two places are apart.
    pub(super) fn wrap(&self) -> Wrap {
        Wrap::new(self.domain)
    }

    /// `place` between the periodic faces, and in the plane that a two-dimensional fluid lies in.
    pub(super) fn flat(&self, place: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => self.domain.wrap(place).with_z(0.0),
            Dimensions::Three => self.domain.wrap(place),
        }
    }
}
