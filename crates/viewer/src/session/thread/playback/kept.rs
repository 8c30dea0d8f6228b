//! A kept moment.

use crate::session::Moment;
use sph_core::StepStats;
use sph_core::neighbors::Audit;
use sph_io::PackedState;
use std::time::Duration;

/// Place in what has happened: completed steps, and changes from outside that were made before the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub steps: u64,
    /// Number of changes since the scene was loaded or reset.
    pub changes: u64,
}

/// State of the session beside that of the engine.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Memory of the probes' averages and totals.
    pub averages: Vec<f64>,
    /// All spot checks so far.
    pub audit: Audit,
    /// Report of the step before.
    pub stats: Option<StepStats>,
}

/// A kept moment.
#[derive(Clone, Debug)]
pub struct Kept {
    pub position: Position,
    /// Simulated time, s.
    pub time: f64,
    pub state: PackedState,
    pub beside: Beside,
}

impl Kept {
    pub fn moment(&self) -> Moment {
        Moment { time: self.time, steps: self.position.steps }
    }

    /// Memory that it takes, bytes.
    pub fn bytes(&self) -> u64 {
        let Beside { averages, audit: _, stats: _ } = &self.beside;
        (size_of::<Self>() + self.state.bytes() + size_of_val(&averages[..])) as u64
    }
}

/// A packed state, or the message of the panic in packing it.
#[derive(Clone, Debug)]
pub struct Packed {
    pub result: Result<Kept, String>,
    /// Time that the packing took.
    pub cost: Duration,
}
