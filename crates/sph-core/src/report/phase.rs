//! Phases of a step, and their times.

use std::ops::{Index, IndexMut};
use std::time::Duration;

/// Phases of one step, in the order in which they run; iterative solvers run some of them more than once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Sorting of the particles by cell.
    Sort,
    /// Update of the neighbour search structure.
    Build,
    /// Neighbour lists.
    Query,
    /// Density and equation of state.
    Density,
    /// Wall pressure, extrapolated from the fluid.
    Walls,
    /// Viscosity, external forces, and the pressure force of weakly compressible SPH.
    Forces,
    /// Iterations of a pressure solver.
    Pressure,
    /// Time step, velocities and positions.
    Integrate,
    /// Statistics.
    Statistics,
}

impl Phase {
    /// All phases, in order.
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
