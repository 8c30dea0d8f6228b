//! Files that a scene is read from.

use crate::bounded_read::read_at_most;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that a scene is read from, with their contents: its own, and those that it names.
///
/// Whatever reads a file for a scene reads it through `SourceFiles::read`, so that no output replaces an input, and so that
/// a checkpoint can hold them all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFiles {
    contents: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Files that could not be read.
    unread: BTreeSet<PathBuf>,
}

impl SourceFiles {
    /// Paths of the files, as they were opened.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.contents.keys().map(PathBuf::as_path)
    }

    /// Paths and contents of the files.
    pub fn contents(&self) -> impl Iterator<Item = (&Path, Arc<[u8]>)> {
        self.contents.iter().map(|(path, contents)| (path.as_path(), contents.clone()))
    }

    /// Paths of files that were looked for and could not be read.
    pub fn unread(&self) -> impl Iterator<Item = &Path> {
        self.unread.iter().map(PathBuf::as_path)
    }

    /// Adds a file with its contents, which is not read any more.
    pub(crate) fn hold(&mut self, path: PathBuf, contents: Vec<u8>) {
        self.contents.insert(path, contents.into());
    }

    /// The bytes of a file, at most `most` + 1: a longer result shows that it is too large. A file is read once.
    ///
    /// # Errors
    /// The file cannot be read, is no regular file, or does not end.
    pub(crate) fn read(&mut self, path: &Path, most: u64) -> io::Result<Arc<[u8]>> {
        if let Some(contents) = self.contents.get(path) {
            return Ok(contents.clone());
        }
        let result = read_regular(path, most);
        match &result {
            Ok(contents) => _ = self.contents.insert(path.to_owned(), contents.clone()),
            Err(_) => _ = self.unread.insert(path.to_owned()),
        }
        result
    }
}

fn read_regular(path: &Path, most: u64) -> io::Result<Arc<[u8]>> {
    // Reading from a pipe that nobody writes to would never end.
    if path.metadata()?.is_file() {
        Ok(read_at_most(path, most)?.into())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}
