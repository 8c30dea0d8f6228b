//! The fluid at one moment, as whoever looks at it reads it.

use crate::boundary::{BoundaryParticles, Container, Planes};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::parameters::{Dimensions, Discretization, Parameters};
use crate::particles::Particles;
use crate::simulation::PlacedBody;
use crate::solver::Solver;
use crate::space::{Domain, Wrap};
use glam::Vec3;

/// A fluid in its containers at one moment: all that may be read between two steps, on this machine and without changing it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Discretisation.
    pub discretization: &'a Discretization,
    /// Parameters of the next step.
    pub parameters: &'a Parameters,
    /// Periodic domain.
    pub domain: &'a Domain,
    /// Walls as boxes, without faces along periodic axes.
    pub containers: &'a [Container],
    /// Gravity and all other external forces, at the present time.
    pub external: ExternalForces<'a>,
    /// Mass of every fluid particle, kg (kg/m in two dimensions).
    pub mass: f32,
    /// Fluid particles.
    pub particles: &'a Particles,
    /// Boundary particles.
    pub walls: &'a BoundaryParticles,
    /// Analytic walls, which are not particles.
    pub planes: &'a Planes,
    /// Bodies.
    pub bodies: &'a [PlacedBody],
    /// Simulated time, s.
    pub time: f64,
    /// Completed steps.
    pub steps: u64,
    /// Length of the last step, s; 0 before the first.
    pub last_dt: f32,
}

impl View<'_> {
    /// Search radius of the neighbour lists, m: the support radius, plus a skin for solvers that evaluate predicted positions.
    pub fn search_radius(&self) -> f32 {
        Solver::search_radius(&self.parameters.solver, self.discretization)
    }

    /// Volume of a particle at rest density, m³ (m² in two dimensions).
    pub(crate) fn rest_volume(&self) -> f64 {
        f64::from(self.mass) / f64::from(self.discretization.rest_density)
    }

    pub(crate) fn kernel(&self) -> Kernel {
        let Discretization { kernel, dimensions, support_radius, .. } = *self.discretization;
        Kernel::new(kernel, dimensions, support_radius)
    }

    /// Minimum-image differences in the domain.
    pub(crate) fn wrap(&self) -> Wrap {
        Wrap::new(self.domain)
    }

    /// Periodic image of `point` inside the domain, with z = 0 in two dimensions.
    pub(crate) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => self.domain.wrap(point).with_z(0.0),
            Dimensions::Three => self.domain.wrap(point),
        }
    }
}
