//! Reading of files whose size is bounded.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file, at most `most` + 1: a longer result shows that the file is too large. The size that the file system states can be
/// wrong.
pub(crate) fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
