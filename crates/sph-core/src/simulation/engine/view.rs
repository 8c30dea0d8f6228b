//! The fluid at one moment, as whoever looks at it reads it.

use crate::boundary::{BoundaryParticles, Container, Planes, Reaction};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::parameters::{Dimensions, Discretization, Fluid, Parameters, lightness};
use crate::particles::Particles;
use crate::simulation::{DroppedBody, PlacedBody};
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
    /// Walls as boxes at time 0, without faces along periodic axes.
    pub containers: &'a [Container],
    /// Gravity and all other external forces, at the present time.
    pub external: ExternalForces<'a>,
    /// Fluids, if there are several; empty for one.
    pub fluids: &'a [Fluid],
    /// Mass of a particle of the reference fluid, kg (kg/m in two dimensions): of every particle if there is one fluid.
    pub mass: f32,
    /// Fluid particles.
    pub particles: &'a Particles,
    /// Boundary particles.
    pub walls: &'a BoundaryParticles,
    /// Analytic walls, which are not particles.
    pub planes: &'a Planes,
    /// Bodies: those of the setup, then those that have been dropped.
    pub bodies: &'a [PlacedBody],
    /// Bodies that have been dropped, as they were at that moment.
    pub dropped: &'a [DroppedBody],
    /// Reaction of the fluid on all containers in the last step; `None` unless it is switched on.
    pub wall_reaction: Option<&'a Reaction>,
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

    /// Lightness of particle i: the rest density of the reference fluid, the densest, over that of its own; 1 with one fluid.
    #[inline]
    pub fn lightness(&self, i: usize) -> f32 {
        let fluid = self.particles.fluids.get(i).copied().map(usize::from);
        lightness(self.fluids, self.discretization.rest_density, fluid)
    }

    /// Mass of particle i, kg (kg/m in two dimensions).
    #[inline]
    pub fn mass_of(&self, i: usize) -> f64 {
        if self.fluids.is_empty() { f64::from(self.mass) } else { f64::from(self.mass / self.lightness(i)) }
    }

    /// True if particle i is of the fluid with index `fluid`, or if that is `None`.
    pub fn is_of(&self, i: usize, fluid: Option<usize>) -> bool {
        fluid.is_none_or(|fluid| usize::from(self.particles.fluids.get(i).copied().unwrap_or(0)) == fluid)
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
