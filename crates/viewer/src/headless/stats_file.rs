//! The file that `--stats` names: one JSON object a step.

use super::Failure;
use sph_core::StepStats;
use sph_io::AtomicFile;
use std::fs::File;
use std::io::{self, BufWriter, LineWriter, Write};
use std::path::{Path, PathBuf};

/// Statistics on their way to a file, a pipe or a device.
pub struct StatsFile {
    path: PathBuf,
    /// Gone after a write error, and the incomplete file with it.
    sink: Option<Sink>,
    lines: u64,
}

enum Sink {
    /// A file, which gets its name when it is complete.
    File(BufWriter<AtomicFile>),
    /// A pipe, a device or standard output: read while it is written, so that every line goes out at once.
    Stream(LineWriter<Box<dyn Write + Send>>),
}

impl StatsFile {
    /// Opens `path`, making the folders above it; `-` is standard output. A pipe or a device is written directly, for
    /// there is no final name to protect and replacing it would be a surprise.
    ///
    /// # Errors
    /// It cannot be opened for writing.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let sink = Self::open(path).map_err(|error| Failure::output("the statistics", path, &error))?;
        Ok(Self { path: path.to_owned(), sink: Some(sink), lines: 0 })
    }

    fn open(path: &Path) -> io::Result<Sink> {
        if path == Path::new("-") {
            return Ok(Sink::Stream(LineWriter::new(Box::new(io::stdout()))));
        }
        if let Ok(metadata) = path.metadata()
            && !metadata.is_file()
            && !metadata.is_dir()
        {
            return Ok(Sink::Stream(LineWriter::new(Box::new(File::options().write(true).open(path)?))));
        }
        if path.is_dir() {
            // Found now rather than when the complete file is to take its name.
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Sink::File(BufWriter::new(AtomicFile::create(path)?)))
    }

    /// Appends the line of one step.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&mut self, stats: &StepStats) -> Result<(), Failure> {
        let line = sph_io::stats_line(stats);
        let written = match &mut self.sink {
            Some(Sink::File(file)) => writeln!(file, "{line}"),
            Some(Sink::Stream(stream)) => writeln!(stream, "{line}"),
            None => return Ok(()),
        };
        self.lines += 1;
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
        let Self { path, sink, lines } = self;
        let finished = match sink {
            Some(Sink::File(file)) => file.into_inner().map_err(io::IntoInnerError::into_error).and_then(AtomicFile::finish),
            Some(Sink::Stream(mut stream)) => stream.flush(),
            None => return Ok(None),
        };
        finished.map_err(|error| Failure::output("the statistics", &path, &error))?;
        Ok(Some(format!("{} ({lines} steps)", path.display())))
    }
}
