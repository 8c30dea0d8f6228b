//! Saving of changed parameters into the scene's file, which otherwise stays as its author wrote it.

use super::document::read;
use super::error::SceneError;
use super::load::{parse_named, parse_sources};
use super::loaded::{Scene, View};
use super::save_view::{set_view, short};
use crate::SourceFiles;
use crate::atomic_file::write_atomically;
use crate::import::is_foreign;
use sph_core::parameters::Value as Setting;
use sph_core::parameters::{Parameter, Parameters};
use std::io;
use std::path::{Path, PathBuf};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

/// Reasons why parameters could not be saved. The file is then as it was.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The scene's file has been removed or broken since it was loaded, or the parameters no longer fit what it has become.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The file cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
}

/// Saves `parameters` as the scene file `path`.
///
/// Only values that differ from those of `loaded` are written, over what the scene's file contains now: comments, order and
/// formatting stay, and so do edits made in another program meanwhile. Defaults that follow from other values (the sound speed from
/// gravity) are written too where they would change. The saved file therefore loads as `parameters`, except for such edits and for
/// overrides: an override of `loaded` that was not changed since is not written. Parameters that follow a curve of `loaded` keep it, unless
/// they are among those `off_curve`.
///
/// If `path` is not the file that the scene was loaded from, the whole scene is written there.
///
/// Returns the scene as the saved file has it, with the overrides of `loaded` but those of written values.
///
/// # Errors
/// The scene's file is gone or broken, or the result would not load, or `path` cannot be written.
pub fn save_parameters(path: &Path, parameters: &Parameters, off_curve: &[&str], loaded: &Scene) -> Result<Scene, SaveError> {
    save_scene(path, (parameters, &loaded.view), off_curve, loaded)
}

/// Saves `parameters` as [`save_parameters`] does, and with them what differs of `view` from that of `loaded`, but its camera. What an
/// included file says of the view stays: [`View::differing_keys`] of the scene that is returned lists it.
///
/// # Errors
/// Those of [`save_parameters`].
pub fn save_scene(
    path: &Path,
    (parameters, view): (&Parameters, &View),
    off_curve: &[&str],
    loaded: &Scene,
) -> Result<Scene, SaveError> {
    let source = loaded.path.as_deref().unwrap_or(path);
    if is_foreign(path) {
        let help = "`sph import FILE.json --out scene.toml` makes a scene that can be saved to".to_owned();
        let message = "is a scene of another program, which is only read".to_owned();
        return Err(SceneError::of_file(path.display().to_string(), message, Some(help)).into());
    }
    let text = if is_foreign(source) { loaded.text.clone() } else { read(source, &mut SourceFiles::default())? };
    let (saved, written) = edited(&text, &source.display().to_string(), (parameters, view), off_curve, loaded)?;
    let is_written = |path: &str| {
        written.iter().any(|key| path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let overrides: Vec<_> = loaded.overrides.iter().filter(|change| !is_written(&change.path)).cloned().collect();
    let mut files = SourceFiles::default();
    files.hold(path.to_owned(), saved.clone().into_bytes());
    let scene = parse_sources(&saved, (&loaded.name, Some(path)), &overrides, &mut files)?;
    write_atomically(path, |out| out.write_all(saved.as_bytes()))
        .map_err(|source| SaveError::Write { path: path.to_owned(), source })?;
    Ok(scene)
}

/// `text` with the changed values in it, and their keys.
fn edited(
    text: &str,
    origin: &str,
    (parameters, view): (&Parameters, &View),
    off_curve: &[&str],
    loaded: &Scene,
) -> Result<(String, Vec<&'static str>), SceneError> {
    let parse = |text: &str| {
        let folder = loaded.path.as_deref().and_then(Path::parent);
        parse_named(text, origin, &loaded.name, &[], (folder, &mut SourceFiles::default()))
    };
    let current = |text: &str| parse(text).map(|scene| scene.setup);
    let before = current(text)?;
    let dimensions = before.discretization.dimensions;
    // The text has just been parsed as TOML by the other parser of the same family, with the same grammar.
    let mut document: DocumentMut =
        text.parse().map_err(|error| SceneError::of_file(origin.to_owned(), format!("cannot be edited: {error}"), None))?;

    let value = |parameter: &Parameter<Parameters>, parameters: &Parameters| match parameter.get(parameters) {
        // Without z in 2 dimensions.
        Setting::Vector(vector) => Wanted::Numbers(vector.to_array()[..dimensions.count()].to_vec()),
        setting => Wanted::One(setting),
    };
    let has_curve = |parameter: &Parameter<Parameters>| loaded.setup.curves.iter().any(|curve| curve.key() == parameter.key);
    let mut written = Vec::new();
    for parameter in Parameters::table().iter().filter(|parameter| parameter.is_used(parameters)) {
        let wanted = value(parameter, parameters);
        let differs = match has_curve(parameter) {
            true => off_curve.contains(&parameter.key),
            false => wanted != value(parameter, &loaded.setup.parameters),
        };
        if differs {
            set(&mut document, parameter, &wanted);
            written.push(parameter.key);
        }
    }
    let read = |document: &DocumentMut| parse(&document.to_string()).ok().map(|scene| scene.view);
    let of_view = set_view(&mut document, view, &loaded.view, read);
    // Defaults that follow from written values must not change the other values.
    let after = current(&document.to_string())?;
    for parameter in Parameters::table().iter().filter(|parameter| !written.contains(&parameter.key) && !has_curve(parameter)) {
        let old = value(parameter, &before.parameters);
        if value(parameter, &after.parameters) != old {
            set(&mut document, parameter, &old);
        }
    }
    let saved = like_before(document.to_string(), text);
    current(&saved)?;
    written.extend(of_view);
    Ok((saved, written))
}

/// Restores Windows' line ends and the byte order mark, which the TOML editor does not keep.
fn like_before(saved: String, text: &str) -> String {
    let saved = if text.contains("\r\n") { saved.replace("\r\n", "\n").replace('\n', "\r\n") } else { saved };
    let lost_mark = text.starts_with('\u{feff}') && !saved.starts_with('\u{feff}');
    if lost_mark { format!("\u{feff}{saved}") } else { saved }
}

/// A value in the form of a file.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    One(Setting),
    Numbers(Vec<f32>),
}

/// Sets a key, keeping the space and the comments around its old value.
fn set(document: &mut DocumentMut, parameter: &Parameter<Parameters>, wanted: &Wanted) {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut names = parameter.table().split('.').filter(|name| !name.is_empty()).peekable();
    while let Some(name) = names.next() {
        let item = table.entry(name).or_insert_with(|| {
            let mut table = Table::new();
            // A table of nothing but tables needs no header of its own.
            table.set_implicit(true);
            Item::Table(table)
        });
        // `[[fluid.blocks]]` alone implies a table `fluid` that has no header to put keys under.
        if let (Some(table), None) = (item.as_table_mut(), names.peek()) {
            table.set_implicit(false);
        }
        match item.as_table_like_mut() {
            Some(inner) => table = inner,
            // Unreachable: the schema has been checked.
            None => return,
        }
    }
    let key = parameter.name();
    match (table.get_mut(key).and_then(Item::as_value_mut), value(wanted)) {
        (_, None) => {
            table.remove(key);
        }
        (Some(old), Some(new)) => replace(old, wanted, new),
        (None, Some(new)) => {
            table.insert(key, Item::Value(new));
        }
    }
}

/// Replaces `old` by `new`, the value of `wanted`.
fn replace(old: &mut Value, wanted: &Wanted, new: Value) {
    let is_vector = |items: &Array| !items.iter().any(Value::is_array);
    if let (Some(items), Wanted::Numbers(numbers)) = (old.as_array_mut().filter(|items| is_vector(items)), wanted) {
        // Number by number, so that an array over several lines keeps its form.
        for (index, &number) in numbers.iter().enumerate() {
            match items.get_mut(index) {
                Some(item) => replace(item, &Wanted::One(Setting::Number(number)), short(number)),
                None => items.push(short(number)),
            }
        }
        return;
    }
    let number = old.as_float().or_else(|| old.as_integer().map(|number| number as f64));
    if let (Some(old), Wanted::One(Setting::Number(new))) = (number, wanted)
        && old as f32 == *new
    {
        // The same number in the author's own spelling.
        return;
    }
    let decor = old.decor().clone();
    *old = new;
    *old.decor_mut() = decor;
}

/// The value as TOML; `None` for an absent value.
fn value(wanted: &Wanted) -> Option<Value> {
    let array = |numbers: &[f32]| Value::Array(numbers.iter().map(|&number| short(number)).collect::<Array>());
    Some(match wanted {
        Wanted::One(Setting::Number(number)) => short(*number),
        Wanted::One(Setting::Count(count)) => i64::from(*count).into(),
        Wanted::One(Setting::Choice(name)) => (*name).into(),
        Wanted::One(Setting::Vector(vector)) => array(&vector.to_array()),
        Wanted::One(Setting::Absent) => return None,
        Wanted::Numbers(numbers) => array(numbers),
    })
}
