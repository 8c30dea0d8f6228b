//! Saving of a changed view into the table `[view]` of a scene's file.

use super::loaded::View;
use sph_core::parameters::Choice;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

/// Names of the axes in files.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Writes what differs of `view` from `loaded`, but the camera, and returns the keys.
pub(super) fn set_view(document: &mut DocumentMut, view: &View, loaded: &View) -> Vec<&'static str> {
    let changed: Vec<_> = keys(view).into_iter().zip(keys(loaded)).filter(|(new, old)| text(new) != text(old)).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let item = document.entry("view").or_insert_with(|| Item::Table(Table::new()));
    if let Some(table) = item.as_table_mut() {
        table.set_implicit(false);
    }
    // The schema has been checked: it is a table.
    let Some(table) = item.as_table_like_mut() else { return Vec::new() };
    let mut written = Vec::new();
    for ((path, new), _) in changed {
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
        written.push(path);
    }
    written
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
