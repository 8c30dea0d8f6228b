//! Exports for other programs: particles, the surfaces around them, cloth, balls and bodies. A file is complete or absent.

mod bodies;
mod cloth;
mod npz;
mod row_formats;
mod series;
mod vtk;

pub mod surface;

pub use bodies::BodiesFile;
pub use cloth::ClothSeries;
pub use series::{FrameExport, Series};

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::words::{list, nearest};
use sph_core::{Particles, View};

// Kinds of exports, and the formats of particles.

/// Kinds of exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExportKind {
    /// Particles, a file for each frame.
    Particles(ParticleFormat),
    /// Surfaces of the fluid as triangle meshes, a file for each frame.
    Surface,
    /// Sheets of cloth as triangle meshes, a file for each frame.
    Cloth,
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
        ParticleFormat::ALL.into_iter().map(Self::Particles).chain([Self::Surface, Self::Cloth, Self::Gltf])
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Particles(format) => format.name(),
            Self::Surface => "surface",
            Self::Cloth => "cloth",
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

/// Part of a scene whose particles have files of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Fluid particles.
    Fluid,
    /// Boundary particles of containers.
    Walls,
    /// Boundary particles of bodies.
    Bodies,
    /// Points beside the fluid: vertices of cloth, and balls with their radii.
    Points,
}

/// Name of an unknown part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a scene has no part called `{name}`: {expected}")]
pub struct UnknownPart {
    name: String,
    expected: String,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 4] = [Self::Fluid, Self::Walls, Self::Bodies, Self::Points];

    /// Name on the command line, of the folder and of the series.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Walls => "walls",
            Self::Bodies => "bodies",
            Self::Points => "points",
        }
    }

    /// Reason for which `view` has no particles of this part and never will; `None` otherwise.
    pub fn missing(self, view: &View<'_>) -> Option<&'static str> {
        let of_bodies: usize = view.bodies.iter().map(|body| body.boundary_particles().len()).sum();
        match self {
            Self::Walls if view.walls.len() - view.boundary_of_points == of_bodies => {
                Some("the scene has no walls of particles")
            }
            Self::Bodies if of_bodies == 0 => Some("the scene has no bodies"),
            Self::Points if view.sets.is_empty() => Some("the scene has no cloths and no balls"),
            _ => None,
        }
    }

    /// Folder of its frames in an export to `dir`: `dir` itself for the fluid.
    pub fn folder(self, dir: &Path) -> PathBuf {
        match self {
            Self::Fluid => dir.to_owned(),
            Self::Walls | Self::Bodies | Self::Points => dir.join(self.name()),
        }
    }
}

impl FromStr for Part {
    type Err = UnknownPart;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|part| part.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let expected = match nearest(name, names) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("expected {}", list(names)),
            };
            UnknownPart { name: name.to_owned(), expected }
        })
    }
}

// Attributes that exports write: those chosen by name, or the usual ones.

/// Attributes of boundary particles and points that the fluid has not.
const OF_OTHERS: [&str; 4] = ["volume", "body", "radius", "set"];

/// Attributes to be written beside the position, which every file has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// Their names; `None` for all that have columns in the registry.
    chosen: Option<Vec<String>>,
}

/// Name of an unknown attribute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no attribute `{name}`: {expected}")]
pub struct UnknownAttribute {
    name: String,
    expected: String,
}

impl Attributes {
    /// True if the attribute `name` is to be written; `usual` if it is written when none is chosen.
    fn contain(&self, name: &str, usual: bool) -> bool {
        self.chosen.as_ref().map_or(usual, |chosen| chosen.iter().any(|other| other == name))
    }
}

/// Parses names with commas between them.
impl FromStr for Attributes {
    type Err = UnknownAttribute;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = || Particles::ATTRIBUTES.iter().map(|attribute| attribute.singular).chain(OF_OTHERS);
        let parse = |name: &str| {
            if known().any(|other| other == name) {
                return Ok(name.to_owned());
            }
            let expected = match nearest(name, known()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("expected {}", list(known())),
            };
            Err(UnknownAttribute { name: name.to_owned(), expected })
        };
        Ok(Self { chosen: Some(text.split(',').map(|name| parse(name.trim())).collect::<Result<_, _>>()?) })
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
            "there is no export format `alembic`: expected `ply`, `csv`, `vtk`, `npz`, `bgeo`, `surface`, `cloth` or `gltf`"
        );
    }

    #[test]
    fn parts_have_names_and_folders() {
        assert_eq!("bodies".parse(), Ok(Part::Bodies));
        let error = |name: &str| name.parse::<Part>().unwrap_err().to_string();
        assert_eq!(error("body"), "a scene has no part called `body`: expected `fluid`, `walls`, `bodies` or `points`");
        assert_eq!(error("wals"), "a scene has no part called `wals`: did you mean `walls`?");
        assert_eq!(Part::Fluid.folder(Path::new("out")), Path::new("out"));
        assert_eq!(Part::Walls.folder(Path::new("out")), Path::new("out/walls"));
    }

    #[test]
    fn names_are_those_of_the_registry() {
        let chosen: Attributes = "velocity, spin,body".parse().unwrap();
        assert!(chosen.contain("velocity", false) && chosen.contain("body", false) && !chosen.contain("density", true));
        assert!(Attributes::default().contain("density", true) && !Attributes::default().contain("spin", false));
        let error = |text: &str| text.parse::<Attributes>().unwrap_err().to_string();
        assert_eq!(error("id,velocities"), "there is no attribute `velocities`: did you mean `velocity`?");
        assert!(
            error("temperature").starts_with("there is no attribute `temperature`: expected `position`, `rounding_error`, ")
        );
        assert!(error("").contains("expected"));
    }
}
