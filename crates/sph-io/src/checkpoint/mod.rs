//! Checkpoints: a whole simulation in a file, from which it goes on to the bit.
//!
//! A file is a header with magic and version, an LZ4 frame, and a checksum of all bytes before it ([`container`]). In the frame
//! are the scene with its files and overrides, the memory of the outputs, and the state ([`state`]), every attribute of the particles as
//! raw bytes and all else by serde. A file of another version is refused. [`packed`] keeps a state alone, in memory.

mod container;
mod packed;
mod state;

pub use packed::PackedState;

use std::io;
use std::path::{Path, PathBuf};

use super::{AtomicFile, LinesSoFar, Override, Scene, SceneError, SourceFiles};
use crate::scene::parse_sources;
use container::{read_column, read_text, read_value, write_column, write_value};
use serde::{Deserialize, Serialize};
use sph_core::{CancelFlag, PopulationError, State};

// A checkpoint: the scene, the state, and the memory of the outputs.

/// A simulation at one moment, with all that is needed to go on: no other file is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The scene.
    pub scene: Scene,
    /// The state.
    pub state: State,
    /// Memory of the probes' averages; see [`Instruments::memory`](sph_core::probes::Instruments::memory).
    pub averages: Vec<f64>,
    /// Lines of the statistics so far.
    pub stats: LinesSoFar,
    /// Rows of the probes so far.
    pub probes: LinesSoFar,
}

impl Checkpoint {
    /// Writes the file at `path`, atomically.
    ///
    /// # Errors
    /// It cannot be written; an older file of the same name is then still there.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let Self { scene, state, averages, stats, probes } = self;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let head = Head {
            name: scene.name.clone(),
            path: scene.path.as_deref().map(text),
            overrides: scene.overrides.iter().map(|change| format!("{}={}", change.path, change.value)).collect(),
            files: scene.files.contents().map(|(path, _)| text(path)).collect(),
            averages: averages.clone(),
            stats: *stats,
            probes: *probes,
        };
        let mut file = AtomicFile::create_output(path, &CancelFlag::default())?;
        container::write(&mut file, |out| {
            write_value(out, &head)?;
            write_column(out, scene.text.as_bytes())?;
            scene.files.contents().try_for_each(|(_, contents)| write_column(out, &contents))?;
            state::write(state, out)
        })?;
        file.finish()
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// The file cannot be read, is not a checkpoint of this program, is damaged, or has a scene that cannot be used.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        container::read(path, |input| {
            let Head { name, path, overrides, files, averages, stats, probes } = read_value(input, "scene")?;
            let text = read_text(input, "scene.text")?;
            let overrides = overrides
                .iter()
                .map(|change| change.parse::<Override>().map_err(|_| CheckpointError::of(change, "is not an override")));
            let overrides = overrides.collect::<Result<Vec<_>, _>>()?;
            let mut sources = SourceFiles::default();
            for path in files {
                let contents = read_column(input, &path)?;
                sources.hold(PathBuf::from(path), contents);
            }
            let state = state::read(input)?;
            let scene = parse_sources(&text, (&name, path.as_deref().map(Path::new)), &overrides, &mut sources)
                .map_err(|error| CheckpointError::Scene(Box::new(error)))?;
            Ok(Self { scene, state, averages, stats, probes })
        })
    }
}

/// What stands first in a file: all but texts, files and state.
#[derive(Serialize, Deserialize)]
struct Head {
    name: String,
    path: Option<String>,
    overrides: Vec<String>,
    /// Paths of the files of the scene.
    files: Vec<String>,
    averages: Vec<f64>,
    stats: LinesSoFar,
    probes: LinesSoFar,
}

// Reasons why a checkpoint cannot be used.

/// Reason why a checkpoint cannot be read or resumed.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file is of another kind.
    #[error("it is not a checkpoint")]
    Foreign,
    /// The file is of another version of the format.
    #[error("it has version {found} of the format, but this program reads version {known}")]
    Version {
        /// Version of the file.
        found: u32,
        /// Version that this program reads.
        known: u32,
    },
    /// The checksum does not fit the bytes.
    #[error("it is damaged or incomplete: its checksum is wrong")]
    Damaged,
    /// The contents do not make sense.
    #[error("{0}")]
    Contents(String),
    /// The scene in it cannot be used.
    #[error("the scene in it cannot be used: {}", .0.summary())]
    Scene(Box<SceneError>),
    /// The state in it cannot be resumed.
    #[error("the state in it cannot be resumed: {0}")]
    State(#[from] PopulationError),
}

impl CheckpointError {
    /// Fault of a part of the contents.
    fn of(name: &str, fault: &str) -> Self {
        Self::Contents(format!("`{name}` in it {fault}"))
    }
}
