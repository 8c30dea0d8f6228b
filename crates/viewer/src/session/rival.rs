//! The rival: the same fluid with another grid, as a snapshot shows it.

use super::{Comparison, History, Inspection};
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{Particles, StepStats};
use std::sync::Arc;

/// What a snapshot shows of a rival.
#[derive(Clone, Debug)]
pub struct Rival {
    /// Its grid; every other parameter is the simulation's own.
    pub grid: GridParameters,
    /// Its particles.
    pub particles: Particles,
    /// The report of its latest step, if there was one.
    pub stats: Option<StepStats>,
    /// What its last steps cost.
    pub history: History,
    /// Spot checks of its neighbour lists, for as many steps as the comparison.
    pub audit: Audit,
    /// Its motion and the simulation's, since both last started from the same state.
    pub comparison: Comparison,
    /// The inside of its grid, if asked for.
    pub inspection: Option<Arc<Inspection>>,
    /// Why it stands still, when a step of its own had to be refused. Another grid starts it again, from the simulation's state.
    pub failure: Option<String>,
}
