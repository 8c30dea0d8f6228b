//! Reports: statistics and solves of a step, its timing and errors, memory of a simulation, roofline ceilings of the machine.

mod ceilings;
mod clock;
mod step_error;

pub use ceilings::Ceilings;
pub use clock::{Phase, PhaseTimeline, PhaseTimes, Span};
pub use step_error::{AccelerationTerm, Accelerations, Place, Rounded, StepError};

pub(crate) use clock::Clock;

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
    /// Number of acoustic steps that it consists of; 0 with solvers without sound.
    pub acoustic_steps: u32,
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

/// Report of an iterative pressure solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureSolve {
    /// Number of iterations.
    pub iterations: u32,
    /// Mean over the particles of the remaining relative compression, as predicted by the solver; of expansion as well where pressure
    /// has either sign, and under pressure after a coarse-grid correction.
    pub error: f32,
    /// Maximum of the same over the particles.
    pub max_error: f32,
}

impl PressureSolve {
    /// Report of a method without this solve.
    pub const NONE: Self = Self { iterations: 0, error: 0.0, max_error: 0.0 };
}

/// Report of the solve of the implicit viscosity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViscositySolve {
    /// Number of iterations.
    pub iterations: u32,
    /// Relative residual: its root mean square over that of the velocity change by viscosity, or of the velocities if that is
    /// less.
    pub error: f32,
}

/// Heap memory of a simulation, bytes, spare capacity included. All parts but `walls` grow with the number of fluid particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// State of the particles, and the buffers for the next state.
    pub particles: usize,
    /// Search structures of fluid and walls, and the cell order of the particles.
    pub search: usize,
    /// Neighbour lists of fluid and walls.
    pub lists: usize,
    /// Data of solvers for each pair, kept for their iterations.
    pub pairs: usize,
    /// Data of solvers and forces for each particle.
    pub solver: usize,
    /// Boundary particles and bodies.
    pub walls: usize,
    /// Point sets, and what moves them.
    pub points: usize,
}

impl Memory {
    /// Name and bytes of each part.
    pub fn parts(&self) -> [(&'static str, usize); 7] {
        let Self { particles, search, lists, pairs, solver, walls, points } = *self;
        [
            ("particles", particles),
            ("search", search),
            ("lists", lists),
            ("pairs", pairs),
            ("solver", solver),
            ("walls", walls),
            ("points", points),
        ]
    }

    /// Sum of all parts, bytes.
    pub fn total(&self) -> usize {
        self.parts().iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Heap memory of a vector, bytes: its capacity, without the heap memory of its entries.
pub(crate) fn held<T>(values: &Vec<T>) -> usize {
    values.capacity() * size_of::<T>()
}
