//! Scene files: from text to a [`Setup`](sph_core::Setup) that can be simulated, or to an error with its place.
//!
//! In order: read the text, parse it into a [`document`] with the place of every value, apply the overrides, check its form against the
//! [`schema`], read it into the types of [`tables`], [`convert`] them, and validate the resulting setup ([`validation`]).

mod convert;
mod display;
mod document;
mod error;
mod save;
mod schema;
mod tables;
mod validation;

pub use display::{ClipPlane, ColorField, ColorMapName, Look, MAX_COLOR_END, PointColors, SolidStyle};
pub use document::{Override, OverrideError, list_scenes};
pub use error::SceneError;
pub use save::{SaveError, SceneEdits, save_parameters, save_scene};
pub use schema::{json_schema, reference};
pub use tables::NamedProbe;
pub use validation::available_memory;

pub(crate) use document::read as read_text;
pub(crate) use error::{Fault, Place, Sources};
pub(crate) use save::with_parameters;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::SourceFiles;
use crate::import::{Imported, import_from, is_foreign};
use crate::result::{is_result, scene_of};
use document::{Document, check, read, read_included};
use glam::Vec3;
use sph_core::Setup;
use sph_core::probes::Probe;
use tables::SceneFile;

/// A scene, checked and complete: setup, probes and initial view.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Short name: the name of the file, without its extension.
    pub name: String,
    /// The file, if it was loaded from one.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
    /// Values that replace those of the text, in order.
    pub overrides: Vec<Override>,
    /// Particle spacing of the text, which one of them may replace, m.
    pub file_spacing: f64,
    /// Files that it was read from.
    pub files: SourceFiles,
    /// Title shown to users.
    pub title: String,
    /// Description in a sentence or two; may be empty.
    pub description: String,
    /// Group in a gallery of scenes; may be empty.
    pub group: String,
    /// Setup of the simulation; it is valid.
    pub setup: Setup,
    /// Names of the bodies that have one, in the order of the setup's.
    pub body_names: Vec<Option<String>>,
    /// Simulated time after which a run without a window ends, s.
    pub duration: f64,
    /// Initial view.
    pub view: View,
    /// Probes.
    pub probes: Vec<NamedProbe>,
    /// Remarks on the files of the scene, and what has been done about them, each a sentence.
    pub remarks: Vec<String>,
}

impl Scene {
    /// True if `spacing` (m) is the present particle spacing up to rounding: it is kept in single precision, and a file's in double.
    pub fn has_spacing(&self, spacing: f64) -> bool {
        (spacing / f64::from(self.setup.discretization.particle_spacing) - 1.0).abs() < 1e-6
    }

    /// True if the scene's own file names the size of the fluid's cells, which otherwise follows from the particle spacing.
    pub fn names_cell_size(&self) -> bool {
        let document = self.text.parse::<toml_edit::DocumentMut>();
        document.is_ok_and(|document| document.get("grid").is_some_and(|grid| grid.get("cell_size").is_some()))
    }

    /// True if a probe reads the force on the walls, which an engine only measures if it is asked to; see
    /// [`Engine::set_wall_reaction`](sph_core::Engine::set_wall_reaction).
    pub fn measures_walls(&self) -> bool {
        self.probes.iter().any(|probe| probe.probe == Probe::WallForce)
    }
}

/// Initial view of a scene. The viewer chooses values that are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct View {
    /// Position of the camera, m.
    pub eye: Option<Vec3>,
    /// Point that the camera looks at, m.
    pub target: Option<Vec3>,
    /// Quantity that the particles' colours show.
    pub color: ColorField,
    /// Colour map; `None` for the one that suits the quantity.
    pub color_map: Option<ColorMapName>,
    /// Values at the ends of the colour map, in the unit of the quantity; `None` for those that follow from the scene.
    pub range: Option<[f32; 2]>,
    /// Look of the fluid.
    pub look: Option<Look>,
    /// Plane that clips the fluid.
    pub clip: Option<ClipPlane>,
    /// True to draw velocities as arrows.
    pub arrows: bool,
    /// Style of the walls; `None` for edges.
    pub walls: Option<SolidStyle>,
    /// Style of the bodies; `None` for the one that suits the look of the fluid.
    pub bodies: Option<SolidStyle>,
    /// Colours of cloth and balls; `None` for the quantity, but for the speed their own, if they have any.
    pub point_colors: Option<PointColors>,
}

// Loading of scenes.

/// Loads the scene file at `path`, with its values replaced by `overrides`, in order. A file that ends in `.json` is a
/// [result](crate::BenchResult), whose scene it is, or is [imported](crate::import()) first; its remarks are among those of the scene.
///
/// # Errors
/// The file cannot be read, is not TOML, does not have the form of a scene, or cannot be simulated on this machine. No particle is made
/// before that is known.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Scene, SceneError> {
    load_from(path, overrides, &mut SourceFiles::default())
}

/// Short name of the scene at `path`.
fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy()
}

/// Loads as [`load`], and adds the files that it reads or looks for to `files`, of a scene that cannot be used as well.
///
/// # Errors
/// Those of [`load`].
pub fn load_from(path: &Path, overrides: &[Override], files: &mut SourceFiles) -> Result<Scene, SceneError> {
    let name = name_of(path);
    if !is_foreign(path) {
        let text = read(path, files)?;
        return parse_sources(&text, (&name, Some(path)), overrides, files);
    }
    let text = read(path, files)?;
    if is_result(&text) {
        return scene_of(&text, path, overrides, files);
    }
    let Imported { text, mut remarks } = import_from(path, None, files)?;
    let origin = format!("{}, as imported", path.display());
    let scene = parse_named(&text, &origin, &name, overrides, (path.parent(), files))?;
    remarks.extend(scene.remarks);
    Ok(Scene { path: Some(path.to_owned()), remarks, ..scene })
}

/// Parses the text of a scene that is called `name` in messages.
///
/// # Errors
/// Those of [`load`], without those of reading.
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
    parse_named(text, name, name, overrides, (None, &mut SourceFiles::default()))
}

/// Parses the text of the scene `name`, which was read from `path`, if from a file; files that it names are among `files`.
///
/// # Errors
/// Those of [`load`].
pub(crate) fn parse_sources(
    text: &str,
    (name, path): (&str, Option<&Path>),
    overrides: &[Override],
    files: &mut SourceFiles,
) -> Result<Scene, SceneError> {
    let origin = path.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    let scene = parse_named(text, &origin, name, overrides, (path.and_then(Path::parent), files))?;
    Ok(Scene { path: path.map(Path::to_owned), ..scene })
}

/// Parses `text`, which messages call `origin`, as the scene `name`. Files that it names are relative to `folder`, if they are not among
/// `files`, which they become.
///
/// # Errors
/// Those of [`load`].
pub(crate) fn parse_in_folder(
    text: &str,
    (origin, name): (&str, &str),
    overrides: &[Override],
    (folder, files): (&Path, &mut SourceFiles),
) -> Result<Scene, SceneError> {
    parse_named(text, origin, name, overrides, (Some(folder), files))
}

/// Parses `text`, which messages call `origin`. Files that it names are relative to `folder`, if there is one, and are added to `files`.
fn parse_named(
    text: &str,
    origin: &str,
    name: &str,
    overrides: &[Override],
    (folder, files): (Option<&Path>, &mut SourceFiles),
) -> Result<Scene, SceneError> {
    let included = read_included((origin, text), folder, files)?;
    let document = Document::parse((origin, text), &included, overrides)?;
    let faults = check(&document);
    if !faults.is_empty() {
        return Err(document.error(faults));
    }
    let file: SceneFile = document.deserialize()?;
    let values: toml::Table = document.deserialize()?;
    let (setup, mut remarks) = convert::setup(&file, &values, folder, files).map_err(|faults| document.error(faults))?;
    let view = convert::view(&file).map_err(|faults| document.error(faults))?;
    let probes = convert::probes(&file, &setup, folder, files).map_err(|faults| document.error(faults))?;
    if let Some(fault) = validation::check(&setup, available_memory()) {
        return Err(document.error(vec![fault]));
    }
    remarks.extend(convert::remarks_on_substeps(&setup));
    Ok(Scene {
        name: name.to_owned(),
        path: None,
        text: text.to_owned(),
        overrides: overrides.to_vec(),
        file_spacing: document.file_spacing().unwrap_or(setup.discretization.particle_spacing.into()),
        files: files.clone(),
        title: file.title.unwrap_or_else(|| name.to_owned()),
        description: file.description,
        group: file.group,
        setup,
        body_names: file.bodies.into_iter().map(|body| body.name).collect(),
        duration: file.run.duration,
        view,
        probes,
        remarks,
    })
}
