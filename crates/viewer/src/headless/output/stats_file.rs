//! The file of `--stats`, with its path for messages.

use crate::headless::Failure;
use crate::headless::simulate::Interrupt;
use sph_core::StepStats;
use sph_io::{Checkpoint, LinesSoFar};
use std::io;
use std::path::{Path, PathBuf};

/// Statistics of a run. A write error removes the incomplete file, unless the run can be resumed.
pub struct StatsFile {
    path: PathBuf,
    file: Option<sph_io::StatsFile>,
    /// True if the last line is of a refused step.
    refused: bool,
}

impl StatsFile {
    /// Opens `path`; `-` is standard output. A resumed run goes on after the lines of the run before the checkpoint.
    ///
    /// # Errors
    /// If it cannot be opened for writing, or has lines of another run.
    pub fn create(path: &Path, interrupt: Interrupt, resumed: Option<&Checkpoint>) -> Result<Self, Failure> {
        let earlier = resumed.map_or_else(LinesSoFar::default, |checkpoint| checkpoint.stats);
        let file = sph_io::StatsFile::resume(path, &interrupt.cancel_flag(), earlier)
            .map_err(|error| Failure::output("the statistics", path, &error))?;
        Ok(Self { path: path.to_owned(), file: Some(file), refused: false })
    }

    /// Appends the line of one step.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> Result<(), Failure> {
        let Some(file) = &mut self.file else { return Ok(()) };
        self.refused = stats.error.is_some();
        file.write(stats).map_err(|error| {
            self.file = None;
            failure(&self.path, &error)
        })
    }

    /// Leaves the lines so far if an error ends the file, for a run that is resumed.
    pub fn keep_incomplete(&mut self) {
        self.file.iter_mut().for_each(sph_io::StatsFile::keep_incomplete);
    }

    /// The lines so far, which are flushed, so that a kill does not lose them.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn position(&mut self) -> Result<LinesSoFar, Failure> {
        let Some(file) = &mut self.file else { return Ok(LinesSoFar::default()) };
        file.flush().map_err(|error| failure(&self.path, &error))?;
        Ok(file.lines())
    }

    /// Completes the file; returns a line for the report, or `None` for standard output, after a write error, and without
    /// lines: then nothing appears under its name.
    ///
    /// # Errors
    /// If it cannot be completed; an existing file of that name is then unchanged.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Some(file) = self.file.filter(|file| file.lines().count > 0) else { return Ok(None) };
        let lines = file.finish().map_err(|error| failure(&self.path, &error))?;
        // Whether anybody reads standard output is not known.
        if self.path == Path::new("-") {
            return Ok(None);
        }
        let path = self.path.display();
        Ok(Some(match self.refused {
            true => format!("{path} ({} steps and the refused one)", lines - 1),
            false => format!("{path} ({})", crate::headless::console::counted(lines, "step")),
        }))
    }
}

/// The failure to write the statistics. A closed pipe of standard output (`--stats - | head`) is no error.
fn failure(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe if path == Path::new("-") => Failure::Unread,
        _ => Failure::output("the statistics", path, error),
    }
}
