//! Particles for other programs: one file a frame, complete or not there.

mod csv;
mod ply;

use crate::atomic_file::write_atomically;
use crate::scene::{list, nearest};
use sph_core::Particles;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Formats that particles can be exported in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportKind {
    /// Stanford PLY, binary little-endian: vertices with velocity, density, pressure and id. Blender, MeshLab, CloudCompare, ParaView.
    Ply,
    /// Comma-separated values with a line of column names. Spreadsheets, pandas, gnuplot.
    Csv,
}

/// A name that is no export format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no export format `{name}`: {expected}")]
pub struct UnknownExport {
    name: String,
    expected: String,
}

impl ExportKind {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Ply, Self::Csv];

    /// Name, and extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Csv => "csv",
        }
    }
}

impl FromStr for ExportKind {
    type Err = UnknownExport;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let expected = match nearest(name, names) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("expected {}", list(names)),
            };
            UnknownExport { name: name.to_owned(), expected }
        })
    }
}

/// Writes the particles at `time` (s) as `frame_000123.ply`, say, into the folder `dir`, which is made if it is missing.
///
/// Particles are written in the order of their ids: the same line is the same particle in every frame. Returns the file's path.
///
/// # Errors
/// The folder cannot be made or written to, or the disk is full; no file then has the frame's name.
pub fn write_frame(kind: ExportKind, dir: &Path, number: u64, time: f64, particles: &Particles) -> io::Result<PathBuf> {
    std::fs::create_dir_all(dir)?;
    let path = dir.join(format!("frame_{number:06}.{}", kind.name()));
    write_atomically(&path, |out| match kind {
        ExportKind::Ply => ply::write(out, time, particles),
        ExportKind::Csv => csv::write(out, time, particles),
    })?;
    Ok(path)
}

/// Indices of the particles in the order of their ids.
fn by_id(particles: &Particles) -> Vec<usize> {
    let mut order: Vec<usize> = (0..particles.len()).collect();
    order.sort_unstable_by_key(|&index| particles.ids[index]);
    order
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use glam::Vec3;

    /// Two particles, stored against the order of their ids.
    pub(crate) fn pair() -> Particles {
        Particles {
            positions: vec![Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.1, -0.5, 0.0)],
            velocities: vec![Vec3::X, Vec3::ZERO],
            densities: vec![1000.0, 998.5],
            pressures: vec![25.0, 0.0],
            ids: vec![1, 0],
        }
    }

    #[test]
    fn frames_are_numbered_files_in_a_folder_made_for_them() {
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

    #[test]
    fn formats_have_names() {
        assert_eq!("ply".parse(), Ok(ExportKind::Ply));
        let error = |name: &str| name.parse::<ExportKind>().unwrap_err().to_string();
        assert_eq!(error("cvs"), "there is no export format `cvs`: did you mean `csv`?");
        assert_eq!(error("alembic"), "there is no export format `alembic`: expected `ply` or `csv`");
    }
}
