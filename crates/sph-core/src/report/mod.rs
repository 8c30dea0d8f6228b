//! Reports: what a step did and how long it took, what memory is held, what the machine could do at most.

mod ceilings;
mod clock;
mod memory;
mod step_stats;

pub use ceilings::Ceilings;
pub use clock::{Span, Timeline};
pub use memory::Memory;
pub use step_stats::{Phase, PhaseTimes, PressureSolve, StepError, StepStats, ViscositySolve};

pub(crate) use clock::Clock;
pub(crate) use memory::held;
