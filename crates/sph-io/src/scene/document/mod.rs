//! The document: a scene file read, parsed, joined with the files that it includes, overridden from the command line, and checked against the schema.

mod check;
mod overrides;

pub use overrides::{Override, OverrideError};

pub(crate) use check::check;

use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use super::error::{Fault, Place, SceneError, Sources};
use crate::SourceFiles;
use crate::words::nearest;
use overrides::OPTION;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

// The parsed document: every key and value with its place, in the file or in an override.

/// A parsed scene.
pub(crate) struct Document<'a> {
    sources: Sources<'a>,
    root: Spanned<DeTable<'a>>,
    /// Particle spacing of the files, which an override may replace, m; `None` if it is no number.
    file_spacing: Option<f64>,
}

impl<'a> Document<'a> {
    /// Parses `text`, adds the keys of the `included` files, and applies `overrides`. Messages call the file `origin`.
    pub fn parse(
        (origin, text): (&'a str, &'a str),
        included: &'a [Included],
        overrides: &'a [Override],
    ) -> Result<Self, SceneError> {
        let mut sources = Sources::new(origin, text);
        let mut root = DeTable::parse(text).map_err(|error| sources.syntax_error(&error, 0))?;
        let mut faults = Vec::new();
        for Included { origin, text } in included {
            let start = sources.add_file(origin, text);
            let table = DeTable::parse(text).map_err(|error| sources.syntax_error(&error, start))?;
            let table = Spanned::new(table.span(), DeValue::Table(table.into_inner()));
            if let DeValue::Table(mut table) = overrides::shifted(table, start).into_inner() {
                table.remove(INCLUDE);
                merge(root.get_mut(), table, "", &sources, &mut faults);
            }
        }
        if !faults.is_empty() {
            return Err(sources.error(faults, |_| 0..0));
        }
        let file_spacing = number_at(root.get_ref(), "particles", "spacing");
        for change in overrides {
            if change.path.split('.').next() == Some(INCLUDE) {
                let message = "files are included before values are replaced".to_owned();
                return Err(SceneError::of_file(format!("{OPTION}{}", change.path), message, None));
            }
            overrides::apply(change, root.get_mut(), &mut sources)?;
        }
        Ok(Self { sources, root, file_spacing })
    }

    /// Particle spacing that the files have, whatever the overrides say, m; `None` if they have no number there.
    pub fn file_spacing(&self) -> Option<f64> {
        self.file_spacing
    }

    pub fn root(&self) -> &Spanned<DeTable<'a>> {
        &self.root
    }

    /// The end of the file: where a missing table could be added.
    pub fn end(&self) -> Range<usize> {
        self.sources.end_of_file()
    }

    /// The place of a value, or of the table that it is missing from.
    fn locate(&self, path: &str) -> Range<usize> {
        let mut segments = path.split('.');
        let Some(mut value) = segments.next().and_then(|key| self.root.get_ref().get(key)) else {
            return self.end();
        };
        for segment in segments {
            let inner = match value.get_ref() {
                DeValue::Table(table) => table.get(segment),
                DeValue::Array(items) => segment.parse().ok().and_then(|index: usize| items.get(index)),
                _ => None,
            };
            match inner {
                Some(inner) => value = inner,
                None => break,
            }
        }
        value.span()
    }

    /// The error of `faults`.
    pub fn error(&self, faults: Vec<Fault>) -> SceneError {
        self.sources.error(faults, |path| self.locate(path))
    }

    /// Reads the document into serde types.
    pub fn deserialize<T: serde::de::DeserializeOwned>(&self) -> Result<T, SceneError> {
        T::deserialize(toml::de::Deserializer::from(self.root.clone())).map_err(|error| {
            let span = error.span().unwrap_or_else(|| self.end());
            self.error(vec![Fault::new(Place::Span(span), error.message(), "")])
        })
    }
}

/// The number with this key in a table of `root`.
fn number_at(root: &DeTable<'_>, table: &str, key: &str) -> Option<f64> {
    let DeValue::Table(table) = root.get(table)?.get_ref() else { return None };
    match table.get(key)?.get_ref() {
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

// Files that a scene includes: `include = ["materials.toml"]`.
//
// Tables of the same name are merged, arrays of tables appended; any other key belongs in one file only.

/// Key of the files to include.
const INCLUDE: &str = "include";

/// Most files that a scene includes, those that they include counted in.
const MAX_FILES: usize = 32;

/// A file that is included.
#[derive(Debug)]
pub(crate) struct Included {
    /// Its path, for messages.
    pub origin: String,
    /// Its text.
    pub text: String,
}

/// The files that `text`, which messages call `origin`, and those files include, in their order. They are in `folder`, and are added to
/// `files`. A text that is not TOML includes nothing.
pub(crate) fn read_included(
    (origin, text): (&str, &str),
    folder: Option<&Path>,
    files: &mut SourceFiles,
) -> Result<Vec<Included>, SceneError> {
    // The scene itself comes first, which no file includes.
    let mut found = vec![Included { origin: origin.to_owned(), text: String::new() }];
    collect((origin, text), folder, files, &mut found)?;
    Ok(found.split_off(1))
}

fn collect(
    (origin, text): (&str, &str),
    folder: Option<&Path>,
    files: &mut SourceFiles,
    found: &mut Vec<Included>,
) -> Result<(), SceneError> {
    let Ok(root) = DeTable::parse(text) else { return Ok(()) };
    let Some(list) = root.get_ref().get(INCLUDE) else { return Ok(()) };
    let fail = |place: &Spanned<DeValue<'_>>, message: String, label: &str| {
        Err(Sources::new(origin, text).error(vec![Fault::new(Place::Span(place.span()), message, label)], |_| 0..0))
    };
    let DeValue::Array(names) = list.get_ref() else {
        return fail(list, "`include` must be an array".to_owned(), "expected an array of file names");
    };
    for name in names {
        let DeValue::String(file) = name.get_ref() else {
            return fail(name, "`include` must contain file names".to_owned(), "expected a string");
        };
        let Some(folder) = folder else {
            return fail(name, "only a scene file can include files".to_owned(), "there is no folder to look in");
        };
        let is_below = Path::new(&**file).components().all(|part| matches!(part, Component::Normal(_)));
        if file.is_empty() || !is_below {
            return fail(
                name,
                format!("`{file}` is not within the scene's folder"),
                "expected a path below the scene's folder",
            );
        }
        let path = folder.join(&**file);
        let included = path.display().to_string();
        if found.iter().any(|other| other.origin == included) {
            return fail(name, format!("`{file}` is included already"), "expected each file once");
        }
        if found.len() > MAX_FILES {
            return fail(name, format!("more than {MAX_FILES} files are included"), "expected fewer files");
        }
        let text = match read(&path, files) {
            Ok(text) => text,
            Err(error) => return fail(name, error.summary(), "expected a file in the scene's folder"),
        };
        found.push(Included { origin: included.clone(), text: text.clone() });
        collect((&included, &text), Some(folder), files, found)?;
    }
    Ok(())
}

/// Adds the keys of an included file to those of a scene.
fn merge<'a>(into: &mut DeTable<'a>, from: DeTable<'a>, path: &str, sources: &Sources<'_>, faults: &mut Vec<Fault>) {
    for (key, value) in from {
        let name = key.get_ref().to_string();
        let Some(present) = into.get_mut(&*name) else {
            into.insert(key, value);
            continue;
        };
        let path = if path.is_empty() { name } else { format!("{path}.{name}") };
        let place = present.span();
        match (present.get_mut(), value.into_inner()) {
            (DeValue::Table(present), DeValue::Table(table)) => merge(present, table, &path, sources, faults),
            (DeValue::Array(present), DeValue::Array(items)) if present.iter().chain(items.iter()).all(is_table) => {
                items.into_iter().for_each(|item| present.push(item));
            }
            _ => {
                let [first, second] = [place, key.span()].map(|span| sources.origin_of(&span).to_owned());
                let message = format!("`{path}` is given twice, in {first} and in {second}");
                faults.push(Fault::new(Place::Span(key.span()), message, format!("{first} also has it")));
            }
        }
    }
}

fn is_table(item: &Spanned<DeValue<'_>>) -> bool {
    matches!(item.get_ref(), DeValue::Table(_))
}

// Scene files on the disk: the list of a folder, and the text of a file.

/// Maximum size of a scene file, bytes. Scenes are written by hand; a larger file is of another kind.
const MAX_BYTES: u64 = 1 << 20;

/// The text of the file at `path`, which becomes one of `files`.
pub(crate) fn read(path: &Path, files: &mut SourceFiles) -> Result<String, SceneError> {
    let fail = |message: String, help| Err(SceneError::of_file(path.display().to_string(), message, help));
    if path.is_dir() {
        return fail("is a directory: a scene is a file".to_owned(), first_scene(path));
    }
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return fail("is not a regular file: a scene cannot be read from a pipe or a device".to_owned(), None);
    }
    let bytes = match files.read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return fail("there is no such file".to_owned(), nearest_scene(path));
        }
        Err(error) => return fail(format!("cannot be read: {error}"), None),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return fail(format!("is larger than {} MiB, too large for a scene file", MAX_BYTES >> 20), None);
    }
    let text = str::from_utf8(&bytes);
    let valid = text.map_or_else(|error| error.valid_up_to(), str::len);
    // Zero is valid UTF-8, but no text.
    let zero = bytes[..valid].iter().position(|&byte| byte == 0);
    match (text, zero) {
        (Ok(text), None) => Ok(text.to_owned()),
        _ => Err(not_text(&path.display().to_string(), &bytes, zero.unwrap_or(valid))),
    }
}

/// Characters that are shown behind a byte that is no text.
const SHOWN_AFTER: usize = 20;

/// The error of a file whose byte at `offset` is the first that is no text.
fn not_text(origin: &str, bytes: &[u8], offset: usize) -> SceneError {
    let after: String = String::from_utf8_lossy(&bytes[offset + 1..]).lines().take(1).collect();
    let shown = after.chars().take(SHOWN_AFTER).map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    let before = String::from_utf8_lossy(&bytes[..offset]);
    let text: String = before.chars().chain(['\u{fffd}']).chain(shown).collect();
    let message = format!("the file is not text: byte {offset} is 0x{:02x}, which is not UTF-8 text", bytes[offset]);
    let fault = Fault::new(Place::Span(offset..offset + 1), message, "expected a scene as text");
    Sources::new(origin, &text).error(vec![fault], |_| 0..0)
}

/// Suggestion of the scene in the same folder whose name is nearest.
fn nearest_scene(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    // The folder of a bare name is the empty path.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let scenes = list_scenes(folder);
    let names: Vec<String> = scenes.iter().filter_map(|scene| Some(scene.file_stem()?.to_str()?.to_owned())).collect();
    let name = nearest(path.file_stem()?.to_str()?, names.iter().map(String::as_str))?;
    Some(format!("did you mean {}?", path.with_file_name(format!("{name}.toml")).display()))
}

/// Suggestion of a scene in a folder.
fn first_scene(folder: &Path) -> Option<String> {
    list_scenes(folder).first().map(|scene| format!("it contains {}", scene.display()))
}

/// The scene files (`*.toml`) in a folder, sorted by name; none if it cannot be read.
pub fn list_scenes(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml") && path.is_file();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_scene).collect();
    paths.sort();
    paths
}
