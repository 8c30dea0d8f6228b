//! Pressure solvers, one file per paper; the pressure solve that the incompressible ones share; time step, shifting, surface
//! detection.

mod choice;
mod dfsph;
mod equation_of_state;
mod iisph;
mod memory;
mod pbf;
mod pcisph;
mod pressure_solve;
mod shifting;
mod step;
mod surface;
mod time_step;
mod velocity_update;
mod wcsph;

pub use memory::{Past, SolverMemory};
pub use time_step::{StepBound, TimeStepLimit};

pub(crate) use choice::Solver;
pub(crate) use equation_of_state::EquationOfState;
pub(crate) use step::{SolveReport, StepState};
pub(crate) use time_step::expected_step;
pub(crate) use velocity_update::VelocityUpdate;

#[cfg(test)]
pub(crate) use pressure_solve::Strewn;
