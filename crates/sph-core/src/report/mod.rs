//! Reports: statistics and timing of a step, memory of a simulation, roofline ceilings of the machine.

mod accelerations;
mod ceilings;
mod clock;
mod memory;
mod phase;
mod rounded;
mod solves;
mod step_error;
mod step_stats;

pub use accelerations::{AccelerationTerm, Accelerations};
pub use ceilings::Ceilings;
pub use clock::{Span, Timeline};
pub use memory::Memory;
pub use phase::{Phase, PhaseTimes};
pub use rounded::{Place, Rounded};
pub use solves::{PressureSolve, ViscositySolve};
pub use step_error::StepError;
pub use step_stats::StepStats;

pub(crate) use clock::Clock;
pub(crate) use memory::held;
