//! The JSON Schema of scene files and the reference of their keys: made from the tables and the parameters.

mod key;

pub use key::reference;

pub(crate) use key::{Shape, ValueKind};

use std::sync::LazyLock;

use super::tables::{ORDER, REPEATED, SceneFile, one_of};
use key::Key;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value, json};
use sph_core::Discretization;
use sph_core::parameters::{self, Bounds, Curve, Kind, Parameter, Parameters, TABLES};

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
    insert_all(&mut schema, &mut keys);
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
        let inner = if Shape::new(property).kind() == ValueKind::Array { &mut property["items"] } else { &mut *property };
        if Shape::new(inner).kind() == ValueKind::Table {
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

/// The dotted path of a key `name`, of whichever table: of several, of a parameter. `None` if each stands in an array, where a path needs the
/// number of an item.
pub(crate) fn same_key(name: &str) -> Option<&'static str> {
    let same = all_keys().iter().filter(|whole| whole.rsplit('.').next() == Some(name) && !is_in_array(whole));
    same.min_by_key(|whole| !Parameters::table().iter().any(|parameter| parameter.key == **whole)).map(String::as_str)
}

/// True if the key at `path` is one of the items of an array.
fn is_in_array(path: &str) -> bool {
    let mut shape = whole_file();
    path.split('.').any(|key| {
        let is_item = shape.kind() == ValueKind::Array;
        shape = shape.property(key).unwrap_or(shape);
        is_item
    })
}

fn collect_keys() -> Vec<String> {
    fn collect(shape: Shape<'_>, prefix: &str, is_repeated: bool, keys: &mut Vec<(bool, String)>) {
        for (key, inner) in shape.properties() {
            let path = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
            let entries = inner.items();
            collect(entries.unwrap_or(inner), &path, is_repeated || entries.is_some(), keys);
            keys.push((is_repeated, path));
        }
    }
    let mut keys = Vec::new();
    collect(whole_file(), "", false, &mut keys);
    // Keys of tables that stand once come first.
    keys.sort_by_key(|(is_repeated, _)| *is_repeated);
    keys.into_iter().map(|(_, path)| path).collect()
}

// Parameters in the JSON Schema, from the table of `sph_core::parameters`.

/// Adds every parameter to the schema and to the keys, and the tables that they are in. Unknown keys are refused in each of these tables.
pub(crate) fn insert_all(schema: &mut Value, keys: &mut Vec<Key>) {
    refuse_others(schema);
    for (path, description) in TABLES {
        let table = table_at(schema, path);
        table["type"] = "object".into();
        table["description"] = description.into();
        refuse_others(table);
    }
    let discretization = Discretization::new(sph_core::Dimensions::Three, 1.0);
    for parameter in Discretization::table() {
        insert(schema, keys, parameter, &discretization, property);
    }
    for parameter in Parameters::table() {
        insert(schema, keys, parameter, &Parameters::default(), property_or_curve);
    }
}

fn refuse_others(table: &mut Value) {
    table["additionalProperties"] = false.into();
}

/// The table of a dotted path, created if it is missing.
fn table_at<'s>(schema: &'s mut Value, path: &str) -> &'s mut Value {
    path.split('.').filter(|name| !name.is_empty()).fold(schema, |table, name| &mut table["properties"][name])
}

/// Schema of the values of a parameter, without documentation.
type Property<T> = fn(&Parameter<T>) -> Map<String, Value>;

fn insert<T: 'static>(schema: &mut Value, keys: &mut Vec<Key>, parameter: &Parameter<T>, usual: &T, values: Property<T>) {
    let table = table_at(schema, parameter.table());
    let key = Key::of_parameter(parameter, usual);
    let mut property = values(parameter);
    property.insert("description".to_owned(), key.description().into());
    property.extend(default(parameter, usual).map(|default| ("default".to_owned(), default)));
    table["properties"][parameter.name()] = Value::Object(property);
    keys.push(key);
    if parameter.required {
        let required = table.as_object_mut().map(|table| table.entry("required").or_insert_with(|| json!([])));
        if let Some(Value::Array(required)) = required {
            required.push(parameter.name().into());
        }
    }
}

/// A value, or for a number rows of a time and a value.
fn property_or_curve<T: 'static>(parameter: &Parameter<T>) -> Map<String, Value> {
    let plain = property(parameter);
    let [least, most] = match parameter.kind {
        Kind::Choice(_) => return plain,
        Kind::Number { .. } | Kind::Count => [2, 2],
        Kind::Vector => [3, 4],
    };
    let row = json!({ "type": "array", "items": { "type": "number" }, "minItems": least, "maxItems": most });
    let curve = json!({ "type": "array", "items": row, "minItems": 1, "maxItems": Curve::MAX_POINTS });
    Map::from_iter([("anyOf".to_owned(), json!([plain, curve]))])
}

fn property<T: 'static>(parameter: &Parameter<T>) -> Map<String, Value> {
    let mut property = Map::new();
    match &parameter.kind {
        Kind::Number { .. } => {
            property.insert("type".to_owned(), "number".into());
            insert_bounds(&mut property, parameter.bounds);
        }
        Kind::Count => {
            property.insert("type".to_owned(), "integer".into());
            let Bounds { low, high, .. } = parameter.bounds;
            property.insert("minimum".to_owned(), json!(low as u64));
            property.insert("maximum".to_owned(), json!(high as u64));
        }
        Kind::Choice(options) => {
            property.insert("oneOf".to_owned(), one_of(options.iter().copied()));
        }
        Kind::Vector => {
            property.insert("type".to_owned(), "array".into());
            property.insert("items".to_owned(), json!({ "type": "number" }));
            property.insert("minItems".to_owned(), 2.into());
            property.insert("maxItems".to_owned(), 3.into());
        }
    }
    property
}

fn default<T: 'static>(parameter: &Parameter<T>, usual: &T) -> Option<Value> {
    let default = match parameter.get(usual) {
        parameters::Value::Number(number) => Some(json!(exact(number))),
        parameters::Value::Count(count) => Some(json!(count)),
        parameters::Value::Choice(name) => Some(json!(name)),
        parameters::Value::Vector(vector) => Some(vector.to_array().map(exact).into_iter().collect()),
        parameters::Value::Absent => None,
    };
    default.filter(|_| !parameter.required && parameter.default_words.is_none())
}

fn insert_bounds(property: &mut Map<String, Value>, Bounds { low, high, above_low, .. }: Bounds) {
    let key = if above_low { "exclusiveMinimum" } else { "minimum" };
    property.insert(key.to_owned(), whole_where_possible(low));
    if high < f64::from(f32::MAX) {
        property.insert("maximum".to_owned(), whole_where_possible(high));
    }
}

/// A number without a fraction as an integer: `2` rather than `2.0`.
fn whole_where_possible(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}

/// The `f64` of the fewest digits that are this `f32`: 0.4, and not 0.4000000059604645.
fn exact(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
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
