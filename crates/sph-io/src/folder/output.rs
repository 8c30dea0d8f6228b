//! Folders for outputs.

use std::io;
use std::path::Path;

/// Creates `folder` and its parents where they do not exist.
///
/// # Errors
/// A folder cannot be created, or a file has its name.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| match error.kind() {
        // The system's message, "File exists", would mislead: a folder was asked for.
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}
