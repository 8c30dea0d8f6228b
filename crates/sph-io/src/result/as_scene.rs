//! The scene of a result: kept with it so that others can repeat the measurement, and made a scene of again.

use std::path::Path;

use super::{BenchResult, MeasuredScene, NamedFile};
use crate::SourceFiles;
use crate::recording::{json_of, value_of};
use crate::scene::{Override, Scene, SceneError, parse_in_folder, with_parameters};
use serde_json::{Map, Value as Json, json};
use sph_core::parameters::{Discretization, Parameter, Parameters};
use twox_hash::XxHash64;

/// Longest file whose text is kept, bytes.
const MAX_TEXT: usize = 1 << 20;

/// Longest texts of all files together, bytes.
const MAX_TEXTS: usize = 1 << 22;

/// Key of the number of dimensions among the settings.
pub(super) const DIMENSIONS: &str = "dimensions";

/// First key of every result.
const MARK: &str = "\"sph_result\"";

/// True for the text of a file that is a result, whole or cut, of any version.
pub(crate) fn is_result(text: &str) -> bool {
    let rest = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('{');
    rest.is_some_and(|rest| rest.trim_start().starts_with(MARK))
}

// The record of a scene.

impl MeasuredScene {
    /// The record of `scene`, of whose parameters those `off_curve` no longer follow their curve.
    pub(super) fn of(scene: &Scene, off_curve: &[&str]) -> Self {
        let folder = scene.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let mut room = MAX_TEXTS;
        let named = scene.files.contents().filter(|(path, _)| Some(*path) != scene.path.as_deref());
        let files = named.map(|(path, contents)| {
            let text = std::str::from_utf8(&contents).ok().filter(|text| text.len() <= MAX_TEXT.min(room));
            room -= text.map_or(0, str::len);
            NamedFile {
                path: path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned(),
                bytes: contents.len() as u64,
                hash: hash(&contents),
                text: text.map(str::to_owned),
            }
        });
        Self {
            name: scene.name.clone(),
            title: scene.title.clone(),
            overrides: scene.overrides.iter().map(|change| format!("{}={}", change.path, change.value)).collect(),
            off_curve: off_curve.iter().map(|&key| key.to_owned()).collect(),
            files: files.collect(),
            text: scene.text.clone(),
        }
    }
}

fn hash(contents: &[u8]) -> String {
    format!("{:016x}", XxHash64::oneshot(0, contents))
}

// Settings by their keys.

/// Discretisation of `scene` and its `parameters` in force, without those that have no effect.
pub(super) fn settings(scene: &Scene, parameters: &Parameters) -> Map<String, Json> {
    let discretization = &scene.setup.discretization;
    let mut settings = entries(Discretization::table(), discretization);
    settings.insert(DIMENSIONS.to_owned(), json!(discretization.dimensions.count()));
    settings.extend(entries(Parameters::table(), parameters));
    settings
}

fn entries<T: 'static>(table: &'static [Parameter<T>], values: &T) -> Map<String, Json> {
    let used = table.iter().filter(|parameter| parameter.is_used(values));
    used.map(|parameter| (parameter.key.to_owned(), json_of(parameter.get(values)))).collect()
}

/// Checks that every key is known and that its value is of its kind.
///
/// # Errors
/// The first key that is wrong, and the reason.
pub(super) fn check_settings(settings: &Map<String, Json>) -> Result<(), (String, String)> {
    for (key, json) in settings {
        let kinds = Parameters::table().iter().map(|parameter| (parameter.key, &parameter.kind));
        let kinds = kinds.chain(Discretization::table().iter().map(|parameter| (parameter.key, &parameter.kind)));
        let is_valid = match kinds.into_iter().find(|(known, _)| known == key) {
            Some((_, kind)) => value_of(json, kind).is_some(),
            None if key == DIMENSIONS => matches!(json.as_u64(), Some(2 | 3)),
            None => return Err((format!("settings.{key}"), "it is not a parameter".to_owned())),
        };
        if !is_valid {
            return Err((format!("settings.{key}"), format!("{json} is not a valid value")));
        }
    }
    Ok(())
}

impl BenchResult {
    /// `parameters` with the grid of the result.
    pub fn with_grid(&self, parameters: Parameters) -> Parameters {
        self.merged(parameters, |key| key.starts_with("grid."))
    }

    /// `parameters` with those settings of the result whose key is `wanted`.
    fn merged(&self, mut parameters: Parameters, wanted: impl Fn(&str) -> bool) -> Parameters {
        for parameter in Parameters::table().iter().filter(|parameter| wanted(parameter.key)) {
            if let Some(value) = self.settings.get(parameter.key).and_then(|json| value_of(json, &parameter.kind)) {
                parameter.set(&mut parameters, value);
            }
        }
        parameters
    }
}

// The way back to a scene.

/// The scene of the result in `text`, which was read from `path`: with the values of its settings and then those of `overrides`. Files
/// that it names are read from beside it, or else from the result if that has them; they become some of `files`.
///
/// # Errors
/// The text is no result that can be used, a file is missing, or the scene cannot be used.
pub(crate) fn scene_of(text: &str, path: &Path, overrides: &[Override], files: &mut SourceFiles) -> Result<Scene, SceneError> {
    let origin = path.display().to_string();
    let unusable = |message: String, help: Option<&str>| SceneError::of_file(origin.clone(), message, help.map(str::to_owned));
    let result = BenchResult::parse(text).map_err(|error| unusable(error.to_string(), None))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut remarks = Vec::new();
    for named in &result.scene.files {
        let place = folder.join(&named.path);
        match (std::fs::metadata(&place), &named.text) {
            (Ok(found), _) if found.is_file() => {
                // One of another length need not be read for that.
                let is_other = found.len() != named.bytes || {
                    let contents = files.read(&place, named.bytes).map_err(|error| unusable(error.to_string(), None))?;
                    hash(&contents) != named.hash
                };
                if is_other {
                    remarks.push(format!("{} is not the file that was measured, but another of that name", place.display()));
                }
            }
            (_, Some(text)) => files.hold(place, text.clone().into_bytes()),
            (_, None) => {
                let message = format!("it needs the file {}, which is not in the result", named.path);
                return Err(unusable(message, Some("put it beside the result, under that name")));
            }
        }
    }
    let own = result.scene.overrides.iter().map(|change| change.parse::<Override>());
    let mut own = own.collect::<Result<Vec<_>, _>>().map_err(|error| unusable(format!("scene.overrides: {error}"), None))?;
    let name = &result.scene.name;
    // Messages about the text show its place in there, not in the file.
    let place = format!("{origin}, scene.text");
    let loaded = parse_in_folder(&result.scene.text, (&place, name), &own, (folder, files))?;
    let on_curve: Vec<&str> = loaded.setup.curves.iter().map(|curve| curve.key()).collect();
    let off_curve: Vec<&str> =
        on_curve.iter().copied().filter(|key| result.scene.off_curve.iter().any(|off| off == key)).collect();
    let parameters = result.merged(loaded.setup.parameters, |key| !on_curve.contains(&key) || off_curve.contains(&key));
    let mut scene_text = result.scene.text.clone();
    if parameters != loaded.setup.parameters || !off_curve.is_empty() {
        let (text, written) = with_parameters(&scene_text, &place, (&parameters, &off_curve), (&loaded, folder, files))?;
        own.retain(|change| !written.contains(&change.path));
        scene_text = text;
    }
    own.extend_from_slice(overrides);
    let scene = parse_in_folder(&scene_text, (&place, name), &own, (folder, files))?;
    remarks.extend(scene.remarks);
    Ok(Scene { path: Some(path.to_owned()), files: files.clone(), remarks, ..scene })
}
