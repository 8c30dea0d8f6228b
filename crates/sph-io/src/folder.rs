//! Folders for outputs, and the numbered frames of a run in them.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file::remove_abandoned;

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

/// Files of numbered frames with one extension in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameFiles {
    folder: PathBuf,
    extension: String,
}

impl FrameFiles {
    /// Files `frame_….EXTENSION` in `folder`.
    pub fn new(folder: &Path, extension: &str) -> Self {
        Self { folder: folder.to_owned(), extension: extension.to_owned() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The same files in another folder.
    pub fn in_folder(self, folder: PathBuf) -> Self {
        Self { folder, ..self }
    }

    /// Number of the frame that a file of this name is; `None` for other files.
    pub fn number(&self, name: &str) -> Option<u64> {
        let digits = name.strip_prefix("frame_")?.strip_suffix(&self.extension)?.strip_suffix('.')?;
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    }

    /// Removes partial files of frames that a killed program has left behind. What cannot be removed stays.
    pub fn remove_abandoned(&self) {
        remove_abandoned(&self.folder, |name| name.to_str().is_some_and(|name| self.number(name).is_some()));
    }

    /// Removes the frames after number `last`, which are of an earlier run. Returns how many there were.
    ///
    /// # Errors
    /// A frame cannot be removed.
    pub fn remove_after(&self, last: u64) -> io::Result<u64> {
        let mut removed = 0;
        for entry in std::fs::read_dir(&self.folder)? {
            let entry = entry?;
            let number = entry.file_name().to_str().and_then(|name| self.number(name));
            if number.is_some_and(|number| number > last) && entry.file_type()?.is_file() {
                std::fs::remove_file(entry.path())?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_later_frames_of_the_kind_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let names =
            ["frame_000001.ply", "frame_000002.ply", "frame_1000000.ply", "frame_000003.csv", "frame_x.ply", "frame_.ply"];
        for name in names {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        assert_eq!(FrameFiles::new(folder.path(), "ply").remove_after(1).unwrap(), 2);
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["frame_.ply", "frame_000001.ply", "frame_000003.csv", "frame_x.ply"]);
    }
}
