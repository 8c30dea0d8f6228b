//! The engine of a setup: the only place of the program that knows which kinds of engines there are.

use sph_core::{Engine, PopulationError, Setup, Simulation, State};

/// Constructor of engines: the engine of a setup before its first step, or the reason why there is none.
pub type StartEngine = fn(&Setup) -> anyhow::Result<Box<dyn Engine>>;

/// Starts the engine of `setup`, on processor cores.
///
/// # Errors
/// If the setup is invalid.
pub fn start(setup: &Setup) -> anyhow::Result<Box<dyn Engine>> {
    Ok(Box::new(Simulation::new(setup)?))
}

/// Resumes the engine of `setup` from `state`.
///
/// # Errors
/// If the setup or the state is invalid.
pub fn resume(setup: &Setup, state: State) -> Result<Box<dyn Engine>, PopulationError> {
    Ok(Box::new(Simulation::from_state(setup, state)?))
}
