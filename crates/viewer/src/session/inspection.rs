//! What the window wants to see of the grid: which cells hold what, and how one particle's query goes.

use sph_core::neighbors::{Contents, GridParameters, TooManyCells, Trace};
use std::time::Duration;

/// What to look into. Nothing by default, which costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inspect {
    /// Whether to list cells and buckets.
    pub contents: bool,
    /// The particle whose query is traced, by its stable id.
    pub particle: Option<u32>,
}

impl Inspect {
    pub(super) fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

/// The inside of the grid over the positions of one snapshot: what the next step will search in.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// What was asked for.
    pub asked: Inspect,
    /// The grid in force.
    pub grid: GridParameters,
    /// Rises from inspection to inspection, the rival's included: two with the same number are the same.
    pub serial: u64,
    /// Cells and buckets, if asked for.
    pub contents: Option<Contents>,
    /// The query of the particle asked for; none when there is no such particle. Indices are those of the snapshot's particles.
    pub query: Option<Trace>,
    /// Why there is neither: the structure cannot cover the particles.
    pub refusal: Option<TooManyCells>,
    /// What making it took of the simulation's time.
    pub cost: Duration,
}

impl Inspection {
    /// The query of `particle`, if that is the one that was traced: another one may have been asked for since.
    pub fn query_of(&self, particle: Option<u32>) -> Option<&Trace> {
        self.query.as_ref().filter(|_| particle.is_some() && self.asked.particle == particle)
    }
}
