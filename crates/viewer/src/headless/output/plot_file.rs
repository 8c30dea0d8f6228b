//! The file of `--plot` or `--curves`.

use crate::headless::Failure;
use crate::headless::simulate::Interrupt;
use sph_io::AtomicFile;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// An optional plot, written at the end but opened at the beginning, so that an unwritable path is reported before the
/// measurements and not after them.
pub struct PlotFile(Option<(PathBuf, AtomicFile)>);

impl PlotFile {
    /// Creates the folder of `path` if missing, and opens the file.
    ///
    /// # Errors
    /// If the file cannot be written there.
    pub fn create(path: Option<&Path>, interrupt: Interrupt) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(None)) };
        let file = AtomicFile::create_output(path, &interrupt.cancel_flag());
        let file = file.map_err(|error| Failure::output("the plot", path, &error))?;
        Ok(Self(Some((path.to_owned(), file))))
    }

    /// Writes the picture and completes the file; returns its path, if there is one.
    ///
    /// # Errors
    /// If it cannot be written; an existing file of that name is then unchanged.
    pub fn finish(self, svg: impl FnOnce() -> String) -> Result<Option<PathBuf>, Failure> {
        let Some((path, mut file)) = self.0 else { return Ok(None) };
        let written = file.write_all(svg().as_bytes()).and_then(|()| file.finish());
        written.map_err(|error| Failure::output("the plot", &path, &error))?;
        Ok(Some(path))
    }
}
