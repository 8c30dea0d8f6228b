//! Parameters in the JSON Schema, from the table of [`sph_core::parameters`].

use super::key::Key;
use crate::scene::tables::one_of;
use serde_json::{Map, Value, json};
use sph_core::Discretization;
use sph_core::parameters::{self, Bounds, Curve, Kind, Parameter, Parameters, TABLES};

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
