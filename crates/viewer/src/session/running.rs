//! The scene that runs, and what a snapshot shows of it.

use super::{Snapshot, notice};
use sph_core::neighbors::Audit;
use sph_core::{Parameters, Simulation, StepStats};
use sph_io::Scene;
use std::sync::Arc;

/// The scene that runs.
pub(super) struct Running {
    pub(super) scene: Arc<Scene>,
    pub(super) simulation: Box<Simulation>,
    stats: Option<StepStats>,
    /// All spot checks since the scene was loaded or reset.
    audit: Audit,
    /// Why the latest step was refused, if it was.
    failure: Option<String>,
}

impl Running {
    /// Before its first step.
    pub(super) fn new(scene: Arc<Scene>, simulation: Box<Simulation>) -> Self {
        Self { scene, simulation, stats: None, audit: Audit::default(), failure: None }
    }

    /// Makes one step on the threads of `pool`; its report.
    pub(super) fn step(&mut self, pool: &rayon::ThreadPool) -> &StepStats {
        let simulation = &mut self.simulation;
        let stats = pool.install(|| simulation.step());
        self.failure = stats.breach.as_ref().map(|breach| notice::advice(breach, &stats));
        self.audit = self.audit.join(stats.audit);
        self.stats.insert(stats)
    }

    /// Why the latest step was refused, if it was.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Makes `parameters` those of the scene, if it is `saved` that runs.
    pub(super) fn rebase(&mut self, saved: &Arc<Scene>, parameters: Parameters) {
        if Arc::ptr_eq(&self.scene, saved) {
            Arc::make_mut(&mut self.scene).setup.parameters = parameters;
        }
    }

    /// Fills in the parts of `snapshot` that are about the scene.
    pub(super) fn show(&self, snapshot: &mut Snapshot) {
        snapshot.copy_simulation(&self.simulation);
        snapshot.scene = Some(self.scene.clone());
        snapshot.stats.clone_from(&self.stats);
        snapshot.audit = self.audit;
        snapshot.failure.clone_from(&self.failure);
    }
}
