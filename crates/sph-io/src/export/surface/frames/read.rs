//! Reading of frames from an earlier export.

use super::frame::ParticleFrame;
use super::{npz, ply, vtu};
use crate::bounded_read::read_at_most;
use crate::frame_files::FrameFiles;
use crate::scene::{available_memory, list};
use std::io;
use std::path::{Path, PathBuf};

/// Formats that are read back, by their extensions; the first that is found in a folder is taken.
const READABLE: [&str; 3] = ["npz", "vtu", "ply"];

impl ParticleFrame {
    /// Reads the frame at `path`, in a format that the extension tells.
    ///
    /// # Errors
    /// The file cannot be read, is larger than the memory that is available, or is no frame of an export.
    pub fn read(path: &Path) -> io::Result<Self> {
        let most = available_memory().unwrap_or(u64::MAX >> 1);
        let bytes = read_at_most(path, most)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than the memory that is available"));
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let frame = match extension {
            "npz" => npz::parse(&bytes),
            "vtu" => vtu::parse(&bytes),
            "ply" => ply::parse(&bytes),
            _ => Err(format!("frames are read from {}", list(READABLE))),
        };
        let check = |frame: Self| {
            let count = frame.positions.len();
            let fits = [frame.velocities.len(), frame.fluids.len()].iter().all(|&length| length == 0 || length == count);
            if fits { Ok(frame) } else { Err("its attributes have different lengths".to_owned()) }
        };
        frame.and_then(check).map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))
    }
}

/// Frames of an export in `folder`, by ascending number: those of the first format that is there.
///
/// # Errors
/// The folder cannot be read, or has no frames.
pub fn exported_frames(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    for extension in READABLE {
        let files = FrameFiles::new(folder, extension);
        let number = |entry: &std::fs::DirEntry| files.number(entry.file_name().to_str()?);
        let mut frames: Vec<_> = entries.iter().filter_map(|entry| Some((number(entry)?, entry.path()))).collect();
        if !frames.is_empty() {
            frames.sort();
            return Ok(frames);
        }
    }
    let expected = format!("expected files such as frame_000000 with the extension {}", list(READABLE));
    Err(io::Error::new(io::ErrorKind::NotFound, format!("there are no frames of an export in it: {expected}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::points::{bytes_of, pair};
    use crate::export::{npz as npz_writer, ply as ply_writer, vtu as vtu_writer};
    use glam::Vec3;
    use proptest::prelude::*;
    use sph_core::Particles;

    fn written() -> [Vec<u8>; 3] {
        let particles = Particles { fluids: vec![2, 0], ..pair() };
        [
            bytes_of(npz_writer::write, &particles),
            bytes_of(vtu_writer::write, &particles),
            bytes_of(ply_writer::write, &particles),
        ]
    }

    fn parse(format: usize, bytes: &[u8]) -> Result<ParticleFrame, String> {
        [npz::parse, vtu::parse, ply::parse][format](bytes)
    }

    #[test]
    fn frames_are_read_as_they_were_written() {
        let expected = ParticleFrame {
            time: 0.25,
            positions: vec![Vec3::new(0.1, -0.5, 0.0), Vec3::new(1.0, 2.0, 3.0)],
            velocities: vec![Vec3::ZERO, Vec3::X],
            fluids: vec![0, 2],
        };
        for (format, bytes) in written().iter().enumerate() {
            assert_eq!(parse(format, bytes).as_ref(), Ok(&expected), "{}", READABLE[format]);
        }
        assert_eq!(expected.fluid_numbers(), [Some(0), Some(2)]);
        assert_eq!(ParticleFrame::default().fluid_numbers(), [None]);
        let flat = ParticleFrame { positions: vec![Vec3::ZERO, Vec3::X], ..ParticleFrame::default() };
        assert_eq!(
            [&expected, &flat, &ParticleFrame::default(), &expected.of_fluid(0)].map(ParticleFrame::is_flat),
            [false, true, false, false]
        );
        assert_eq!(expected.of_fluid(2).positions, [Vec3::new(1.0, 2.0, 3.0)]);
        assert_eq!(expected.of_fluid(1).positions, []);
    }

    #[test]
    fn a_folder_has_frames_of_one_format() {
        let folder = tempfile::tempdir().unwrap();
        assert!(exported_frames(folder.path()).unwrap_err().to_string().contains("`npz`, `vtu` or `ply`"));
        for name in ["frame_000010.ply", "frame_000002.ply", "frame_000001.csv", "fluid.pvd"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let numbers = |folder| exported_frames(folder).unwrap().into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        assert_eq!(numbers(folder.path()), [2, 10]);
        std::fs::write(folder.path().join("frame_000007.npz"), "").unwrap();
        assert_eq!(numbers(folder.path()), [7]);
    }

    proptest! {
        #[test]
        fn damaged_frames_are_refused_or_read(format in 0..3usize, cut in 0..1200usize, at in 0..1200usize, value: u8) {
            let mut bytes = written()[format].clone();
            bytes.truncate(cut);
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
            if let Ok(frame) = parse(format, &bytes) {
                prop_assert!(frame.positions.len() <= 2);
            }
        }
    }
}
