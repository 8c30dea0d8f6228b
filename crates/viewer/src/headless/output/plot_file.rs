//! The file that `--plot` or `--curves` names.

use crate::headless::Failure;
use sph_io::AtomicFile;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A picture to be written at the end, if one was asked for. Made at the beginning, so that a place where nothing can be written is found out
/// before the measurements rather than after them.
pub struct PlotFile(Option<(PathBuf, AtomicFile)>);

impl PlotFile {
    /// Makes the folder of `path` where it does not exist, and begins the file.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub fn create(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self(None)) };
        let file = path.parent().map_or(Ok(()), sph_io::make_folder).and_then(|()| AtomicFile::create(path));
        let file = file.map_err(|error| Failure::output("the plot", path, &error))?;
        Ok(Self(Some((path.to_owned(), file))))
    }

    /// Writes the picture and completes the file; its name, if there is one.
    ///
    /// # Errors
    /// It cannot be written; then nothing is under its name that was not there before.
    pub fn finish(self, svg: impl FnOnce() -> String) -> Result<Option<PathBuf>, Failure> {
        let Some((path, mut file)) = self.0 else { return Ok(None) };
        let written = file.write_all(svg().as_bytes()).and_then(|()| file.finish());
        written.map_err(|error| Failure::output("the plot", &path, &error))?;
        Ok(Some(path))
    }
}
