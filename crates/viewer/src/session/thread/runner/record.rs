//! The statistics file of a session, if there is one.

use crate::session::Notice;
use anyhow::Context as _;
use sph_core::{CancelFlag, StepStats};
use sph_io::StatsFile;
use std::io;
use std::path::{Path, PathBuf};

/// Writes one line per step, until writing fails.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    file: Option<StatsFile>,
    /// Reason why lines are missing.
    failure: Option<io::Error>,
}

impl Record {
    /// Opens `path`; nothing is recorded if it is `None`.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            StatsFile::create(path, &CancelFlag::default()).with_context(|| format!("cannot write {}", path.display()))
        };
        Ok(Self { path: path.unwrap_or(Path::new("")).to_owned(), file: path.map(open).transpose()?, failure: None })
    }

    /// Writes the line of one step; a failure is returned as a notice for the user.
    pub(super) fn write(&mut self, stats: &StepStats) -> Result<(), Notice> {
        self.attempt(|file| file.write(stats))
    }

    /// Flushes the file for readers that follow it; a failure is returned as a notice for the user.
    pub(super) fn flush(&mut self) -> Result<(), Notice> {
        self.attempt(StatsFile::flush)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If lines are missing, or the file cannot be completed. A closed pipe, as after `| head`, is no error.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let ending = self.failure.map(Err).or_else(|| self.file.map(StatsFile::finish));
        match ending {
            Some(Err(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(error).with_context(|| format!("cannot write the statistics to {}", self.path.display()))
            }
            _ => Ok(()),
        }
    }

    /// Runs `write`; closes the file if it fails.
    fn attempt(&mut self, write: impl FnOnce(&mut StatsFile) -> io::Result<()>) -> Result<(), Notice> {
        let Some(Err(error)) = self.file.as_mut().map(write) else { return Ok(()) };
        self.file = None;
        let details = format!("{}: {error}", self.path.display());
        self.failure = Some(error);
        Err(Notice::error("The statistics cannot be written any more", details))
    }
}
