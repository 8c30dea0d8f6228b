//! Requests: what goes to the simulation's thread.

use super::{Inspect, SceneSource, SpeedLimit};
use sph_core::Parameters;
use sph_core::neighbors::{GridParameters, Structure};
use sph_io::Scene;
use std::sync::Arc;

/// What the window asks of the simulation. Requests that come while a step runs act after it.
#[derive(Clone, Debug)]
pub enum Request {
    /// Reads and builds another scene; the running one goes on until the new one is ready, or for good when it cannot be loaded.
    Load(SceneSource),
    /// Uses these parameters from the next step on. Of several that wait, only the last is used.
    SetParameters {
        /// The parameters.
        parameters: Parameters,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that they are meant for; another scene ignores them.
        generation: u64,
        /// Comes back as [`Snapshot::revision`](super::Snapshot::revision) once they are in force or refused.
        revision: u64,
    },
    /// Starts a rival with this grid from the present state, gives the rival this grid, or ends the comparison. Acts from the next step
    /// on; of several that wait, only the last does.
    Compare {
        /// The rival's grid; `None` for no rival.
        grid: Option<GridParameters>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is meant for; another scene ignores it.
        generation: u64,
        /// Comes back as [`Snapshot::rival_revision`](super::Snapshot::rival_revision) once dealt with.
        revision: u64,
    },
    /// Runs.
    Play,
    /// Stops after the current step.
    Pause,
    /// Makes a single step; pauses when running.
    StepOnce,
    /// Starts the fluid afresh from the scene, with the parameters in force.
    Reset,
    /// Bounds simulated seconds per second.
    SetSpeedLimit(SpeedLimit),
    /// Looks into this part of the grid with every snapshot.
    Inspect(Inspect),
    /// These parameters are in the file of this scene now: what counts as changed is measured from them.
    Saved(Arc<Scene>, Parameters),
    /// Tries grids with these structures on the present state, a trial between two steps; see [`Snapshot::tuning`](super::Snapshot::tuning).
    Tune(Vec<Structure>),
    /// Ends the trials; what they have shown stays.
    CancelTune,
}
