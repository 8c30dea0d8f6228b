//! Checkpoints: a whole simulation in a file, from which it goes on to the bit.
//!
//! A file is a header with magic and version, an LZ4 frame, and a checksum of all bytes before it. In the frame are named
//! arrays ([`container`]): the files of the scene, its overrides, the parameters, the numbers of the state and every attribute of
//! the particles ([`state`]), each from its registry, so that the format carries on when attributes are added. [`packed`] keeps a
//! state alone, in memory.

mod container;
mod packed;
mod state;

pub use packed::PackedState;

use std::io;
use std::path::{Path, PathBuf};

use super::{AtomicFile, LinesSoFar, Override, Scene, SceneError, SourceFiles};
use crate::scene::parse_sources;
use container::{Array, Arrays};
use sph_core::{CancelFlag, PopulationError, State};

// A checkpoint: the scene, the state, and the memory of the outputs.

/// Prefix of the files of the scene.
const FILES: &str = "files/";

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
        let mut arrays = Arrays::default();
        let text = |text: &str| Array::Bytes(text.as_bytes().to_vec());
        arrays.put("scene.name", text(&scene.name));
        arrays.put("scene.text", text(&scene.text));
        if let Some(path) = &scene.path {
            arrays.put("scene.path", text(&path.to_string_lossy()));
        }
        for (number, change) in scene.overrides.iter().enumerate() {
            arrays.put(format!("overrides/{number:06}"), text(&format!("{}={}", change.path, change.value)));
        }
        for (path, contents) in scene.files.contents() {
            arrays.put(format!("{FILES}{}", path.to_string_lossy()), Array::Bytes(contents.to_vec()));
        }
        state::put(state, &mut arrays);
        arrays.put("outputs.averages", Array::Doubles(averages.clone()));
        arrays.put("outputs.stats", Array::Counts(vec![stats.count, stats.hash]));
        arrays.put("outputs.probes", Array::Counts(vec![probes.count, probes.hash]));
        let mut file = AtomicFile::create_output(path, &CancelFlag::default())?;
        container::write(&mut file, &arrays)?;
        file.finish()
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// The file cannot be read, is none of this program's checkpoints, is damaged, or has a scene that cannot be used.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        let mut arrays = container::read(path)?;
        let (name, text) = (arrays.text("scene.name")?, arrays.text("scene.text")?);
        let scene_path = arrays.take("scene.path").map(|array| as_text("scene.path", array)).transpose()?;
        let overrides = arrays.take_all("overrides/").into_iter().map(|(number, array)| {
            let text = as_text("overrides", array)?;
            text.parse::<Override>().map_err(|_| CheckpointError::of(&number, "is not an override"))
        });
        let overrides = overrides.collect::<Result<Vec<_>, _>>()?;
        let mut files = SourceFiles::default();
        for (path, array) in arrays.take_all(FILES) {
            let Array::Bytes(contents) = array else { return Err(CheckpointError::of(&path, "is not a file")) };
            files.hold(PathBuf::from(path), contents);
        }
        let scene_path = scene_path.map(PathBuf::from);
        let scene = parse_sources(&text, (&name, scene_path.as_deref()), &overrides, &mut files)
            .map_err(|error| CheckpointError::Scene(Box::new(error)))?;
        let state = state::take(&mut arrays, scene.setup.parameters)?;
        let Some(Array::Doubles(averages)) = arrays.take("outputs.averages") else {
            return Err(CheckpointError::of("outputs.averages", "is missing"));
        };
        let mut lines = |name: &str| match arrays.take(name) {
            Some(Array::Counts(values)) if values.len() == 2 => Ok(LinesSoFar { count: values[0], hash: values[1] }),
            _ => Err(CheckpointError::of(name, "is missing")),
        };
        let (stats, probes) = (lines("outputs.stats")?, lines("outputs.probes")?);
        arrays.finish()?;
        Ok(Self { scene, state, averages, stats, probes })
    }
}

fn as_text(name: &str, array: Array) -> Result<String, CheckpointError> {
    match array {
        Array::Bytes(bytes) => String::from_utf8(bytes).map_err(|_| CheckpointError::of(name, "is not text")),
        _ => Err(CheckpointError::of(name, "is not text")),
    }
}

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
    /// Fault of an array.
    fn of(name: &str, fault: &str) -> Self {
        Self::Contents(format!("`{name}` in it {fault}"))
    }
}
