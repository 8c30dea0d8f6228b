//! Folders for outputs.

use std::io;
use std::path::Path;

/// Makes `folder` and those above it where they do not exist.
///
/// # Errors
/// One cannot be made, or the name is taken by something else.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| match error.kind() {
        // The system's own words, "File exists", would puzzle whoever asked for a folder.
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}
