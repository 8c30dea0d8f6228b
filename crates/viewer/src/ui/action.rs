//! Actions: requests of the panels to the application.

use super::state::Answer;
use crate::command::Command;
use crate::session::{Goal, Inspect, Moment, Snapshot, SpeedLimit};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::{DroppedBody, Hand, Parameters};
use std::path::PathBuf;

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Run a command.
    Command(Command),
    /// Load this scene.
    Load(PathBuf),
    /// Use these parameters; the number is the revision of the edit.
    SetParameters(Parameters, u64),
    /// Take the parameters with these keys off their curves, and put all others on theirs.
    SetOffCurve(Vec<&'static str>),
    /// Answer the question before unsaved edits are lost.
    Answer(Answer),
    /// Let this hand act from the next step on, or let go.
    UseHand(Option<Hand>),
    /// Drop this body.
    DropBody(DroppedBody),
    /// Take back the body that was dropped last.
    TakeBackBody,
    /// Inspect this part of the grid.
    Inspect(Inspect),
    /// Compare with a second simulation that uses this grid, or end the comparison; the number is the revision of the edit.
    Compare(Option<GridParameters>, u64),
    /// Read the list of scenes again.
    ListScenes,
    /// Go to another moment and pause there.
    Seek(Goal),
    /// Bound the memory of kept moments, bytes.
    SetPlaybackMemory(u64),
    /// Limit the simulation speed.
    SetSpeedLimit(SpeedLimit),
    /// Start auto-tuning over these structures.
    Tune(Vec<Structure>),
    /// Cancel auto-tuning.
    CancelTune,
}

impl Action {
    /// True if it goes to a moment before that of `snapshot`, which undoes what hands did after it.
    pub fn goes_back(&self, snapshot: &Snapshot) -> bool {
        let present = Moment { time: snapshot.time, steps: snapshot.steps };
        let start = snapshot.timeline.kept.first();
        match self {
            Self::Seek(goal) => !goal.is_after(present),
            Self::Command(Command::StepBack | Command::Reset) => true,
            // The second command of these comes back from there.
            Self::Command(Command::GoToStart | Command::CompareWithStart) => {
                start.is_some_and(|start| start.steps < present.steps)
            }
            _ => false,
        }
    }
}
