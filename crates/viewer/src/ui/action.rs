//! Actions: what the panels ask for.

use crate::command::Command;
use crate::session::{Inspect, SpeedLimit};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure};
use std::path::PathBuf;

/// What a user asked for in one frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A command.
    Command(Command),
    /// Load this scene.
    Load(PathBuf),
    /// Use these parameters, under this revision.
    SetParameters(Parameters, u64),
    /// Look into this part of the grid.
    Inspect(Inspect),
    /// Compare the simulation with a rival that has this grid, or with none any more, under this revision.
    Compare(Option<GridParameters>, u64),
    /// List the scenes anew.
    ListScenes,
    /// Bound the speed.
    SetSpeedLimit(SpeedLimit),
    /// Try grids with these structures.
    Tune(Vec<Structure>),
    /// End the trials.
    CancelTune,
}
