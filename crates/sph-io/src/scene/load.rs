//! Loading of scenes.

use super::available_memory::available_memory;
use super::convert;
use super::document::{Document, Override, check, read, read_included};
use super::error::SceneError;
use super::loaded::Scene;
use super::tables::SceneFile;
use super::validation;
use crate::SourceFiles;
use crate::import::{Imported, import_from, is_foreign};
use std::path::Path;

/// Loads the scene file at `path`, with its values replaced by `overrides`, in order. A file that ends in `.json` is
/// [imported](crate::import()) first; its remarks are among those of the scene.
///
/// # Errors
/// The file cannot be read, is not TOML, does not have the form of a scene, or cannot be simulated on this machine. No particle is made
/// before that is known.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Scene, SceneError> {
    load_from(path, overrides, &mut SourceFiles::default())
}

/// Loads as [`load`], and adds the files that it reads or looks for to `files`, of a scene that cannot be used as well.
///
/// # Errors
/// Those of [`load`].
pub fn load_from(path: &Path, overrides: &[Override], files: &mut SourceFiles) -> Result<Scene, SceneError> {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    if !is_foreign(path) {
        let text = read(path, files)?;
        return parse_sources(&text, (&name, Some(path)), overrides, files);
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

/// Parses `text`, which messages call `origin`. Files that it names are relative to `folder`, if there is one, and are added to `files`.
pub(super) fn parse_named(
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
    let (setup, remarks) = convert::setup(&file, &values, folder, files).map_err(|faults| document.error(faults))?;
    let view = convert::view(&file).map_err(|faults| document.error(faults))?;
    let probes = convert::probes(&file, &setup.fluids, folder, files).map_err(|faults| document.error(faults))?;
    if let Some(fault) = validation::check(&setup, available_memory()) {
        return Err(document.error(vec![fault]));
    }
    Ok(Scene {
        name: name.to_owned(),
        path: None,
        text: text.to_owned(),
        overrides: overrides.to_vec(),
        files: files.clone(),
        title: file.title.unwrap_or_else(|| name.to_owned()),
        description: file.description,
        setup,
        body_names: file.bodies.into_iter().map(|body| body.name).collect(),
        duration: file.run.duration,
        view,
        probes,
        remarks,
    })
}
