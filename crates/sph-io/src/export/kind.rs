//! Export formats.

use crate::scene::{list, nearest};
use std::str::FromStr;

/// Export formats of particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportKind {
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

/// Name of an unknown export format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no export format `{name}`: {expected}")]
pub struct UnknownExport {
    name: String,
    expected: String,
}

impl ExportKind {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names() {
        assert_eq!("ply".parse(), Ok(ExportKind::Ply));
        let error = |name: &str| name.parse::<ExportKind>().unwrap_err().to_string();
        assert_eq!(error("cvs"), "there is no export format `cvs`: did you mean `csv`?");
        assert_eq!(error("alembic"), "there is no export format `alembic`: expected `ply`, `csv`, `vtk`, `npz` or `bgeo`");
    }
}
