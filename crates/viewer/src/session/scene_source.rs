//! Sources of scenes.

use super::{Notice, Subject};
use sph_core::State;
use sph_io::{Checkpoint, Override, Scene, SourceFiles};
use std::path::PathBuf;

/// Source of a scene.
#[derive(Clone, Debug)]
pub enum SceneSource {
    /// A scene file, with values that replace its own.
    File(PathBuf, Vec<Override>),
    /// A scene built into the program: its name and its text, with values that replace its own.
    Text(&'static str, &'static str, Vec<Override>),
    /// A checkpoint: a scene in a later state.
    Checkpoint(PathBuf),
}

/// Extension of checkpoints.
pub const CHECKPOINT: &str = "checkpoint";

impl SceneSource {
    /// The file at `path`: a scene, or a checkpoint.
    pub fn at(path: PathBuf) -> Self {
        if path.extension().is_some_and(|extension| extension == CHECKPOINT) {
            Self::Checkpoint(path)
        } else {
            Self::File(path, Vec::new())
        }
    }

    /// The scene, and the state in which it is; `None` for its start. Files that are read or looked for are added to `files`, with or
    /// without an error.
    pub(super) fn read(&self, files: &mut SourceFiles) -> Result<(Scene, Option<State>), Notice> {
        let (name, result) = match self {
            Self::Checkpoint(path) => {
                return match Checkpoint::load(path) {
                    Ok(Checkpoint { scene, state, .. }) => Ok((scene, Some(state))),
                    Err(error) => {
                        let title = format!("Cannot open the state {}", path.display());
                        Err(Notice::error(title, error.to_string()).about(Subject::Scene))
                    }
                };
            }
            Self::File(path, overrides) => (path.display().to_string(), sph_io::load_from(path, overrides, files)),
            Self::Text(name, text, overrides) => ((*name).to_owned(), sph_io::parse(text, name, overrides)),
        };
        let unusable = |error: sph_io::SceneError| Notice::error(format!("Cannot load {name}"), error.report(false));
        let scene = result.map_err(|error| unusable(error).laid_out().about(Subject::Scene))?;
        Ok((scene, None))
    }
}
