//! Statistics of a step: timing, time-step limits, density errors, solves, energies, neighbour search.

use super::accelerations::Accelerations;
use super::phase::PhaseTimes;
use super::solves::{PressureSolve, ViscositySolve};
use super::step_error::StepError;
use crate::boundary::Exchange;
use crate::neighbors::{Audit, SearchStats};
use crate::solver::{StepBound, TimeStepLimit};

/// Statistics of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepStats {
    /// Completed steps since the simulation began, this one included unless it was refused.
    pub step: u64,
    /// Simulated time at the end of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f32,
    /// Limit that determined dt.
    pub dt_limit: TimeStepLimit,
    /// Tightest limit that dt exceeds because of `min_dt` or `fixed_dt`, if any.
    pub dt_exceeds: Option<StepBound>,
    /// Number of fluid particles.
    pub particles: usize,
    /// Particles that emitters and drains added and removed before the step.
    pub exchange: Exchange,
    /// Wall-clock time of each phase.
    pub phases: PhaseTimes,
    /// Mean over the particles of the positive part of ρ/ρ₀ − 1.
    pub density_error: f32,
    /// Maximum over the particles of ρ/ρ₀ − 1, at least 0.
    pub max_density_error: f32,
    /// Highest speed, m/s.
    pub max_speed: f32,
    /// Number of particles held back by the walls of containers or by bodies: pressure alone would have let them come closer
    /// than a tenth of a spacing, so their velocities were changed. Droplets and impacts; in fluid at rest there should be none.
    pub held_particles: usize,
    /// Force that holds them, on average over the step: the sum of the magnitudes Σ m |Δv| / dt, N (N/m in two dimensions). Its
    /// share in each body is [`Reaction::contact`](crate::Reaction::contact).
    pub held_force: f64,
    /// Pressure solve for constant density; not in weakly compressible SPH.
    pub density_solve: PressureSolve,
    /// Pressure solve for a divergence-free velocity, in DFSPH only; its errors are the relative compression in one step.
    pub divergence_solve: PressureSolve,
    /// Solve of the implicit viscosity; not with the explicit models.
    pub viscosity_solve: ViscositySolve,
    /// Kinetic energy Σ ½mv², J (J/m in two dimensions).
    pub kinetic_energy: f64,
    /// Potential energy in gravity and the other external forces at the end of the step, J (J/m in two dimensions): −Σ m g·x,
    /// zero at the origin, plus the energy in central forces.
    pub potential_energy: f64,
    /// Work of the neighbour search for the fluid particles.
    pub search: SearchStats,
    /// Spot checks of the fluid's neighbour lists in this step; none unless requested by [`Simulation::set_audit`].
    ///
    /// [`Simulation::set_audit`]: crate::Simulation::set_audit
    pub audit: Audit,
    /// Error if the step was refused; the state is then the one before the step.
    pub error: Option<StepError>,
    /// Accelerations of the particle that [`StepStats::error`] names, in the step that was refused.
    pub accelerations: Option<Accelerations>,
}
