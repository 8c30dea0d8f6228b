//! Tuning as the window sees it.

use sph_core::tuning::Results;
use std::sync::Arc;

/// A series of trials as the window sees it.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// What is known so far.
    pub results: Arc<Results>,
    /// How far it has come.
    pub stage: Stage,
    /// Simulated time of the state that is tried on, s.
    pub time: f64,
}

/// How far a series of trials has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Trials are made.
    Running,
    /// It was ended early.
    Cancelled,
    /// All trials have been made.
    Done,
}
