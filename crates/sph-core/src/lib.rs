//! Smoothed particle hydrodynamics over neighbour searches that can be swapped while it runs.

#![warn(missing_docs)]

pub mod kernel;
pub mod neighbors;

mod boundary;
mod parameters;
mod particles;
mod sampling;
mod setup;
mod simulation;
mod solver;
mod stats;
mod sweep;
mod time_step;

pub use boundary::{BoundaryParticles, Container, Face, Faces};
pub use kernel::KernelKind;
pub use parameters::{Dimensions, Discretization, FluidParameters, ParameterError, Parameters, TimeStepParameters};
pub use particles::Particles;
pub use setup::{FluidBlock, InitialPressure, MAX_PARTICLES, ParticleCounts, Setup, SetupError};
pub use simulation::Simulation;
pub use stats::{Breach, Phase, PhaseTimes, StepStats};
pub use time_step::TimeStepLimit;
