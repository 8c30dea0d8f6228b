//! A checkpoint: the scene, the state, and the memory of the outputs.

use super::array::{Array, Arrays};
use super::error::CheckpointError;
use super::{container, state};
use crate::scene::parse_sources;
use crate::{AtomicFile, LinesSoFar, Override, Scene, SourceFiles};
use sph_core::{CancelFlag, State};
use std::io;
use std::path::{Path, PathBuf};

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
            text.parse::<Override>().map_err(|_| CheckpointError::of(&number, "is no override"))
        });
        let overrides = overrides.collect::<Result<Vec<_>, _>>()?;
        let mut files = SourceFiles::default();
        for (path, array) in arrays.take_all(FILES) {
            let Array::Bytes(contents) = array else { return Err(CheckpointError::of(&path, "is no file")) };
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
