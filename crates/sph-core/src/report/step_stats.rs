//! What a step reports: where its time went, what bound its dt, how well it kept the density, and what the grid did.

use super::phase::PhaseTimes;
use super::solves::{PressureSolve, ViscositySolve};
use super::step_error::StepError;
use crate::neighbors::{Audit, SearchStats};
use crate::solver::{StepBound, TimeStepLimit};

/// The report of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepStats {
    /// Steps completed since the simulation began, this one included (not, when it was refused).
    pub step: u64,
    /// Simulated time at the end of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f32,
    /// What kept dt from being longer.
    pub dt_limit: TimeStepLimit,
    /// The tightest limit that the step goes beyond, where `min_dt` or `fixed_dt` makes it.
    pub dt_exceeds: Option<StepBound>,
    /// Number of fluid particles.
    pub particles: usize,
    /// Wall-clock time of each phase.
    pub phases: PhaseTimes,
    /// Mean over the particles of the positive part of ρ/ρ₀ − 1.
    pub density_error: f32,
    /// Maximum over the particles of ρ/ρ₀ − 1, or 0 when none is compressed.
    pub max_density_error: f32,
    /// Highest speed, m/s.
    pub max_speed: f32,
    /// The iterations for the density at the end of the step; weakly compressible SPH makes none.
    pub density_solve: PressureSolve,
    /// The iterations for a velocity without divergence, which only DFSPH makes; errors are the compression in one step.
    pub divergence_solve: PressureSolve,
    /// The iterations of the implicit viscosity; the other forms make none.
    pub viscosity_solve: ViscositySolve,
    /// Σ ½mv², J (J/m in two dimensions).
    pub kinetic_energy: f64,
    /// In gravity and the other forces from outside, as they are at the end of the step, J (J/m in two dimensions). Without central
    /// forces it is −Σ m g·x: zero for a particle at the origin.
    pub potential_energy: f64,
    /// What the neighbour search did for the fluid particles.
    pub search: SearchStats,
    /// Spot checks of the fluid's neighbour lists in this step; none were made unless [`Simulation::set_audit`] asked for them.
    ///
    /// [`Simulation::set_audit`]: crate::Simulation::set_audit
    pub audit: Audit,
    /// Why the step was refused, if it was. The state is then the one before the step.
    pub error: Option<StepError>,
}
