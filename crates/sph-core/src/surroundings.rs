//! What every pass over the fluid reads besides the fluid itself.

use crate::boundary::{Planes, Touch, Wetted};
use crate::domain::Wrap;
use crate::forces::Outside;
use crate::kernel::Kernel;
use crate::lanes::{Lanes, Vec3Lanes};
use crate::neighbors::NeighborLists;
use crate::parameters::{Discretization, Parameters, TimeStepParameters};
use glam::Vec3;

/// The constants of a step and its neighbour lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    pub discretization: &'a Discretization,
    pub parameters: &'a Parameters,
    pub kernel: Kernel,
    pub wrap: Wrap,
    /// What the fluid's places are beside their rounded positions, m.
    pub remainders: &'a [Vec3],
    /// Mass of every particle, kg (kg/m in two dimensions).
    pub mass: f32,
    /// Gravity and all other forces from outside, at the beginning of the step.
    pub outside: Outside<'a>,
    /// Fluid neighbours of every fluid particle.
    pub fluid: &'a NeighborLists,
    /// Boundary neighbours of every fluid particle.
    pub walls: &'a NeighborLists,
    /// Boundary particles with fluid in reach, and that fluid.
    pub wetted: &'a Wetted,
    /// Walls that are not particles.
    pub planes: &'a Planes,
    /// What they are to each particle where it is at the beginning of the step; empty where there are none.
    pub touches: &'a [Touch],
    /// Whether there are bodies, on which forces are measured.
    pub bodies: bool,
    /// Length of the step before, s; 0 in the first.
    pub last_dt: f32,
    /// How far the particles' densities are behind their positions, s.
    pub lag: f32,
}

impl Surroundings<'_> {
    /// `a − b`, m, as the particles of a pair see it, across a periodic face where that is shorter: the difference that every pass takes.
    #[inline(always)]
    pub fn between(&self, a: Vec3, b: Vec3) -> Vec3 {
        self.wrap.between(a, b)
    }

    /// [`Surroundings::between`], of sixteen b.
    #[inline(always)]
    pub fn between_lanes<L: Lanes>(&self, a: Vec3, b: Vec3Lanes<L>) -> Vec3Lanes<L> {
        self.wrap.between_lanes(a, b)
    }

    /// What walls that are not particles are to a particle at `place`, m.
    #[inline]
    pub fn touch(&self, place: Vec3) -> Touch {
        self.planes.touch(place, self.outside)
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
