//! Bytes of mesh files.

use crate::SourceFiles;
use std::path::Path;
use std::sync::Arc;

/// Maximum size of a mesh file, bytes.
pub(crate) const MAX_FILE_BYTES: u64 = 256 << 20;

/// The bytes of a file that is not too large, which is added to `files`, or its fault.
pub(super) fn bytes_of(path: &Path, files: &mut SourceFiles) -> Result<Arc<[u8]>, String> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err("is not a regular file".to_owned());
    }
    let bytes = files.read(path, MAX_FILE_BYTES).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("is larger than {} MiB", MAX_FILE_BYTES >> 20));
    }
    Ok(bytes)
}
