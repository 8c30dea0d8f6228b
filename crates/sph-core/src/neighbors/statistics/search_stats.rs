//! What a search did in one step: the structure filled, distances tested, time taken.

use super::occupancy::Occupancy;
use crate::neighbors::query::Tally;
use crate::parameters::GridParameters;
use std::time::Duration;

/// What the neighbour search of the fluid particles did in one step. Boundary particles are searched apart and not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStats {
    /// The parameters in force during the step.
    pub parameters: GridParameters,
    /// How the particles filled the structure.
    pub occupancy: Occupancy,
    /// Distances tested, and neighbours found. Walked block by block, the block map tests a pair of points once for both; all
    /// others test it for each, and each point with itself.
    pub tally: Tally,
    /// Wall-clock time of registering the fluid particles.
    pub build: Duration,
    /// Wall-clock time of filling their lists. The phase of a step includes the search among the walls; this does not.
    pub query: Duration,
}

impl SearchStats {
    /// Distances tested for each neighbour found; 0 when there was none.
    pub fn candidates_per_neighbor(&self) -> f64 {
        let Tally { candidates, neighbors } = self.tally;
        if neighbors == 0 { 0.0 } else { candidates as f64 / neighbors as f64 }
    }
}
