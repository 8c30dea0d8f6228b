//! The file that `--stats` names: one JSON object a step.

use super::{Failure, folder};
use sph_core::StepStats;
use sph_io::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Longest time that lines wait in memory while somebody may be following the file, the pipe or the terminal.
const FLUSH_PERIOD: Duration = Duration::from_millis(200);

/// Statistics on their way to a file, a pipe or a device.
pub struct StatsFile {
    path: PathBuf,
    /// Gone after a write error, and the incomplete file with it.
    sink: Option<Sink>,
    lines: u64,
    flushed: Instant,
}

enum Sink {
    /// Gets its name when it is complete; a pipe or a device is written directly.
    File(AtomicFile),
    Stdout(io::BufWriter<io::Stdout>),
}

impl StatsFile {
    /// Opens `path`, making the folders above it; `-` is standard output.
    ///
    /// # Errors
    /// It cannot be opened for writing.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let sink = Sink::open(path).map_err(|error| Failure::output("the statistics", path, &error))?;
        Ok(Self { path: path.to_owned(), sink: Some(sink), lines: 0, flushed: Instant::now() })
    }

    /// Appends the line of one step.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> Result<(), Failure> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        let due = self.flushed.elapsed() >= FLUSH_PERIOD;
        let written = sink.write(&sph_io::stats_line(stats), due);
        self.lines += 1;
        if due {
            self.flushed = Instant::now();
        }
        written.map_err(|error| {
            self.sink = None;
            Failure::output("the statistics", &self.path, &error)
        })
    }

    /// Completes the file and gives it its name; says in a line what was written, or nothing after a write error.
    ///
    /// # Errors
    /// It cannot be completed; then nothing is under its name that was not there before.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Self { path, sink, lines, .. } = self;
        let Some(sink) = sink else { return Ok(None) };
        sink.finish().map_err(|error| Failure::output("the statistics", &path, &error))?;
        Ok(Some(format!("{} ({lines} steps)", path.display())))
    }
}

impl Sink {
    fn open(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout(io::BufWriter::new(io::stdout())));
        }
        if let Some(folder) = path.parent() {
            folder::make(folder)?;
        }
        AtomicFile::create(path).map(Self::File)
    }

    fn write(&mut self, line: &str, flush: bool) -> io::Result<()> {
        let writer: &mut dyn Write = match self {
            Self::File(file) => file,
            Self::Stdout(stdout) => stdout,
        };
        writeln!(writer, "{line}")?;
        if flush { writer.flush() } else { Ok(()) }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stdout(mut stdout) => stdout.flush(),
        }
    }
}
