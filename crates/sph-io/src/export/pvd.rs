//! Collection of frames with their times (`.pvd`), which ParaView opens as one animation.

use crate::atomic_file::write_atomically;
use crate::bounded_read::read_at_most;
use std::io;
use std::path::Path;

/// Most bytes of a collection that is read again: those of a million frames.
const MOST: u64 = 100_000_000;

/// Frames of a collection: number, time (s) and file name, in ascending order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Collection {
    frames: Vec<(u64, f64, String)>,
}

impl Collection {
    /// Frames before number `first` in the collection `path` of an earlier run that is being continued; none if it cannot be read.
    pub fn before(first: u64, path: &Path) -> Self {
        let mut collection = Self::default();
        let Ok(bytes) = read_at_most(path, MOST) else { return collection };
        for line in String::from_utf8_lossy(&bytes).lines() {
            let value = |key: &str| line.split_once(&format!("{key}=\""))?.1.split_once('"').map(|(value, _)| value);
            let Some((time, file)) = value("timestep").zip(value("file")) else { continue };
            let number = file.strip_prefix("frame_").and_then(|rest| rest.split_once('.')).map(|(digits, _)| digits.parse());
            if let (Ok(time), Some(Ok(number))) = (time.parse(), number)
                && number < first
                && path.with_file_name(file).is_file()
            {
                collection.frames.push((number, time, file.to_owned()));
            }
        }
        collection
    }

    /// Adds a frame, and replaces the file at `path`.
    ///
    /// # Errors
    /// It cannot be written; the old one is then still there.
    pub fn add(&mut self, path: &Path, number: u64, time: f64, file: String) -> io::Result<()> {
        self.frames.push((number, time, file));
        write_atomically(path, |out| {
            writeln!(
                out,
                "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">"
            )?;
            writeln!(out, "<Collection>")?;
            for (_, time, file) in &self.frames {
                writeln!(out, "<DataSet timestep=\"{time}\" group=\"\" part=\"0\" file=\"{file}\"/>")?;
            }
            write!(out, "</Collection>\n</VTKFile>\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_continued_run_keeps_the_frames_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fluid.pvd");
        let mut written = Collection::default();
        for (number, time) in [(0, 0.0), (1, 0.1), (2, 0.30000000000000004)] {
            let file = format!("frame_{number:06}.vtu");
            std::fs::write(folder.path().join(&file), "").unwrap();
            written.add(&path, number, time, file).unwrap();
        }
        assert_eq!(Collection::before(3, &path), written);
        assert_eq!(Collection::before(2, &path).frames, written.frames[..2]);
        assert_eq!(Collection::before(0, &path), Collection::default());
        std::fs::remove_file(folder.path().join("frame_000001.vtu")).unwrap();
        assert_eq!(Collection::before(2, &path).frames, written.frames[..1]);
        std::fs::write(&path, "<DataSet timestep=\"x\" file=\"../frame_000000.vtu\"/>\n\"").unwrap();
        assert_eq!(Collection::before(2, &path), Collection::default());
    }
}
