//! Inspections of the grid for the window: contents of its cells and the trace of one particle's query.

use sph_core::neighbors::{Contents, GridParameters, TooManyCells, Trace};
use std::time::Duration;

/// The parts of the grid to inspect. By default none, at no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspect {
    /// True if cells and buckets are listed.
    pub contents: bool,
    /// Stable id of the particle whose query is traced.
    pub particle: Option<u32>,
}

impl Inspect {
    pub(super) fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// The contents of the grid for the positions of one snapshot: those that the next step will search.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// The parts that were asked for.
    pub asked: Inspect,
    /// The grid in force.
    pub grid: GridParameters,
    /// Serial number, increasing over all inspections, the rival's included: equal numbers mean the same inspection.
    pub serial: u64,
    /// Cells and buckets, if asked for.
    pub contents: Option<Contents>,
    /// The query of the particle asked for; `None` if there is no such particle. Indices are those of the snapshot's particles.
    pub query: Option<Trace>,
    /// Reason why there is neither: the structure cannot cover the particles.
    pub refusal: Option<TooManyCells>,
    /// Time that the inspection took of the simulation's thread.
    pub cost: Duration,
}

impl Inspection {
    /// The query of `particle`, if it is the one that was traced: another one may have been asked for since.
    pub fn query_of(&self, particle: Option<u32>) -> Option<&Trace> {
        self.query.as_ref().filter(|_| particle.is_some() && self.asked.particle == particle)
    }
}
