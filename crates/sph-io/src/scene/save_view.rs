//! Saving of a changed view into the table `[view]` of a scene's file.

use super::loaded::View;
use sph_core::parameters::Choice;
use std::iter;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

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
        write(document, entries);
        if read(document).is_some_and(|now| now.differing_keys(view).iter().all(|key| !keys.contains(key))) {
            written.extend(keys);
        } else {
            *document = before;
        }
    }
    written
}

fn write(document: &mut DocumentMut, entries: Vec<Entry>) {
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

fn keys(view: &View) -> [Entry; 8] {
    let View { color, color_map, range, look, clip, arrows, walls, bodies, eye: _, target: _ } = *view;
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
    ]
}

fn named<C: Choice>(choice: Option<C>) -> Option<Value> {
    choice.map(|choice| choice.option().name.into())
}

/// A number with the fewest digits that are the same `f32`: 0.0525, where the nearest `f64` would be 0.05249999836087227.
pub(super) fn short(number: f32) -> Value {
    format!("{number:?}").parse().unwrap_or_else(|_| f64::from(number).into())
}
