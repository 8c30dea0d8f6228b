//! What a step reports: where its time went, what bound its dt, how well it kept the density, and what the grid did.

use crate::neighbors::{Audit, SearchStats, TooManyCells};
use crate::time_step::{StepBound, TimeStepLimit};
use glam::Vec3;
use std::ops::{Index, IndexMut};
use std::time::Duration;

/// The phases of one step, in the order in which they run; a solver that iterates runs some of them more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Particles put into the order of their cells.
    Sort,
    /// The neighbour search rebuilt.
    Build,
    /// The neighbour lists filled.
    Query,
    /// Density and equation of state.
    Density,
    /// Pressure of the walls, extrapolated from the fluid.
    Walls,
    /// Viscosity and gravity, and pressure where it follows from density.
    Forces,
    /// Iterations for the pressure, where it does not.
    Pressure,
    /// Time step, velocities and positions.
    Integrate,
    /// The statistics themselves.
    Statistics,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Self; 9] = [
        Self::Sort,
        Self::Build,
        Self::Query,
        Self::Density,
        Self::Walls,
        Self::Forces,
        Self::Pressure,
        Self::Integrate,
        Self::Statistics,
    ];

    /// Name for tables, plots and files: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sort => "sort",
            Self::Build => "build",
            Self::Query => "query",
            Self::Density => "density",
            Self::Walls => "walls",
            Self::Forces => "forces",
            Self::Pressure => "pressure",
            Self::Integrate => "integrate",
            Self::Statistics => "statistics",
        }
    }
}

/// Wall-clock time of each phase of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhaseTimes([Duration; Phase::ALL.len()]);

impl PhaseTimes {
    /// Sum over the phases.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }
}

impl Index<Phase> for PhaseTimes {
    type Output = Duration;
    fn index(&self, phase: Phase) -> &Duration {
        &self.0[phase as usize]
    }
}

impl IndexMut<Phase> for PhaseTimes {
    fn index_mut(&mut self, phase: Phase) -> &mut Duration {
        &mut self.0[phase as usize]
    }
}

/// What an iteration for the pressure took, and what it left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PressureSolve {
    /// Iterations made.
    pub iterations: u32,
    /// Mean over the particles of the relative compression that is left, by the solver's own prediction.
    pub error: f32,
    /// The largest such compression.
    pub max_error: f32,
}

impl PressureSolve {
    /// Nothing to solve.
    pub const NONE: Self = Self { iterations: 0, error: 0.0, max_error: 0.0 };
}

/// What the iterations of the implicit viscosity took, and what they left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViscositySolve {
    /// Iterations made.
    pub iterations: u32,
    /// Root mean square of the residual over that of what viscosity does in a step, or of the velocities where that is less.
    pub error: f32,
}

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

/// Why a step was refused: fluid that has gone wrong, with the particle and how; or a neighbour search that cannot do its work.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A position, velocity or density would stop being a finite number.
    #[error("particle {particle_id} at {position:.4} m would have a state that is no finite number")]
    NonFinite {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last good position, m.
        position: Vec3,
    },
    /// A density would not be positive.
    #[error("particle {particle_id} at {position:.4} m would have a density of {density:.4e} kg/m³")]
    Density {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last good position, m.
        position: Vec3,
        /// The density it would have had, kg/m³.
        density: f32,
    },
    /// A particle would cross more than half a support radius in one step.
    #[error(
        "particle {particle_id} at {position:.4} m would reach {speed:.3e} m/s and cross more than half a support radius in one step"
    )]
    Runaway {
        /// Stable id of the first such particle.
        particle_id: u32,
        /// Its last good position, m.
        position: Vec3,
        /// The speed it would have reached, m/s.
        speed: f32,
    },
    /// The limits on dt leave no time step to speak of.
    #[error("the time step would be {dt:.3e} s: accelerations or speeds are beyond all bounds")]
    Stalled {
        /// The step that the limits allow, s.
        dt: f32,
    },
    /// The neighbour search cannot cover the fluid or its walls.
    #[error(transparent)]
    Search(#[from] TooManyCells),
}

impl StepError {
    /// Stable id and last good position (m) of the particle that went wrong, where it was one.
    pub fn particle(&self) -> Option<(u32, Vec3)> {
        match *self {
            Self::NonFinite { particle_id, position }
            | Self::Density { particle_id, position, .. }
            | Self::Runaway { particle_id, position, .. } => Some((particle_id, position)),
            Self::Stalled { .. } | Self::Search(_) => None,
        }
    }
}
