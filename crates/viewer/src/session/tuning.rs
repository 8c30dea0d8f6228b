//! State of tuning in a snapshot.

use sph_core::tuning::Results;
use std::sync::Arc;

/// A series of trials in a snapshot.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The results so far.
    pub results: Arc<Results>,
    /// Progress of the series.
    pub stage: Stage,
    /// Simulated time of the state that the trials use, s.
    pub time: f64,
}

/// Progress of a series of trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Trials are being made.
    Running,
    /// The series was cancelled.
    Cancelled,
    /// All trials have been made.
    Done,
}
