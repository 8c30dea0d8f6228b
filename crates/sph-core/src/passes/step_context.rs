//! What every pass over the fluid reads besides the fluid itself.

use crate::boundary::{Planes, WallIntegral, WallNeighborLists};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::neighbors::NeighborLists;
use crate::parameters::{Discretization, Parameters, TimeStepParameters};
use crate::simd::{Lanes, Vec3Lanes};
use crate::space::Wrap;
use glam::Vec3;

/// The constants of a step and its neighbour lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext<'a> {
    pub discretization: &'a Discretization,
    pub parameters: &'a Parameters,
    pub kernel: Kernel,
    pub wrap: Wrap,
    /// What the fluid's places are beside their rounded positions, m.
    pub rounding_errors: &'a [Vec3],
    /// Mass of every particle, kg (kg/m in two dimensions).
    pub mass: f32,
    /// Gravity and all other forces from outside, at the beginning of the step.
    pub external: ExternalForces<'a>,
    /// Fluid neighbours of every fluid particle.
    pub fluid: &'a NeighborLists,
    /// Boundary neighbours of every fluid particle.
    pub walls: &'a NeighborLists,
    /// Boundary particles with fluid in reach, and that fluid.
    pub wall_neighbors: &'a WallNeighborLists,
    /// Walls that are not particles.
    pub planes: &'a Planes,
    /// What they are to each particle where it is at the beginning of the step; empty where there are none.
    pub wall_integrals: &'a [WallIntegral],
    /// Whether there are bodies, on which forces are measured.
    pub bodies: bool,
    /// Length of the step before, s; 0 in the first.
    pub last_dt: f32,
    /// How far the particles' densities are behind their positions, s.
    pub density_age: f32,
}

impl StepContext<'_> {
    /// `a − b`, m, as the particles of a pair see it, across a periodic face where that is shorter: the difference that every pass takes.
    #[inline(always)]
    pub fn minimum_image(&self, a: Vec3, b: Vec3) -> Vec3 {
        self.wrap.minimum_image(a, b)
    }

    /// [`StepContext::minimum_image`], of sixteen b.
    #[inline(always)]
    pub fn minimum_image_lanes<L: Lanes>(&self, a: Vec3, b: Vec3Lanes<L>) -> Vec3Lanes<L> {
        self.wrap.minimum_image_lanes(a, b)
    }

    /// What walls that are not particles are to a particle at `place`, m.
    #[inline]
    pub fn wall_integral(&self, place: Vec3) -> WallIntegral {
        self.planes.wall_integral(place, self.external)
    }

    /// Volume V = m/ρ₀ of every particle at rest density, m³ (m² in two dimensions).
    pub fn rest_volume(&self) -> f32 {
        self.mass / self.discretization.rest_density
    }

    /// Length of the step before, or the one to expect where there was none, s.
    pub fn recent_dt(&self) -> f32 {
        let TimeStepParameters { max_dt, fixed_dt, .. } = self.parameters.time_step;
        if self.last_dt > 0.0 { self.last_dt } else { fixed_dt.unwrap_or(max_dt) }
    }

    /// The smoothing length h of the literature: half the support radius, m.
    pub fn smoothing_length(&self) -> f32 {
        0.5 * self.discretization.support_radius
    }

    /// η² = 0.01 h², m²: keeps r² + η² away from zero.
    pub fn eta_squared(&self) -> f32 {
        let h = self.smoothing_length();
        0.01 * h * h
    }
}
