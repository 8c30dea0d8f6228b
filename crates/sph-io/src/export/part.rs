//! Parts of a scene that are exported apart.

use crate::scene::{list, nearest};
use sph_core::View;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Part of a scene whose particles have files of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Fluid particles.
    Fluid,
    /// Boundary particles of containers.
    Walls,
    /// Boundary particles of bodies.
    Bodies,
}

/// Name of an unknown part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no part of a scene is called `{name}`: {expected}")]
pub struct UnknownPart {
    name: String,
    expected: String,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 3] = [Self::Fluid, Self::Walls, Self::Bodies];

    /// Name on the command line, of the folder and of the series.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fluid => "fluid",
            Self::Walls => "walls",
            Self::Bodies => "bodies",
        }
    }

    /// Reason for which `view` has no particles of this part and never will; `None` otherwise.
    pub fn missing(self, view: &View<'_>) -> Option<&'static str> {
        let of_bodies: usize = view.bodies.iter().map(|body| body.boundary_particles().len()).sum();
        match self {
            Self::Walls if view.walls.len() == of_bodies => Some("the scene has no walls of particles"),
            Self::Bodies if of_bodies == 0 => Some("the scene has no bodies"),
            _ => None,
        }
    }

    /// Folder of its frames in an export to `dir`: `dir` itself for the fluid.
    pub fn folder(self, dir: &Path) -> PathBuf {
        match self {
            Self::Fluid => dir.to_owned(),
            Self::Walls | Self::Bodies => dir.join(self.name()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names_and_folders() {
        assert_eq!("bodies".parse(), Ok(Part::Bodies));
        let error = |name: &str| name.parse::<Part>().unwrap_err().to_string();
        assert_eq!(error("body"), "no part of a scene is called `body`: expected `fluid`, `walls` or `bodies`");
        assert_eq!(error("wals"), "no part of a scene is called `wals`: did you mean `walls`?");
        assert_eq!(Part::Fluid.folder(Path::new("out")), Path::new("out"));
        assert_eq!(Part::Walls.folder(Path::new("out")), Path::new("out/walls"));
    }
}
