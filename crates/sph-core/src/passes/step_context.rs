//! Context of a step: input of every pass besides the fluid's state.

use crate::boundary::{Planes, WallIntegral, WallNeighborLists};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::neighbors::NeighborLists;
use crate::parameters::{Discretization, Parameters, TimeStepParameters};
use crate::simd::{Lanes, Vec3Lanes};
use crate::space::Wrap;
use glam::Vec3;

/// Constants of a step, neighbour lists and wall integrals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext<'a> {
    pub discretization: &'a Discretization,
    pub parameters: &'a Parameters,
    pub kernel: Kernel,
    pub wrap: Wrap,
    /// Rounding errors of the fluid's positions, m: exact position minus rounded one.
    pub rounding_errors: &'a [Vec3],
    /// Mass of every particle, kg (kg/m in two dimensions).
    pub mass: f32,
    /// Gravity and the other external forces, at the beginning of the step.
    pub external: ExternalForces<'a>,
    /// Cells of the fluid: index of the first particle of each, and the number of particles.
    pub cells: &'a [u32],
    /// Fluid neighbours of every fluid particle.
    pub fluid: &'a NeighborLists,
    /// Boundary neighbours of every fluid particle.
    pub walls: &'a NeighborLists,
    /// Fluid neighbours of every boundary particle that has any.
    pub wall_neighbors: &'a WallNeighborLists,
    /// Analytic walls.
    pub planes: &'a Planes,
    /// Integrals over analytic walls for every particle, at the positions of the beginning of the step; empty without analytic
    /// walls.
    pub wall_integrals: &'a [WallIntegral],
    /// Length of the last step, s; 0 in the first step.
    pub last_dt: f32,
    /// Time by which the particles' densities are older than their positions, s.
    pub density_age: f32,
}

impl StepContext<'_> {
    /// `a − b` for the periodic image of b that is nearest to a, m.
    #[inline(always)]
    pub fn minimum_image(&self, a: Vec3, b: Vec3) -> Vec3 {
        self.wrap.minimum_image(a, b)
    }

    /// [`StepContext::minimum_image`] of a and every lane of b.
    #[inline(always)]
    pub fn minimum_image_lanes<L: Lanes>(&self, a: Vec3, b: Vec3Lanes<L>) -> Vec3Lanes<L> {
        self.wrap.minimum_image_lanes(a, b)
    }

    /// Integrals over analytic walls for a particle at `position`, m.
    #[inline]
    pub fn wall_integral(&self, position: Vec3) -> WallIntegral {
        self.planes.wall_integral(position, self.external)
    }

    /// Volume of a particle at rest density, V = m/ρ₀, m³ (m² in two dimensions).
    pub fn rest_volume(&self) -> f32 {
        self.mass / self.discretization.rest_density
    }

    /// Length of the last step, s; in the first step, the length to expect.
    pub fn recent_dt(&self) -> f32 {
        let TimeStepParameters { max_dt, fixed_dt, .. } = self.parameters.time_step;
        if self.last_dt > 0.0 { self.last_dt } else { fixed_dt.unwrap_or(max_dt) }
    }

    /// Smoothing length h, m: half the support radius.
    pub fn smoothing_length(&self) -> f32 {
        0.5 * self.discretization.support_radius
    }

    /// η² = 0.01 h², m²: keeps the denominator r² + η² away from zero.
    pub fn eta_squared(&self) -> f32 {
        let h = self.smoothing_length();
        0.01 * h * h
    }
}
