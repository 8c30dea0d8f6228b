//! The rival as a snapshot shows it: a second simulation of the same fluid with another grid.

use super::{Comparison, History, Inspection};
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{Particles, StepStats};
use std::sync::Arc;

/// A rival in a snapshot.
#[derive(Clone, Debug)]
pub struct Rival {
    /// Its grid; every other parameter is the simulation's own.
    pub grid: GridParameters,
    /// Its particles, with the attributes that can be [shown](Particles::copy_shown).
    pub particles: Particles,
    /// The report of its latest step, if there was one.
    pub stats: Option<StepStats>,
    /// Cost of its last steps.
    pub history: History,
    /// Spot checks of its neighbour lists, over the same steps as the comparison.
    pub audit: Audit,
    /// Comparison of its motion with the simulation's, since both last started from the same state.
    pub comparison: Comparison,
    /// The inspection of its grid, if asked for.
    pub inspection: Option<Arc<Inspection>>,
    /// Reason why it stands still, if a step of its own was refused. Another grid restarts it, from the simulation's state.
    pub failure: Option<String>,
}
