//! Parameters as they are written: by key, those that have changed.

use serde_json::{Map, Value as Json, json};
use sph_core::Parameters;
use sph_core::parameters::{Kind, Value};

/// Values of the parameters of `now` that differ from `before`; of all if that is `None`.
pub(super) fn written(now: &Parameters, before: Option<&Parameters>) -> Map<String, Json> {
    let table = Parameters::table().iter();
    let changed = table.filter(|parameter| before.is_none_or(|before| parameter.get(before) != parameter.get(now)));
    changed.map(|parameter| (parameter.key.to_owned(), json_of(parameter.get(now)))).collect()
}

/// `before` with the `values` of a row.
///
/// # Errors
/// An unknown key, or a value of another type, in words.
pub(super) fn read(values: &Map<String, Json>, before: Parameters) -> Result<Parameters, String> {
    let mut parameters = before;
    for (key, json) in values {
        let Some(parameter) = Parameters::table().iter().find(|parameter| parameter.key == key) else {
            return Err(format!("parameters: {key} is no parameter"));
        };
        let value = value_of(json, &parameter.kind);
        if !value.is_some_and(|value| parameter.set(&mut parameters, value)) {
            return Err(format!("parameters.{key}: {json} is no value of it"));
        }
    }
    Ok(parameters)
}

fn json_of(value: Value) -> Json {
    match value {
        Value::Number(number) => json!(shortest(number)),
        Value::Count(count) => json!(count),
        Value::Choice(name) => json!(name),
        Value::Vector(vector) => json!(vector.to_array().map(shortest)),
        Value::Absent => Json::Null,
    }
}

/// The number of 64 bits with the fewest digits that reads back as `number`.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or_else(|_| number.into())
}

fn value_of(json: &Json, kind: &Kind) -> Option<Value> {
    let number = |json: &Json| json.as_f64().map(|number| number as f32);
    match (kind, json) {
        (Kind::Number { optional: true }, Json::Null) => Some(Value::Absent),
        (Kind::Number { .. }, json) => number(json).map(Value::Number),
        (Kind::Count, json) => json.as_u64().and_then(|count| u32::try_from(count).ok()).map(Value::Count),
        (Kind::Choice(options), json) => {
            options.iter().map(|option| option.name).find(|name| Some(*name) == json.as_str()).map(Value::Choice)
        }
        (Kind::Vector, Json::Array(numbers)) => {
            let numbers: Vec<f32> = numbers.iter().map(number).collect::<Option<_>>()?;
            <[f32; 3]>::try_from(numbers).ok().map(|numbers| Value::Vector(numbers.into()))
        }
        (Kind::Vector, _) => None,
    }
}
