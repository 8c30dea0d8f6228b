//! The scene that runs, and what a snapshot shows of it.

use super::contest::Contest;
use super::inspectors::Inspectors;
use crate::session::{Snapshot, notice};
use sph_core::neighbors::{Audit, GridParameters};
use sph_core::{ParameterError, Parameters, Simulation, StepStats};
use sph_io::Scene;
use std::sync::Arc;
use std::time::Duration;

/// The scene that runs.
pub(super) struct Running {
    pub(super) scene: Arc<Scene>,
    pub(super) simulation: Box<Simulation>,
    stats: Option<StepStats>,
    /// All spot checks since the scene was loaded or reset.
    audit: Audit,
    /// Why the latest step was refused, if it was.
    failure: Option<String>,
    /// The rival, while two grids are compared.
    contest: Option<Contest>,
}

impl Running {
    /// Before its first step.
    pub(super) fn new(scene: Arc<Scene>, simulation: Box<Simulation>) -> Self {
        Self { scene, simulation, stats: None, audit: Audit::default(), failure: None, contest: None }
    }

    /// The same scene afresh, with `simulation` in place of the one before, and its rival with the rival's.
    pub(super) fn restarted(self, simulation: Box<Simulation>) -> Self {
        // The rival's grid was in force, and the discretisation is the scene's: there is nothing to refuse.
        let contest = self.contest.and_then(|contest| contest.restart(&simulation).ok());
        Self { contest, ..Self::new(self.scene, simulation) }
    }

    /// Uses `parameters` from the next step on, all but the grid for the rival too.
    ///
    /// # Errors
    /// A value outside its range; the parameters in force then stay.
    pub(super) fn set_parameters(&mut self, parameters: Parameters) -> Result<(), ParameterError> {
        self.simulation.set_parameters(parameters)?;
        if let Some(contest) = &mut self.contest {
            contest.follow(&parameters);
        }
        Ok(())
    }

    /// Starts a rival with `grid`, gives the rival that there is this grid, or ends the comparison.
    ///
    /// # Errors
    /// A value outside its range; nothing has changed then.
    pub(super) fn compare(&mut self, grid: Option<GridParameters>) -> Result<(), ParameterError> {
        match (grid, &mut self.contest) {
            (Some(grid), Some(contest)) => contest.set_grid(&self.simulation, grid)?,
            (Some(grid), None) => self.contest = Some(Contest::start(&self.simulation, grid)?),
            (None, _) => self.contest = None,
        }
        Ok(())
    }

    /// Makes one step on the threads of `pool`; its report. The rival makes one too.
    pub(super) fn step(&mut self, pool: &rayon::ThreadPool) -> &StepStats {
        let Self { simulation, contest, .. } = self;
        let stats = pool.install(|| match contest {
            Some(contest) => contest.step(simulation),
            None => simulation.step(),
        });
        self.failure = stats.error.as_ref().map(|error| notice::advice(error, &stats));
        self.audit = self.audit.join(stats.audit);
        self.stats.insert(stats)
    }

    /// Adds the rival's latest step to its history; it ended `elapsed` of running time after the one before.
    pub(super) fn note(&mut self, elapsed: Duration) {
        if let Some(contest) = &mut self.contest {
            contest.note(elapsed);
        }
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

    /// Looks into the grid, and into the rival's.
    pub(super) fn inspect(&self, inspectors: &mut Inspectors, snapshot: &mut Snapshot) {
        let rivals;
        [snapshot.inspection, rivals] = inspectors.inspect(&self.simulation, self.contest.as_ref().map(Contest::simulation));
        if let Some(rival) = &mut snapshot.rival {
            rival.inspection = rivals;
        }
    }

    /// Fills in the parts of `snapshot` that are about the scene.
    pub(super) fn show(&self, snapshot: &mut Snapshot) {
        snapshot.copy_simulation(&self.simulation);
        snapshot.scene = Some(self.scene.clone());
        snapshot.stats.clone_from(&self.stats);
        snapshot.audit = self.audit;
        snapshot.failure.clone_from(&self.failure);
        match &self.contest {
            Some(contest) => contest.show(&mut snapshot.rival),
            None => snapshot.rival = None,
        }
    }
}
