//! Generation of the JSON Schema of scene files, from the tables and from the parameters.

use super::key::Key;
use super::parameters;
use super::shape::{Kind, Shape};
use crate::scene::tables::{ORDER, REPEATED, SceneFile};
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;
use std::sync::LazyLock;

/// The JSON Schema (draft 7) of scene files, indented: for editors that complete and check TOML.
pub fn json_schema() -> String {
    // `{:#}` of a JSON value is its indented form, and unlike the serialiser's it cannot fail.
    format!("{:#}\n", FORMAT.schema)
}

/// The whole file, as a place of the schema.
pub(crate) fn whole_file() -> Shape<'static> {
    Shape::new(&FORMAT.schema)
}

/// Every key that has a value.
pub(crate) fn keys() -> &'static [Key] {
    &FORMAT.keys
}

/// The format of scene files.
struct Format {
    schema: Value,
    keys: Vec<Key>,
}

static FORMAT: LazyLock<Format> = LazyLock::new(|| {
    // Draft 7 is what TOML editors read. Without references every place of the schema can be read by itself.
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.transforms.push(Box::new(RecursiveTransform(tidy)));
    });
    let mut schema = settings.into_generator().into_root_schema_for::<SceneFile>().to_value();
    let mut keys = Vec::new();
    describe(&mut schema, "", &mut keys);
    parameters::insert_all(&mut schema, &mut keys);
    Format { schema, keys }
});

/// Collects the keys of a table and of those below it, and completes their descriptions.
///
/// Removes the extensions `x-…`, which are read from the fields of the tables here.
fn describe(table: &mut Value, path: &str, keys: &mut Vec<Key>) {
    let required: Vec<String> = Shape::new(table).required().map(str::to_owned).collect();
    let order = table.as_object_mut().and_then(|table| table.remove(ORDER));
    let Some(Value::Object(properties)) = table.get_mut("properties") else { return };
    let mut unlisted = Vec::new();
    for name in order.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_str) {
        let Some(property) = properties.get_mut(name) else { continue };
        // Shapes within a shape have the keys of the shape itself, which the reference lists once.
        let is_repeated = property.as_object_mut().and_then(|property| property.remove(REPEATED)).is_some();
        let inner = if Shape::new(property).kind() == Kind::Array { &mut property["items"] } else { &mut *property };
        if Shape::new(inner).kind() == Kind::Table {
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            describe(inner, &path, if is_repeated { &mut unlisted } else { keys });
            continue;
        }
        let key = Key::of_field(path, name, Shape::new(property), required.iter().any(|key| key == name));
        if let Some(property) = property.as_object_mut() {
            property.insert("description".to_owned(), key.description().into());
            property.retain(|name, _| !name.starts_with("x-"));
        }
        keys.push(key);
    }
}

/// Removes details of Rust that mean nothing in TOML: number formats, null, line breaks of doc comments.
fn tidy(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    // A key that may be left out has the type `[T, "null"]`; TOML leaves it out and has no null.
    if let Some(kind) = schema.get_mut("type")
        && let Some([only, ..]) = kind.as_array().map(Vec::as_slice)
    {
        *kind = only.clone();
    }
    // A choice that may be left out has `anyOf: [T, null]` instead.
    if let Some([only, null]) = schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
        && null.get("type") == Some(&Value::from("null"))
        && let Some(only) = only.as_object().cloned()
    {
        schema.remove("anyOf");
        for (key, value) in only {
            // The description of the key takes precedence over that of its type.
            if schema.get(&key).is_none() {
                schema.insert(key, value);
            }
        }
    }
    if let Some(choices) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        choices.retain(|choice| !choice.is_null());
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
}

/// The dotted path of every key, without indices of arrays: `fluid.blocks.min`.
pub(crate) fn all_keys() -> &'static [String] {
    static KEYS: LazyLock<Vec<String>> = LazyLock::new(collect_keys);
    &KEYS
}

fn collect_keys() -> Vec<String> {
    fn collect(shape: Shape<'_>, prefix: &str, keys: &mut Vec<String>) {
        for (key, inner) in shape.properties() {
            let path = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
            collect(inner.items().unwrap_or(inner), &path, keys);
            keys.push(path);
        }
    }
    let mut keys = Vec::new();
    collect(whole_file(), "", &mut keys);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::neighbors::{MAX_TABLE_SIZE, Structure};
    use sph_core::{Dimensions, Face};

    fn shape(path: &str) -> Shape<'static> {
        let step = |shape: Shape<'static>, key| shape.items().unwrap_or(shape).property(key).unwrap();
        path.split('.').fold(whole_file(), step)
    }

    #[test]
    fn every_key_has_a_description() {
        for key in all_keys() {
            assert!(shape(key).description().is_some_and(|text| text.len() > 10), "{key}");
        }
    }

    #[test]
    fn choices_and_limits_are_those_of_the_simulation() {
        assert_eq!(shape("grid.structure").choices(), Structure::USUAL.map(Structure::name));
        assert_eq!(shape("containers.moving.face").choices(), Face::ALL.map(Face::name));
        assert_eq!(shape("dimensions").choices(), [Dimensions::Two, Dimensions::Three].map(|d| d.count().to_string()));
        assert_eq!(shape("grid.table_size").limit("maximum"), Some(f64::from(MAX_TABLE_SIZE)));
    }

    #[test]
    fn the_schema_is_of_toml_not_of_rust() {
        let text = json_schema();
        for alien in ["null", "$ref", "double", "uint32", "Table\""] {
            assert!(!text.contains(alien), "{alien}\n{text}");
        }
        assert!(text.contains("http://json-schema.org/draft-07/schema#"));
        assert!(text.contains("\"additionalProperties\": false"));
        assert_eq!(shape("fluid.rest_density").limit("default"), Some(1000.0));
        assert_eq!(shape("time_step.cfl_factor").limit("default"), Some(0.4));
    }
}
