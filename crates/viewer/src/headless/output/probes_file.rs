//! The file of `--probes`, with its path for messages.

use crate::headless::Failure;
use crate::headless::simulate::{Interrupt, Schedule};
use sph_core::Engine;
use sph_io::{Checkpoint, Scene};
use std::path::{Path, PathBuf};

/// Probe readings of a run. A write error removes the incomplete file.
pub struct ProbesFile {
    path: PathBuf,
    file: Option<sph_io::ProbesFile>,
    schedule: Schedule,
}

impl ProbesFile {
    /// Opens `path` for the probes of `scene`. Rows are due by `schedule`.
    ///
    /// # Errors
    /// If the scene has no probes, or the file cannot be opened for writing.
    pub fn create(path: &Path, scene: &Scene, schedule: Schedule, interrupt: Interrupt) -> Result<Self, Failure> {
        if scene.probes.is_empty() {
            return Err(Failure::Input(format!("scene {} has no probes for --probes: add some under [[probes]]", scene.name)));
        }
        let dimensions = scene.setup.discretization.dimensions;
        let file = sph_io::ProbesFile::create(path, &scene.probes, dimensions, &interrupt.cancel_flag())
            .map_err(|error| Failure::output("the probes", path, &error))?;
        Ok(Self { path: path.to_owned(), file: Some(file), schedule })
    }

    /// Records the state after a step, and appends the row that is due, if any.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn update(&mut self, engine: &dyn Engine) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.record(&engine.view());
        if self.schedule.due(engine.time()).is_none() {
            return Ok(());
        }
        file.write(&engine.view()).map_err(|error| {
            self.file = None;
            Failure::output("the probes", &self.path, &error)
        })
    }

    /// Goes on from a checkpoint: with its averages, and after the rows that the present file has of the run before it.
    ///
    /// # Errors
    /// If the averages are not of these probes, or the rows cannot be copied.
    pub fn resume(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if !checkpoint.averages.is_empty() && !file.restore(&checkpoint.averages) {
            return Err(Failure::Input("the checkpoint has averages of other probes".to_owned()));
        }
        let copied = file.copy_rows(&self.path, checkpoint.probes_rows);
        copied.map_err(|error| Failure::output("the probes", &self.path, &error))
    }

    /// Memory of the averages, and number of rows so far.
    pub fn position(&self) -> (Vec<f64>, u64) {
        self.file.as_ref().map_or_else(Default::default, |file| (file.averages(), file.rows()))
    }

    /// Completes the file; returns a line for the report, or `None` after a write error or without rows: then nothing
    /// appears under its name.
    ///
    /// # Errors
    /// If it cannot be completed; an existing file of that name is then unchanged.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Some(file) = self.file.filter(|file| file.rows() > 0) else { return Ok(None) };
        let rows = file.finish().map_err(|error| Failure::output("the probes", &self.path, &error))?;
        Ok(Some(format!("{} ({rows} rows)", self.path.display())))
    }
}
