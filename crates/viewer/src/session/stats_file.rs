//! One line of statistics a step, in a file that can be followed while it grows.

use anyhow::Context as _;
use sph_core::StepStats;
use sph_io::AtomicFile;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time that lines of a running simulation stay in memory.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// Writes under a temporary name beside the final one, so that the final name only ever holds a complete file.
#[derive(Debug)]
pub(super) struct StatsFile {
    file: AtomicFile,
    /// When lines last reached the file.
    flushed: Instant,
    /// Whether lines wait in memory.
    waiting: bool,
}

impl StatsFile {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let file = AtomicFile::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file, flushed: Instant::now(), waiting: false })
    }

    /// Adds a line; passes lines on to the file five times a second.
    pub(super) fn write(&mut self, stats: &StepStats) -> std::io::Result<()> {
        writeln!(self.file, "{}", sph_io::stats_line(stats))?;
        self.waiting = true;
        if self.flushed.elapsed() >= FLUSH_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Passes every line on to the file, if any waits.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        if self.waiting {
            self.file.flush()?;
            self.waiting = false;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Gives the file its final name.
    pub(super) fn finish(self) -> std::io::Result<()> {
        self.file.finish()
    }
}
