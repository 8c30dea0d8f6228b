//! Statistics file: one line per step, readable while it grows.

use super::stats_line;
use crate::AtomicFile;
use crate::copied_lines::copy_lines;
use crate::pipe::Pipe;
use sph_core::{CancelFlag, StepStats};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longest time that lines stay in the buffer.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// Writer of statistics to a file, a pipe or a device. A file under its final name is complete: see [`AtomicFile`].
#[derive(Debug)]
pub struct StatsFile {
    sink: Sink,
    lines: u64,
    /// Time of the last flush.
    flushed: Instant,
}

#[derive(Debug)]
enum Sink {
    File(AtomicFile),
    Stdout(BufWriter<Pipe>),
}

impl StatsFile {
    /// Opens `path`, creating its folders; `-` is standard output. `cancel` ends the wait for the reader of a pipe.
    ///
    /// # Errors
    /// The file cannot be opened for writing.
    pub fn create(path: &Path, cancel: &CancelFlag) -> io::Result<Self> {
        let sink = if path == Path::new("-") {
            Sink::Stdout(BufWriter::new(Pipe::open(|| Ok(io::stdout()), cancel)?))
        } else {
            Sink::File(AtomicFile::create_output(path, cancel)?)
        };
        Ok(Self { sink, lines: 0, flushed: Instant::now() })
    }

    /// Appends the line of one step, and flushes five times a second. A refused step has the number of the step that it would have been,
    /// so that no number occurs twice.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> io::Result<()> {
        let line = match stats.error {
            Some(_) => stats_line(&StepStats { step: stats.step + 1, ..stats.clone() }),
            None => stats_line(stats),
        };
        writeln!(self.sink.writer(), "{line}")?;
        self.lines += 1;
        if self.flushed.elapsed() >= FLUSH_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Flushes the buffered lines.
    ///
    /// # Errors
    /// The lines cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.sink.writer().flush()
    }

    /// Copies the first `count` lines of the file at `path`, of the run that this one resumes; none if it has fewer.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn copy_lines(&mut self, path: &Path, count: u64) -> io::Result<()> {
        self.lines += copy_lines(path, 0, count, self.sink.writer())?;
        Ok(())
    }

    /// Number of the lines so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Completes the file and gives it its name. Returns the number of its lines.
    ///
    /// # Errors
    /// The file cannot be completed; an older file of the same name is then still there.
    pub fn finish(self) -> io::Result<u64> {
        match self.sink {
            Sink::File(file) => file.finish()?,
            Sink::Stdout(stdout) => stdout.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?,
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
