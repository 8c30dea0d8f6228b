//! Spot checks of all neighbour searches, since the scene was loaded or reset.

use sph_core::StepStats;
use sph_core::neighbors::Audit;
use sph_core::point_sets::SetSearch;

/// Spot checks of the search of the fluid, and of those of cloths and balls; that of cloths has those of vertices among balls too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audits {
    fluid: Audit,
    /// One for each set of points.
    sets: Vec<Audit>,
}

impl Audits {
    /// Adds those of a step that has these statistics, and in which point sets were searched so.
    pub fn add(&mut self, stats: &StepStats, searches: &[SetSearch]) {
        self.fluid = self.fluid.join(stats.audit);
        // A step that was refused may have the searches of the one before.
        if stats.error.is_none() {
            self.sets.resize(searches.len(), Audit::default());
            for (sum, search) in self.sets.iter_mut().zip(searches) {
                let others = search.among_others.map_or(Audit::default(), |others| others.audit);
                *sum = sum.join(search.audit).join(others);
            }
        }
    }

    /// Heap memory, bytes.
    pub(in crate::session) fn memory(&self) -> usize {
        size_of_val(&self.sets[..])
    }

    /// Those of the search of set `set`, or of the fluid.
    pub fn of(&self, set: Option<usize>) -> Audit {
        set.map_or(self.fluid, |set| self.sets.get(set).copied().unwrap_or_default())
    }
}
