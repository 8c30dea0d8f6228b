//! Requests: messages to the simulation's thread.

use super::{Goal, Inspect, SceneSource, SpeedLimit};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{DroppedBody, Hand, Parameters};
use sph_io::Scene;
use std::path::PathBuf;
use std::sync::Arc;

/// A request of the window to the simulation. Requests that arrive while a step runs take effect after it.
#[derive(Clone, Debug)]
pub enum Request {
    /// Reads and builds another scene; the running one goes on until the new one is ready, or for good if it cannot be loaded.
    Load(SceneSource),
    /// Saves the present state as a checkpoint, from which [`SceneSource::at`] opens it again; a notice says how that went.
    SaveState(PathBuf),
    /// Saves the recording of the session since the scene was started, for `sph run --replay`; a notice says how that went.
    SaveRecording(PathBuf),
    /// Lets this hand act in every step from the next one on; `None` lets go.
    UseHand {
        /// The hand.
        hand: Option<Hand>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
    },
    /// Drops a body, at its place or at the first free one above; a notice says why if there is none.
    DropBody {
        /// The body.
        body: DroppedBody,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
    },
    /// Takes back the body that was dropped last, unless a step or another change has followed; a notice says if one has.
    TakeBackBody {
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that it is for; ignored for any other scene.
        generation: u64,
    },
    /// Uses these parameters from the next step on. Of several pending requests only the last is used.
    SetParameters {
        /// The parameters.
        parameters: Parameters,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that they are for; ignored for any other scene.
        generation: u64,
        /// Value of [`Snapshot::revision`](super::Snapshot::revision) once the parameters are in force or refused.
        revision: u64,
    },
    /// Takes the parameters with these keys off their curves, and puts all others on theirs.
    SetOffCurve {
        /// The keys.
        keys: Vec<&'static str>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that they are for; ignored for any other scene.
        generation: u64,
    },
    /// Starts a rival with this grid from the present state, gives the rival this grid, or ends the comparison. Takes effect at
    /// the next step; of several pending requests only the last counts.
    Compare {
        /// The rival's grid; `None` for no rival.
        grid: Option<GridParameters>,
        /// [`Snapshot::generation`](super::Snapshot::generation) of the scene that the request is for; ignored for any other
        /// scene.
        generation: u64,
        /// Value of [`Snapshot::rival_revision`](super::Snapshot::rival_revision) once the request is handled.
        revision: u64,
    },
    /// Runs.
    Play,
    /// Stops after the current step.
    Pause,
    /// Makes a single step; pauses when running.
    StepOnce,
    /// Goes to another moment and pauses there: to a kept one at once, to one between two of them by the steps from the earlier,
    /// to a later one than all so far by new steps, as fast as the machine can. Of several pending requests only the last counts.
    Seek(Goal),
    /// Goes back by this many steps.
    StepBack(u64),
    /// Bounds the memory of kept moments, bytes; with 0 none are kept while the fluid runs.
    SetPlaybackMemory(u64),
    /// Restarts the fluid from the scene, with the parameters in force.
    Reset,
    /// Bounds simulated seconds per second.
    SetSpeedLimit(SpeedLimit),
    /// Inspects this part of the grid with every snapshot.
    Inspect(Inspect),
    /// Parameters have been written to the file of `scene`: it is the baseline of "changed" now, and its own writing no change of a file.
    Saved {
        /// The scene before.
        scene: Arc<Scene>,
        /// The scene as the file has it now.
        saved: Arc<Scene>,
    },
    /// Measures grids with these structures on the present state, one trial between two steps; see
    /// [`Snapshot::tuning`](super::Snapshot::tuning).
    Tune(Vec<Structure>),
    /// Ends the trials; their results stay.
    CancelTune,
}
