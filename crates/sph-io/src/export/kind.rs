//! Kinds of exports, and the formats of particles.

use crate::scene::{list, nearest};
use std::str::FromStr;

/// Kinds of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportKind {
    /// Particles, a file for each frame.
    Particles(ParticleFormat),
    /// Surfaces of the fluid as triangle meshes, a file for each frame.
    Surface,
    /// Shapes and motion of the bodies as an animated scene, a file for all frames.
    Gltf,
}

/// Formats of particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParticleFormat {
    /// Stanford PLY, binary little-endian: vertices with velocity, density, pressure and id. Blender, MeshLab, CloudCompare, ParaView.
    Ply,
    /// Comma-separated values with a line of column names. Spreadsheets, pandas, gnuplot.
    Csv,
    /// VTK XML unstructured grid with a collection of the frames. ParaView, VisIt, PyVista, meshio.
    Vtk,
    /// NumPy arrays in an archive. Python.
    Npz,
    /// Houdini's classic geometry, as Partio and SPlisHSPlasH write it. Houdini, splashsurf.
    Bgeo,
}

/// Name of an unknown kind of export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no export format `{name}`: {expected}")]
pub struct UnknownExport {
    name: String,
    expected: String,
}

impl ParticleFormat {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Ply, Self::Csv, Self::Vtk, Self::Npz, Self::Bgeo];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Csv => "csv",
            Self::Vtk => "vtk",
            Self::Npz => "npz",
            Self::Bgeo => "bgeo",
        }
    }

    /// Extension of its frames.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Vtk => "vtu",
            Self::Ply | Self::Csv | Self::Npz | Self::Bgeo => self.name(),
        }
    }
}

impl ExportKind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        ParticleFormat::ALL.into_iter().map(Self::Particles).chain([Self::Surface, Self::Gltf])
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Particles(format) => format.name(),
            Self::Surface => "surface",
            Self::Gltf => "gltf",
        }
    }
}

impl FromStr for ExportKind {
    type Err = UnknownExport;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::all().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = || Self::all().map(Self::name);
            let expected = match nearest(name, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("expected {}", list(names())),
            };
            UnknownExport { name: name.to_owned(), expected }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_names() {
        assert_eq!("ply".parse(), Ok(ExportKind::Particles(ParticleFormat::Ply)));
        let error = |name: &str| name.parse::<ExportKind>().unwrap_err().to_string();
        assert_eq!(error("cvs"), "there is no export format `cvs`: did you mean `csv`?");
        assert_eq!(
            error("alembic"),
            "there is no export format `alembic`: expected `ply`, `csv`, `vtk`, `npz`, `bgeo`, `surface` or `gltf`"
        );
    }
}
