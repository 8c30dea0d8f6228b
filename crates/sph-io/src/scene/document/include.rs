//! Files that a scene includes: `include = ["materials.toml"]`.
//!
//! Tables of the same name are merged, arrays of tables appended; any other key belongs in one file only.

use super::read::read;
use crate::SourceFiles;
use crate::scene::error::{Fault, Place, SceneError, Sources};
use std::path::{Component, Path};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Key of the files to include.
pub(super) const INCLUDE: &str = "include";

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
        return fail(list, "`include` must be an array".to_owned(), "expected an array of names of files");
    };
    for name in names {
        let DeValue::String(file) = name.get_ref() else {
            return fail(name, "`include` must hold names of files".to_owned(), "expected a string");
        };
        let Some(folder) = folder else {
            return fail(name, "a scene that is not a file includes none".to_owned(), "there is no folder to look in");
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
            return fail(name, format!("`{file}` is included already"), "expected every file once");
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
pub(super) fn merge<'a>(into: &mut DeTable<'a>, from: DeTable<'a>, path: &str, sources: &Sources<'_>, faults: &mut Vec<Fault>) {
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
                faults.push(Fault::new(Place::Span(key.span()), message, format!("{first} has it too")));
            }
        }
    }
}

fn is_table(item: &Spanned<DeValue<'_>>) -> bool {
    matches!(item.get_ref(), DeValue::Table(_))
}
