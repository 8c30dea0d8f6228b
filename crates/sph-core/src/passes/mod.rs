//! Passes over the particles: parallel loops, gather passes, their buffers, and the context of a step.

mod exact_sum;
mod gather;
mod mixture;
pub(crate) mod sweep;

pub(crate) use exact_sum::{sum_cells, sum_particles};
pub(crate) use gather::{Gather, GatherBuffers, Source, gather};
pub(crate) use mixture::{FluidCoefficients, Mixture};
pub(crate) use sweep::{QUERIES_PER_CHUNK, with_kept};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::boundary::{Planes, WallIntegral, WallNeighborLists};
use crate::forces::ExternalForces;
use crate::kernel::Kernel;
use crate::neighbors::NeighborLists;
use crate::parameters::{Discretization, Parameters, TimeStepParameters};
use crate::simd::{Lanes, Vec3Lanes};
use crate::space::Wrap;
use glam::Vec3;

// Context of a step: input of every pass besides the fluid's state.

/// Constants of a step, neighbour lists and wall integrals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext<'a> {
    pub discretization: &'a Discretization,
    pub parameters: &'a Parameters,
    pub kernel: Kernel,
    pub wrap: Wrap,
    /// Rounding errors of the fluid's positions, m: exact position minus rounded one.
    pub rounding_errors: &'a [Vec3],
    /// Mass of a particle of the reference fluid, kg (kg/m in two dimensions): of every particle if there is one fluid.
    pub mass: f32,
    /// True if there is fluid, or an emitter that may bring some.
    pub has_fluid: bool,
    /// Coefficients of the particles, if there are several fluids.
    pub mixture: Option<&'a Mixture>,
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
    /// Flag that cancels the step, if there is one.
    pub cancel: Option<&'a CancelFlag>,
}

impl StepContext<'_> {
    /// True if the step is cancelled: what the stages still compute is discarded.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(CancelFlag::is_raised)
    }

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

    /// Lightness `b_i = ρ_ref/ρ₀_i` of particle i: 1 if there is one fluid.
    #[inline(always)]
    pub fn lightness(&self, i: usize) -> f32 {
        self.mixture.map_or(1.0, |mixture| mixture.lightness[i])
    }

    /// Mass of particle i, kg (kg/m in two dimensions).
    #[inline(always)]
    pub fn mass_of(&self, i: usize) -> f32 {
        self.mixture.map_or(self.mass, |mixture| self.mass / mixture.lightness[i])
    }

    /// Rest density of particle i over that of the reference fluid: 1 if there is one fluid.
    #[inline(always)]
    pub fn relative_rest_density(&self, i: usize) -> f32 {
        self.mixture.map_or(1.0, |mixture| mixture.lightness[i].recip())
    }

    /// True if a fluid has laminar viscosity.
    pub fn is_viscous(&self) -> bool {
        match self.mixture {
            None => self.parameters.fluid.kinematic_viscosity > 0.0,
            Some(mixture) => mixture.fluids().iter().any(|fluid| fluid.kinematic_viscosity > 0.0),
        }
    }

    /// True if a fluid has surface tension.
    pub fn has_surface_tension(&self) -> bool {
        match self.mixture {
            None => self.parameters.forces.surface_tension > 0.0,
            Some(mixture) => mixture.fluids().iter().any(|fluid| fluid.surface_tension > 0.0),
        }
    }

    /// Rest density of particle i, kg/m³.
    #[inline(always)]
    pub fn rest_density_of(&self, i: usize) -> f32 {
        let reference = self.discretization.rest_density;
        self.mixture.map_or(reference, |mixture| reference / mixture.lightness[i])
    }

    /// Volume of a particle at rest density, V = m/ρ₀, m³ (m² in two dimensions), the same for all fluids.
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

/// Flag that cancels steps, shared by whoever raises it and the engines that look at it. Clones are the same flag.
///
/// An engine looks at it between the stages of a step and between the iterations of its solves; a cancelled step is refused with
/// [`StepError::Cancelled`](crate::StepError::Cancelled), and the state is the one before it. Once raised, the flag stays so.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Raises the flag.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
