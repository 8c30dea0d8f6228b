//! The phases of a step, and the time that each took.

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
