//! The file that grows by a line a step, and can be followed while it does.

use super::stats_line;
use crate::{AtomicFile, make_folder};
use sph_core::StepStats;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time that lines of a running simulation stay in memory.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// Statistics on their way to a file, a pipe or a device. Under its final name the file is complete: see [`AtomicFile`].
#[derive(Debug)]
pub struct StatsFile {
    sink: Sink,
    lines: u64,
    /// When lines last left the memory.
    flushed: Instant,
}

#[derive(Debug)]
enum Sink {
    File(AtomicFile),
    Stdout(BufWriter<Stdout>),
}

impl StatsFile {
    /// Opens `path`, making the folders above it; `-` is standard output.
    ///
    /// # Errors
    /// It cannot be opened for writing.
    pub fn create(path: &Path) -> io::Result<Self> {
        let sink = if path == Path::new("-") {
            Sink::Stdout(BufWriter::new(io::stdout()))
        } else {
            path.parent().map_or(Ok(()), make_folder)?;
            Sink::File(AtomicFile::create(path)?)
        };
        Ok(Self { sink, lines: 0, flushed: Instant::now() })
    }

    /// Appends the line of one step, and five times a second passes lines on to whoever follows the file. A step that was refused
    /// has the number that it would have had, so that no number is there twice.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> io::Result<()> {
        let line = match stats.error {
            Some(_) => stats_line(&StepStats { step: stats.step + 1, ..stats.clone() }),
            None => stats_line(stats),
        };
        writeln!(self.sink.writer(), "{line}")?;
        self.lines += 1;
        if self.flushed.elapsed() >= FLUSH_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Passes every line on.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.sink.writer().flush()
    }

    /// Completes the file and gives it its name; how many lines it has.
    ///
    /// # Errors
    /// It cannot be completed; then nothing is under its name that was not there before.
    pub fn finish(self) -> io::Result<u64> {
        match self.sink {
            Sink::File(file) => file.finish()?,
            Sink::Stdout(mut stdout) => stdout.flush()?,
        }
        Ok(self.lines)
    }
}

impl Sink {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::File(file) => file,
            Self::Stdout(stdout) => stdout,
        }
    }
}
