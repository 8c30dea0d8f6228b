//! The file of `--checkpoint`.

use crate::headless::Failure;
use crate::headless::simulate::Schedule;
use sph_core::Engine;
use sph_io::{Checkpoint, LinesSoFar, Scene};
use std::path::PathBuf;

/// Checkpoints of a run: one file, which each replaces.
pub struct Checkpoints {
    path: PathBuf,
    scene: Scene,
    /// Times at which one is due; `None` for the end only.
    schedule: Option<Schedule>,
    /// Step of the last one.
    saved: Option<u64>,
}

/// Position of the outputs of a run.
#[derive(Clone, Debug, Default)]
pub struct OutputPosition {
    /// Memory of the probes' averages.
    pub averages: Vec<f64>,
    /// Lines of the statistics.
    pub stats: LinesSoFar,
    /// Rows of the probes.
    pub probes: LinesSoFar,
}

impl Checkpoints {
    /// Checkpoints of `scene` at `path`, by `schedule` and at the end.
    pub fn new(path: PathBuf, scene: &Scene, schedule: Option<Schedule>) -> Self {
        Self { path, scene: scene.clone(), schedule, saved: None }
    }

    /// Writes the checkpoint that is due, if any; `position` is asked for then.
    ///
    /// # Errors
    /// If it, or an output so far, cannot be written.
    pub fn update(
        &mut self,
        engine: &dyn Engine,
        position: impl FnOnce() -> Result<OutputPosition, Failure>,
    ) -> Result<(), Failure> {
        let is_due = self.schedule.as_mut().and_then(|schedule| schedule.due(engine.time())).is_some();
        // The start needs none.
        if is_due && engine.steps() > 0 { self.save(engine, position()?) } else { Ok(()) }
    }

    /// Writes a checkpoint of the present state, unless the last is of it.
    ///
    /// # Errors
    /// If it cannot be written; an older file is then still there.
    pub fn save(&mut self, engine: &dyn Engine, position: OutputPosition) -> Result<(), Failure> {
        if self.saved == Some(engine.steps()) {
            return Ok(());
        }
        let OutputPosition { averages, stats, probes } = position;
        let checkpoint = Checkpoint { scene: self.scene.clone(), state: engine.snapshot(), averages, stats, probes };
        checkpoint.save(&self.path).map_err(|error| Failure::output("the checkpoint", &self.path, &error))?;
        self.saved = Some(engine.steps());
        Ok(())
    }

    /// Report of the file, if one was written.
    pub fn written(&self) -> Option<String> {
        let step = self.saved?;
        Some(format!("{path}, a checkpoint at step {step}: go on with `sph run --resume {path}`", path = self.path.display()))
    }
}
