//! The statistics file of a session, if there is one.

use super::Notice;
use anyhow::Context as _;
use sph_core::StepStats;
use sph_io::StatsFile;
use std::io;
use std::path::Path;

/// Writes a line a step, until that fails.
#[derive(Debug)]
pub(super) struct Record {
    file: Option<StatsFile>,
}

impl Record {
    /// Opens `path`; nothing is recorded when it is `None`.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let open = |path: &Path| StatsFile::create(path).with_context(|| format!("cannot write {}", path.display()));
        Ok(Self { file: path.map(open).transpose()? })
    }

    /// Writes the line of one step; what to tell the user when that failed.
    pub(super) fn write(&mut self, stats: &StepStats) -> Result<(), Notice> {
        self.attempt(|file| file.write(stats))
    }

    /// Passes every line on to whoever follows the file; what to tell the user when that failed.
    pub(super) fn flush(&mut self) -> Result<(), Notice> {
        self.attempt(StatsFile::flush)
    }

    /// Completes the file.
    pub(super) fn finish(self) {
        if let Some(Err(error)) = self.file.map(StatsFile::finish) {
            log::error!("the statistics could not be completed: {error}");
        }
    }

    /// Gives the statistics up when they cannot be written.
    fn attempt(&mut self, write: impl FnOnce(&mut StatsFile) -> io::Result<()>) -> Result<(), Notice> {
        let Some(Err(error)) = self.file.as_mut().map(write) else { return Ok(()) };
        self.file = None;
        Err(Notice::error("The statistics cannot be written any more", error.to_string()))
    }
}
