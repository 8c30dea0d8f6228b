//! Curves of scene files: parameters whose value is a list of rows, each a time and the value then.

use super::error::Fault;
use super::parameters::{is_curve, number, value_at};
use super::tables::Vectors;
use sph_core::parameters::{Curve, CurveError, Kind, Parameter, Parameters, Value};
use toml::Table;

/// The curves of the file, which has been checked against the schema. Adds their faults to those of `vectors`.
pub(super) fn curves(file: &Table, vectors: &mut Vectors) -> Vec<Curve> {
    let parameters = Parameters::table().iter();
    parameters.filter_map(|parameter| curve(parameter, value_at(file, parameter.key)?, vectors)).collect()
}

fn curve(parameter: &'static Parameter<Parameters>, value: &toml::Value, vectors: &mut Vectors) -> Option<Curve> {
    let rows = value.as_array().filter(|_| is_curve(value, &parameter.kind))?;
    let mut points = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let numbers: Vec<f64> = row.as_array().into_iter().flatten().filter_map(number).collect();
        let (&time, rest) = numbers.split_first()?;
        let place = format!("{}.{index}", parameter.key);
        let value = match (&parameter.kind, rest) {
            (Kind::Vector, components) => Value::Vector(vectors.read(components, place)),
            (Kind::Count, &[count]) if count.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&count) => {
                Value::Count(count as u32)
            }
            (Kind::Count, rest) => {
                let found = rest.first().copied().unwrap_or_default();
                let message = format!("`{place}.1` must be a whole number, but is {found}");
                vectors.faults.push(Fault::at_path(format!("{place}.1"), message, format!("expected {}", parameter.range())));
                return None;
            }
            (_, rest) => Value::Number(*rest.first()? as f32),
        };
        points.push((time, value));
    }
    match Curve::through(parameter, points) {
        Ok(curve) => Some(curve),
        Err(error) => {
            vectors.faults.push(fault(parameter, &error));
            None
        }
    }
}

fn fault(parameter: &Parameter<Parameters>, error: &CurveError) -> Fault {
    let key = parameter.key;
    match error {
        CurveError::Count(_) => Fault::at_path(key, error.to_string(), "expected rows of a time and a value"),
        CurveError::Time(row) => Fault::at_path(format!("{key}.{row}.0"), error.to_string(), "expected a time (s)"),
        CurveError::NotLater(row) => {
            let message = format!("the time of row {row} of `{key}` is not later than the one before");
            Fault::at_path(format!("{key}.{row}.0"), message, "expected a later time")
        }
        CurveError::Kind(row) => Fault::at_path(format!("{key}.{row}"), error.to_string(), "expected a time and a value"),
        CurveError::Range { point, error } => {
            Fault::at_path(format!("{key}.{point}.1"), error.to_string(), format!("expected {}", error.expected))
        }
    }
}
