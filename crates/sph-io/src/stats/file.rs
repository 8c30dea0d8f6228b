//! Statistics file: one line per step, readable while it grows.

use super::stats_line;
use crate::AtomicFile;
use crate::copied_lines::{EarlierLines, LineCounter, LinesSoFar};
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
    lines: LineCounter,
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
        Self::resume(path, cancel, LinesSoFar::default())
    }

    /// Opens `path` as [`StatsFile::create`], and goes on after the lines `earlier` of the run that is resumed: they are copied from the
    /// file of that name or from what a killed run has left of it. If there is neither, the file begins here.
    ///
    /// # Errors
    /// Those of [`StatsFile::create`], or the file of that name begins with other lines.
    pub fn resume(path: &Path, cancel: &CancelFlag, earlier: LinesSoFar) -> io::Result<Self> {
        let mut lines = LineCounter::default();
        let sink = if path == Path::new("-") {
            Sink::Stdout(BufWriter::new(Pipe::open(|| Ok(io::stdout()), cancel)?))
        } else {
            let files = EarlierLines::of(path);
            let copy = |file: &mut AtomicFile| files.copy(0, earlier, &mut lines, file);
            Sink::File(AtomicFile::create_output_after(path, cancel, copy)?)
        };
        Ok(Self { sink, lines, flushed: Instant::now() })
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
        self.lines.add(line.as_bytes());
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

    /// The lines so far.
    pub fn lines(&self) -> LinesSoFar {
        self.lines.so_far()
    }

    /// Leaves what has been written, under its temporary name, if an error ends the file: a run that is resumed goes on with it.
    pub fn keep_incomplete(&mut self) {
        if let Sink::File(file) = &mut self.sink {
            file.keep_incomplete();
        }
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
        Ok(self.lines.so_far().count)
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
