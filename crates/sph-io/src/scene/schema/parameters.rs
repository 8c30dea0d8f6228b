//! Parameters in the JSON Schema, from the table of [`sph_core::parameters`].

use super::key::Key;
use crate::scene::tables::one_of;
use serde_json::{Map, Value, json};
use sph_core::Discretization;
use sph_core::parameters::{self, Bounds, Kind, Parameter, Parameters, TABLES};

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
    Discretization::table().iter().for_each(|parameter| insert(schema, keys, parameter, &discretization));
    Parameters::table().iter().for_each(|parameter| insert(schema, keys, parameter, &Parameters::default()));
}

fn refuse_others(table: &mut Value) {
    table["additionalProperties"] = false.into();
}

/// The table of a dotted path, created if it is missing.
fn table_at<'s>(schema: &'s mut Value, path: &str) -> &'s mut Value {
    path.split('.').filter(|name| !name.is_empty()).fold(schema, |table, name| &mut table["properties"][name])
}

fn insert<T: 'static>(schema: &mut Value, keys: &mut Vec<Key>, parameter: &Parameter<T>, usual: &T) {
    let table = table_at(schema, parameter.table());
    let key = Key::of_parameter(parameter, usual);
    table["properties"][parameter.name()] = Value::Object(property(parameter, usual, key.description()));
    keys.push(key);
    if parameter.required {
        let required = table.as_object_mut().map(|table| table.entry("required").or_insert_with(|| json!([])));
        if let Some(Value::Array(required)) = required {
            required.push(parameter.name().into());
        }
    }
}

fn property<T: 'static>(parameter: &Parameter<T>, usual: &T, description: String) -> Map<String, Value> {
    let mut property = Map::new();
    property.insert("description".to_owned(), description.into());
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
    let default = match parameter.get(usual) {
        parameters::Value::Number(number) => Some(json!(exact(number))),
        parameters::Value::Count(count) => Some(json!(count)),
        parameters::Value::Choice(name) => Some(json!(name)),
        parameters::Value::Vector(vector) => Some(vector.to_array().map(exact).into_iter().collect()),
        parameters::Value::Absent => None,
    };
    if let Some(default) = default.filter(|_| !parameter.required && parameter.default_words.is_none()) {
        property.insert("default".to_owned(), default);
    }
    property
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
