//! Scene files that are there already, and may hold somebody's work.

use crate::headless::Failure;
use std::path::Path;

/// True if there is a file at `path` that may be replaced.
///
/// # Errors
/// If there is one that may not.
pub(super) fn refuse_existing(path: &Path, overwrite: bool) -> Result<bool, Failure> {
    // A link that leads nowhere is a file too, which would be replaced.
    let exists = path != Path::new("-") && path.symlink_metadata().is_ok();
    if exists && !overwrite {
        let message = format!("{} exists already: name another file, or replace it with --overwrite", path.display());
        return Err(Failure::Input(message));
    }
    Ok(exists)
}
