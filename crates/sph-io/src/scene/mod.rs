//! Scene files: from text to a [`Setup`] that can be simulated, or to an error that says where and what.
//!
//! In order: read the text, parse it into a [`document`] with the place of every value, lay the overrides over it,
//! check its form against the [`schema`], read it into the types of [`tables`], [`convert`] them, and see whether
//! the result makes [`sense`].

mod convert;
mod document;
mod error;
mod parameters;
mod save;
mod schema;
mod sense;
mod tables;

pub use document::{Override, OverrideError};
pub use error::{SceneError, nearest};
pub use save::{SaveError, save_parameters};
pub use schema::json_schema;
pub use tables::NamedProbe;

pub(crate) use error::list;

use document::Document;
use glam::Vec3;
use sph_core::Setup;
use std::path::{Path, PathBuf};

/// A scene, checked and complete: everything that a simulation and a first look at it need.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Short name: the file's, without its extension.
    pub name: String,
    /// The file that it was loaded from.
    pub path: Option<PathBuf>,
    /// Name shown to people.
    pub title: String,
    /// What it shows, in a sentence or two; may be empty.
    pub description: String,
    /// What the simulation is made from; it is valid.
    pub setup: Setup,
    /// Simulated time after which a run without a window ends, s.
    pub duration: f64,
    /// How the scene is first looked at.
    pub view: View,
    /// The instruments.
    pub probes: Vec<NamedProbe>,
}

/// How a scene is first looked at. What is `None` is for the viewer to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Where the camera is, m.
    pub eye: Option<Vec3>,
    /// Point that it looks at, m.
    pub target: Option<Vec3>,
    /// What the particles' colours show.
    pub color: ColorField,
}

/// Quantities of a particle that its colour can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorField {
    /// Speed.
    #[default]
    Speed,
    /// Density.
    Density,
    /// Pressure.
    Pressure,
}

impl ColorField {
    /// Every quantity.
    pub const ALL: [Self; 3] = [Self::Speed, Self::Density, Self::Pressure];

    /// Name as scene files spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Density => "density",
            Self::Pressure => "pressure",
        }
    }
}

/// Loads the scene file at `path`, its values replaced by `overrides`, in order.
///
/// # Errors
/// A file that cannot be read, is not TOML, does not have the form of a scene, or describes what cannot be simulated on this
/// machine. No particle is made before that is known.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Scene, SceneError> {
    let text = document::read(path)?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let scene = parse_named(&text, &path.display().to_string(), &name, overrides, path.parent())?;
    Ok(Scene { path: Some(path.to_owned()), ..scene })
}

/// Parses the text of a scene that is called `name` in messages.
///
/// # Errors
/// As [`load`], reading apart.
///
/// ```
/// let text = "
///     format = 1
///     particles.spacing = 0.1
///     [[fluid.blocks]]
///     min = [0, 0, 0]
///     max = [1, 1, 1]
/// ";
/// let scene = sph_io::parse(text, "cube", &[])?;
/// assert_eq!(scene.setup.particle_counts().fluid, 1000);
///
/// let error = sph_io::parse(&text.replace("spacing", "spaceing"), "cube", &[]).unwrap_err();
/// assert_eq!(error.summary(), "cube:3:15: unknown key `spaceing` in `particles`: did you mean `spacing`?");
/// # Ok::<(), sph_io::SceneError>(())
/// ```
pub fn parse(text: &str, name: &str, overrides: &[Override]) -> Result<Scene, SceneError> {
    parse_named(text, name, name, overrides, None)
}

/// Parses `text`, which messages call `origin`. Files that it names are looked for in `folder`, where there is one.
fn parse_named(
    text: &str,
    origin: &str,
    name: &str,
    overrides: &[Override],
    folder: Option<&Path>,
) -> Result<Scene, SceneError> {
    let document = Document::parse(origin, text, overrides)?;
    let faults = document::check(&document);
    if !faults.is_empty() {
        return Err(document.error(faults));
    }
    let file: tables::SceneFile = document.deserialize()?;
    let values: toml::Table = document.deserialize()?;
    let setup = convert::setup(&file, &values, folder).map_err(|faults| document.error(faults))?;
    let view = convert::view(&file).map_err(|faults| document.error(faults))?;
    let probes = convert::probes(&file).map_err(|faults| document.error(faults))?;
    if let Some(fault) = sense::check(&setup, sense::machine_memory()) {
        return Err(document.error(vec![fault]));
    }
    Ok(Scene {
        name: name.to_owned(),
        path: None,
        title: file.title.unwrap_or_else(|| name.to_owned()),
        description: file.description,
        setup,
        duration: file.run.duration,
        view,
        probes,
    })
}

/// The scene files (`*.toml`) in a folder, sorted by name; none if it cannot be read.
pub fn list_scenes(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml") && path.is_file();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_scene).collect();
    paths.sort();
    paths
}
