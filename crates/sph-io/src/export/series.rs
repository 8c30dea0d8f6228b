//! Frames: the particles at one instant, one file each.

use super::kind::ExportKind;
use super::{csv, ply};
use crate::atomic_file::write_atomically;
use sph_core::Particles;
use std::io;
use std::path::{Path, PathBuf};

/// Writes the particles at `time` (s) as a file such as `frame_000123.ply` into the folder `dir`, which is created if it is missing.
///
/// Particles are written in the order of their ids: a line is the same particle in every frame. Returns the path of the file.
///
/// # Errors
/// The folder cannot be created or written to, or the disk is full. The frame's file is then absent.
pub fn write_frame(kind: ExportKind, dir: &Path, number: u64, time: f64, particles: &Particles) -> io::Result<PathBuf> {
    std::fs::create_dir_all(dir)?;
    let path = dir.join(format!("frame_{number:06}.{}", kind.name()));
    write_atomically(&path, |out| match kind {
        ExportKind::Ply => ply::write(out, time, particles),
        ExportKind::Csv => csv::write(out, time, particles),
    })?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::order::pair;

    #[test]
    fn frames_are_numbered_files_in_a_new_folder() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("out/frames");
        for kind in ExportKind::ALL {
            let path = write_frame(kind, &dir, 7, 0.5, &pair()).unwrap();
            assert_eq!(path, dir.join(format!("frame_000007.{}", kind.name())));
        }
        assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2);
        let file_in_the_way = dir.join("frame_000007.csv");
        assert!(write_frame(ExportKind::Csv, &file_in_the_way, 1, 0.0, &pair()).is_err());
    }
}
