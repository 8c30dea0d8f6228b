//! Statistics of the search in one step: occupancy, distances tested, time.

use super::occupancy::Occupancy;
use crate::neighbors::query::Tally;
use crate::parameters::GridParameters;
use std::time::Duration;

/// Statistics of the fluid particles' neighbour search in one step. The search among boundary particles is not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStats {
    /// The parameters in force during the step.
    pub parameters: GridParameters,
    /// Occupancy of the structure.
    pub occupancy: Occupancy,
    /// Numbers of distances tested and neighbours found. The block map walked block by block tests a pair of points once; all
    /// other structures test it from both sides, and each point against itself.
    pub tally: Tally,
    /// Wall-clock time of registering the fluid particles.
    pub build: Duration,
    /// Wall-clock time of filling the fluid's neighbour lists. The phase of a step includes the search among the walls; this
    /// does not.
    pub query: Duration,
}

impl SearchStats {
    /// Distances tested per neighbour found; 0 without neighbours.
    pub fn candidates_per_neighbor(&self) -> f64 {
        let Tally { candidates, neighbors } = self.tally;
        if neighbors == 0 { 0.0 } else { candidates as f64 / neighbors as f64 }
    }
}
