//! Saving of changed parameters, and of a changed view, into the scene's file, which otherwise stays as its author wrote it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{io, iter};

use super::document::read;
use super::error::SceneError;
use super::{Override, Scene, View, name_of, parse_named, parse_sources};
use crate::SourceFiles;
use crate::atomic_file::write_atomically;
use crate::import::is_foreign;
use sph_core::neighbors::GridParameters;
use sph_core::parameters::{Choice, Group, Parameter, Parameters, Preset, Value as Setting};
use sph_pbd::PbdSetup;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Length in metres that goes with the particle spacing.
const CELL_SIZE: &str = "grid.cell_size";

/// Particle spacing, which decides the support radius.
const SPACING: &str = "particles.spacing";

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
/// gravity) are written too where they would change and have an effect. A preset of the file stays, unless the parameters are those of another: then
/// that one is written in its place, without the values that it gives. The saved file therefore loads as `parameters`, but for values without effect,
/// such edits and overrides: an override of `loaded` that was not changed since is not written. Where one is of the particle spacing, a changed cell size is
/// written for the file's own spacing: as many support radii as it has here. Parameters that follow a curve of `loaded` keep it, unless
/// they are among those `off_curve`.
///
/// If `path` is not the file that the scene was loaded from, the whole scene is written there, as it was loaded. Files that it names must be
/// where they are from that place too.
///
/// Returns the scene as the saved file has it, with the overrides of `loaded` but those of written values.
///
/// # Errors
/// The scene's file is gone or broken, or the result would not load, or `path` cannot be written.
pub fn save_parameters(path: &Path, parameters: &Parameters, off_curve: &[&str], loaded: &Scene) -> Result<Scene, SaveError> {
    save_scene(path, &SceneEdits { parameters, off_curve, ..SceneEdits::none(loaded) }, loaded)
}

/// Edits of a scene that its file can hold.
#[derive(Clone, Copy, Debug)]
pub struct SceneEdits<'a> {
    /// All parameters.
    pub parameters: &'a Parameters,
    /// Keys of those that no longer follow their curves.
    pub off_curve: &'a [&'a str],
    /// Grid of the search of each point set; empty if none has changed.
    pub set_grids: &'a [GridParameters],
    /// The view.
    pub view: &'a View,
    /// True if the particle spacing that an override of the loaded scene gives is one of the edits, and the cell size that goes with it.
    pub is_spacing_edited: bool,
}

impl<'a> SceneEdits<'a> {
    /// No edits of `scene`.
    pub fn none(scene: &'a Scene) -> Self {
        let Scene { setup, view, .. } = scene;
        Self { parameters: &setup.parameters, off_curve: &[], set_grids: &[], view, is_spacing_edited: false }
    }
}

/// Saves the parameters of `edits` as [`save_parameters`] does, and with them the particle spacing if it is edited, and what differs of the searches
/// of cloths and balls, and of the view, from those of `loaded`, but the camera. What an included file says of the view stays: [`View::differing_keys`] of the scene that is
/// returned lists it.
///
/// # Errors
/// Those of [`save_parameters`].
pub fn save_scene(path: &Path, edits: &SceneEdits<'_>, loaded: &Scene) -> Result<Scene, SaveError> {
    let source = loaded.path.as_deref().unwrap_or(path);
    refuse_foreign(path)?;
    let is_own = loaded.path.as_deref() == Some(path);
    let text = if is_own { read(path, &mut SourceFiles::default())? } else { loaded.text.clone() };
    let folder = loaded.path.as_deref().and_then(Path::parent);
    let context = Context { loaded, folder, files: &SourceFiles::default() };
    let (saved, written) = edited(&text, &source.display().to_string(), edits, &context)?;
    let saved = if is_own { saved } else { without_lost_schema(saved, path) };
    let is_written = |path: &str| {
        written.iter().any(|key| path.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let mut overrides: Vec<_> = loaded.overrides.iter().filter(|change| !is_written(&change.path)).cloned().collect();
    // The file has the cell size that suits its own spacing; the scene keeps the one that it has at the spacing of the override.
    if is_written(CELL_SIZE) && overrides.iter().any(|change| change.path == SPACING) {
        overrides.push(Override { path: CELL_SIZE.to_owned(), value: edits.parameters.grid.cell_size.to_string() });
    }
    write_scene(path, saved, &overrides)
}

/// `text` without a first line that names a schema which is not there from `path`: editors would look for it in vain.
fn without_lost_schema(text: String, path: &Path) -> String {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let schema = first.strip_prefix("#:schema ").map(str::trim).filter(|schema| !schema.contains("://"));
    let is_lost = schema.is_some_and(|schema| !path.parent().unwrap_or(Path::new("")).join(schema).exists());
    if is_lost { rest.to_owned() } else { text }
}

/// Refuses to save to a scene of another program, or to a result.
fn refuse_foreign(path: &Path) -> Result<(), SceneError> {
    if !is_foreign(path) {
        return Ok(());
    }
    let help = "`sph import FILE.json --out scene.toml` makes a scene that can be saved to".to_owned();
    let message = "is a scene of another program or a result, which cannot be saved to".to_owned();
    Err(SceneError::of_file(path.display().to_string(), message, Some(help)))
}

/// Writes the text `saved` of a scene to `path`, and returns the scene that it is with these `overrides`.
fn write_scene(path: &Path, saved: String, overrides: &[Override]) -> Result<Scene, SaveError> {
    let mut files = SourceFiles::default();
    files.hold(path.to_owned(), saved.clone().into_bytes());
    let scene = parse_sources(&saved, (&name_of(path), Some(path)), overrides, &mut files)?;
    write_atomically(path, |out| out.write_all(saved.as_bytes()))
        .map_err(|source| SaveError::Write { path: path.to_owned(), source })?;
    Ok(scene)
}

/// `text`, of which `loaded` was made, with `parameters` in it, and the keys of those that were written. Files that it names are relative
/// to `folder`, if they are not among `files`.
///
/// # Errors
/// Those of [`save_parameters`], but of writing.
pub(crate) fn with_parameters(
    text: &str,
    origin: &str,
    (parameters, off_curve): (&Parameters, &[&str]),
    (loaded, folder, files): (&Scene, &Path, &SourceFiles),
) -> Result<(String, Vec<String>), SceneError> {
    let edits = SceneEdits { parameters, off_curve, ..SceneEdits::none(loaded) };
    edited(text, origin, &edits, &Context { loaded, folder: Some(folder), files })
}

/// Scene whose text is edited, and where the files that it names are.
struct Context<'a> {
    loaded: &'a Scene,
    folder: Option<&'a Path>,
    /// Files that have been read.
    files: &'a SourceFiles,
}

/// `text` with the changed values in it, and their keys.
fn edited(
    text: &str,
    origin: &str,
    edits: &SceneEdits<'_>,
    context: &Context<'_>,
) -> Result<(String, Vec<String>), SceneError> {
    let SceneEdits { parameters, off_curve, set_grids, view, is_spacing_edited } = *edits;
    let Context { loaded, folder, files } = *context;
    let parse = |text: &str| parse_named(text, origin, &loaded.name, &[], (folder, &mut files.clone()));
    let current = |text: &str| parse(text).map(|scene| scene.setup);
    let mut before = current(text)?;
    let dimensions = before.discretization.dimensions;
    // The text has just been parsed as TOML by the other parser of the same family, with the same grammar.
    let mut document: DocumentMut =
        text.parse().map_err(|error| SceneError::of_file(origin.to_owned(), format!("cannot be edited: {error}"), None))?;
    let mut written = Vec::new();
    // First, since other values follow from it.
    if is_spacing_edited {
        written = set_spacing(&mut document, loaded);
        before = current(&document.to_string())?;
    }

    let spacing = f64::from(before.discretization.support_radius) / f64::from(loaded.setup.discretization.support_radius);
    let value = |parameter: &Parameter<Parameters>, parameters: &Parameters| match parameter.get(parameters) {
        // Without z in 2 dimensions.
        Setting::Vector(vector) => Wanted::Numbers(vector.to_array()[..dimensions.count()].to_vec()),
        setting => Wanted::One(setting),
    };
    let has_curve = |parameter: &Parameter<Parameters>| loaded.setup.curves.iter().any(|curve| curve.key() == parameter.key);
    // Where the file has a preset and another was chosen, that goes into it, and only what it does not say is written. Where a value of the file's
    // preset has changed, the preset stays: what the scene itself says counts more.
    let presets = [&loaded.setup.parameters, parameters].map(Preset::of);
    let is_other = presets[0].is_some() && presets[0] != presets[1] && document.contains_key("preset");
    let mut with_preset = None;
    if let Some(preset) = presets[1].filter(|_| is_other) {
        set(&mut document, "", "preset", &Wanted::One(Setting::Choice(preset.name())));
        written.push("preset".to_owned());
        with_preset = Some(current(&document.to_string())?.parameters);
    }
    let mut said_by_preset = Vec::new();
    for parameter in Parameters::table().iter().filter(|parameter| parameter.is_used(parameters)) {
        let wanted = value(parameter, parameters);
        let differs = match has_curve(parameter) {
            true => off_curve.contains(&parameter.key),
            false => wanted != value(parameter, &loaded.setup.parameters),
        };
        if differs {
            // A length that was chosen for another spacing than the file's, which an override has replaced.
            let wanted = match wanted {
                Wanted::One(Setting::Number(cell)) if parameter.key == CELL_SIZE && spacing != 1.0 => {
                    Wanted::One(Setting::Number((f64::from(cell) * spacing) as f32))
                }
                wanted => wanted,
            };
            written.push(parameter.key.to_owned());
            if !has_curve(parameter) && with_preset.as_ref().is_some_and(|said| value(parameter, said) == wanted) {
                said_by_preset.push((parameter, wanted));
            } else {
                set(&mut document, parameter.table(), parameter.name(), &wanted);
            }
        }
    }
    for (table, before, grid) in point_grids(loaded, set_grids) {
        // Another structure has options that had no effect before: the file may say anything of them.
        let is_other = before.structure.name() != grid.structure.name();
        let [before, edited] = [before, grid].map(|grid| Parameters { grid, ..*parameters });
        let of_grid = Parameters::table().iter().filter(|parameter| parameter.group == Some(Group::Grid));
        for parameter in of_grid.filter(|parameter| parameter.is_used(&edited)) {
            let wanted = value(parameter, &edited);
            if is_other || wanted != value(parameter, &before) {
                set(&mut document, table, parameter.name(), &wanted);
                written.push(format!("{table}.{}", parameter.name()));
            }
        }
    }
    let read = |document: &DocumentMut| parse(&document.to_string()).ok().map(|scene| scene.view);
    let of_view = set_view(&mut document, view, &loaded.view, read);
    // Defaults that follow from written values must not change the other values, if these have an effect.
    let after = current(&document.to_string())?;
    for parameter in Parameters::table().iter().filter(|parameter| {
        parameter.is_used(parameters) && !written.iter().any(|key| key == parameter.key) && !has_curve(parameter)
    }) {
        let old = value(parameter, &before.parameters);
        if value(parameter, &after.parameters) != old {
            set(&mut document, parameter.table(), parameter.name(), &old);
        }
    }
    for (parameter, wanted) in said_by_preset {
        if value(parameter, &after.parameters) != wanted {
            set(&mut document, parameter.table(), parameter.name(), &wanted);
        }
    }
    let saved = like_before(document.to_string(), text);
    current(&saved)?;
    written.extend(of_view.into_iter().map(str::to_owned));
    Ok((saved, written))
}

/// Sets the particle spacing of `loaded`, and the cell size if one has been chosen with it. Returns their keys.
fn set_spacing(document: &mut DocumentMut, loaded: &Scene) -> Vec<String> {
    let number = |value: f32| Wanted::One(Setting::Number(value));
    set(document, "particles", "spacing", &number(loaded.setup.discretization.particle_spacing));
    let mut written = vec![SPACING.to_owned()];
    if loaded.overrides.iter().any(|change| change.path == CELL_SIZE) {
        set(document, "grid", "cell_size", &number(loaded.setup.parameters.grid.cell_size));
        written.push(CELL_SIZE.to_owned());
    }
    written
}

/// Tables of the searches of cloths and of balls, each with its parameters in `loaded` and in `set_grids`.
fn point_grids(loaded: &Scene, set_grids: &[GridParameters]) -> Vec<(&'static str, GridParameters, GridParameters)> {
    let Some(points) = loaded.setup.points.as_ref() else { return Vec::new() };
    let sheets = points.source().as_any().downcast_ref::<PbdSetup>().map_or(0, |setup| setup.sheets().len());
    let of_scene = points.source().grids();
    let first_of = |sets: Range<usize>| {
        let table = if sets.start < sheets { "cloth.grid" } else { "ball.grid" };
        Some((table, *of_scene.get(sets.start)?, *set_grids.get(sets.start)?))
    };
    points.searches().filter_map(first_of).collect()
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

/// Sets the `key` of the table at `path`, keeping the space and the comments around its old value.
fn set(document: &mut DocumentMut, path: &str, key: &str, wanted: &Wanted) {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut names = path.split('.').filter(|name| !name.is_empty()).peekable();
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

// Saving of a changed view into the table `[view]` of a scene's file.

/// Names of the axes in files.
const AXES: [&str; 3] = ["x", "y", "z"];

impl View {
    /// Keys, such as `view.color`, whose values differ from those of `other`, without the camera's.
    pub fn differing_keys(&self, other: &Self) -> Vec<&'static str> {
        changed(self, other).into_iter().map(|(key, _)| key).collect()
    }
}

/// Writes what differs of `view` from `loaded`, but the camera, and returns the keys. `read` is the view of a document, `None` if it is
/// refused. A key that an included file gives cannot be given again, nor taken away: it is left as it is.
pub(super) fn set_view(
    document: &mut DocumentMut,
    view: &View,
    loaded: &View,
    read: impl Fn(&DocumentMut) -> Option<View>,
) -> Vec<&'static str> {
    let changed = changed(view, loaded);
    let mut written = Vec::new();
    // All at once, or one by one if that does not read as wanted.
    for entries in iter::once(changed.clone()).chain(changed.into_iter().map(|entry| vec![entry])) {
        let entries: Vec<Entry> = entries.into_iter().filter(|(key, _)| !written.contains(key)).collect();
        if entries.is_empty() {
            continue;
        }
        let before = document.clone();
        let keys: Vec<_> = entries.iter().map(|(key, _)| *key).collect();
        write_entries(document, entries);
        if read(document).is_some_and(|now| now.differing_keys(view).iter().all(|key| !keys.contains(key))) {
            written.extend(keys);
        } else {
            *document = before;
        }
    }
    written
}

fn write_entries(document: &mut DocumentMut, entries: Vec<Entry>) {
    let item = document.entry("view").or_insert_with(|| Item::Table(Table::new()));
    if let Some(table) = item.as_table_mut() {
        table.set_implicit(false);
    }
    // The schema has been checked: it is a table.
    let Some(table) = item.as_table_like_mut() else { return };
    for (path, new) in entries {
        let key = path.trim_start_matches("view.");
        match (table.get_mut(key).and_then(Item::as_value_mut), new) {
            (Some(old), Some(mut new)) => {
                *new.decor_mut() = old.decor().clone();
                *old = new;
            }
            (None, Some(new)) => {
                // A table of its own, such as `[view.clip]`, gives way to a line.
                table.remove(key);
                table.insert(key, Item::Value(new));
            }
            (_, None) => {
                table.remove(key);
            }
        }
    }
}

/// Entries of `view` that differ from those of `other`.
fn changed(view: &View, other: &View) -> Vec<Entry> {
    keys(view).into_iter().zip(keys(other)).filter(|(new, old)| text(new) != text(old)).map(|(new, _)| new).collect()
}

/// Key of the view with its value; `None` for one that is absent.
type Entry = (&'static str, Option<Value>);

fn text((_, value): &Entry) -> Option<String> {
    value.as_ref().map(Value::to_string)
}

fn keys(view: &View) -> [Entry; 9] {
    let View { color, color_map, range, look, clip, arrows, walls, bodies, point_colors, eye: _, target: _ } = *view;
    let clip = clip.map(|clip| {
        let mut table = InlineTable::new();
        table.insert("axis", AXES[clip.axis.min(2)].into());
        table.insert("position", short(clip.position));
        if clip.flipped {
            table.insert("flipped", true.into());
        }
        Value::InlineTable(table)
    });
    [
        ("view.color", named(Some(color))),
        ("view.color_map", named(color_map)),
        ("view.range", range.map(|range| Value::Array(range.map(short).into_iter().collect::<Array>()))),
        ("view.look", named(look)),
        ("view.clip", clip),
        ("view.arrows", arrows.then(|| true.into())),
        ("view.walls", named(walls)),
        ("view.bodies", named(bodies)),
        ("view.point_colors", named(point_colors)),
    ]
}

fn named<C: Choice>(choice: Option<C>) -> Option<Value> {
    choice.map(|choice| choice.option().name.into())
}

/// A number with the fewest digits that are the same `f32`: 0.0525, where the nearest `f64` would be 0.05249999836087227.
pub(super) fn short(number: f32) -> Value {
    format!("{number:?}").parse().unwrap_or_else(|_| f64::from(number).into())
}
