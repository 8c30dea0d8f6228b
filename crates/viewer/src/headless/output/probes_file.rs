//! The file of `--probes`, with its path for messages.

use crate::headless::Failure;
use crate::headless::simulate::{Interrupt, Schedule};
use sph_core::Engine;
use sph_io::{Checkpoint, LinesSoFar, Scene};
use std::path::{Path, PathBuf};

/// Probe readings of a run. A write error removes the incomplete file, unless the run can be resumed.
pub struct ProbesFile {
    path: PathBuf,
    file: Option<sph_io::ProbesFile>,
    schedule: Schedule,
}

impl ProbesFile {
    /// Opens `path` for the probes of `scene`. Rows are due by `schedule`. A resumed run goes on after the rows of the run before the
    /// checkpoint, and with its averages.
    ///
    /// # Errors
    /// If the scene has no probes, the averages are not theirs, or the file cannot be opened for writing or has rows of another run.
    pub fn create(
        path: &Path,
        scene: &Scene,
        schedule: Schedule,
        (interrupt, resumed): (Interrupt, Option<&Checkpoint>),
    ) -> Result<Self, Failure> {
        if scene.probes.is_empty() {
            return Err(Failure::Input(format!("scene {} has no probes for --probes: add some under [[probes]]", scene.name)));
        }
        let dimensions = scene.setup.discretization.dimensions;
        let earlier = resumed.map_or_else(LinesSoFar::default, |checkpoint| checkpoint.probes);
        let mut file = sph_io::ProbesFile::resume(path, (&scene.probes, dimensions), &interrupt.cancel_flag(), earlier)
            .map_err(|error| Failure::output("the probes", path, &error))?;
        let averages = resumed.map_or(&[][..], |checkpoint| &checkpoint.averages);
        if !averages.is_empty() && !file.restore(averages) {
            return Err(Failure::Input("the checkpoint has averages of other probes".to_owned()));
        }
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

    /// Leaves the rows so far if an error ends the file, for a run that is resumed.
    pub fn keep_incomplete(&mut self) {
        self.file.iter_mut().for_each(sph_io::ProbesFile::keep_incomplete);
    }

    /// Memory of the averages, and the rows so far, which are flushed, so that a kill does not lose them.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn position(&mut self) -> Result<(Vec<f64>, LinesSoFar), Failure> {
        let Some(file) = &mut self.file else { return Ok(Default::default()) };
        file.flush().map_err(|error| Failure::output("the probes", &self.path, &error))?;
        Ok((file.averages(), file.rows()))
    }

    /// Completes the file; returns a line for the report, or `None` after a write error or without rows: then nothing
    /// appears under its name.
    ///
    /// # Errors
    /// If it cannot be completed; an existing file of that name is then unchanged.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Some(file) = self.file.filter(|file| file.rows().count > 0) else { return Ok(None) };
        let rows = file.finish().map_err(|error| Failure::output("the probes", &self.path, &error))?;
        Ok(Some(format!("{} ({rows} rows)", self.path.display())))
    }
}
