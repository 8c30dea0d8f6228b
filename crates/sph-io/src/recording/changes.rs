//! The rows of a recording.

use super::Fingerprints;
use sph_core::{DroppedBody, Hand, Parameters};

/// Recorded session from its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Name of the scene.
    pub scene: String,
    /// Completed steps at the start: 0, or those of the state that was opened.
    pub start: u64,
    /// [`fingerprint`](super::fingerprint) of the fluid at the start.
    pub fluid: u64,
    /// Parameters that the fluid was started with.
    pub parameters: Parameters,
    /// Changes, in the order in which they were made.
    pub rows: Vec<Row>,
    /// Completed steps at the end, and the fingerprints of the state there, which is unknown if the next step was refused; `None` while
    /// the session goes on.
    pub end: Option<(u64, Option<Fingerprints>)>,
}

/// A change between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Completed steps: the change acts from the next one on.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Change.
    pub change: Change,
}

/// Thing that has changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Hand of all steps from here on; `None` if it lets go.
    Hand(Option<Hand>),
    /// A body is dropped.
    Drop(DroppedBody),
    /// All parameters.
    Parameters(Box<Parameters>),
    /// Keys of the parameters that are off their curves.
    OffCurve(Vec<&'static str>),
}

impl Recording {
    /// Largest number of rows: about 20 minutes of a hand that moves 60 times a second.
    pub const MAX_ROWS: usize = 72_000;
}
