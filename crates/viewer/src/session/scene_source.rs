//! Sources of scenes.

use super::{Notice, Subject};
use sph_io::{Override, Scene};
use std::path::PathBuf;

/// Source of a scene.
#[derive(Clone, Debug)]
pub enum SceneSource {
    /// A scene file, with values that replace its own.
    File(PathBuf, Vec<Override>),
    /// A scene built into the program: its name and its text, with values that replace its own.
    Text(&'static str, &'static str, Vec<Override>),
}

impl SceneSource {
    pub(super) fn read(&self) -> Result<Scene, Notice> {
        let (name, result) = match self {
            Self::File(path, overrides) => (path.display().to_string(), sph_io::load(path, overrides)),
            Self::Text(name, text, overrides) => ((*name).to_owned(), sph_io::parse(text, name, overrides)),
        };
        let unusable = |error: sph_io::SceneError| Notice::error(format!("Cannot load {name}"), error.report(false));
        result.map_err(|error| unusable(error).laid_out().about(Subject::Scene))
    }
}
