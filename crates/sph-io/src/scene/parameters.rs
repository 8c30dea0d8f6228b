//! Values of parameters in scene files, by the keys of [`sph_core::parameters`].

use super::tables::Vectors;
use sph_core::parameters::{Kind, Parameter, Parameters, Value};
use toml::Table;

/// The value of a dotted key, if the file has it.
pub(crate) fn value_at<'v>(file: &'v Table, key: &str) -> Option<&'v toml::Value> {
    let (tables, name) = key.rsplit_once('.').unwrap_or(("", key));
    let step = |table: &'v Table, name: &str| table.get(name)?.as_table();
    tables.split('.').filter(|name| !name.is_empty()).try_fold(file, step)?.get(name)
}

/// The number of a dotted key, if the file has it.
pub(crate) fn number_at(file: &Table, key: &str) -> Option<f64> {
    value_at(file, key).and_then(number)
}

pub(super) fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64))
}

/// True if the value of a parameter of this kind is a curve: rows of a time and a value.
pub(super) fn is_curve(value: &toml::Value, kind: &Kind) -> bool {
    value.as_array().is_some_and(|items| match kind {
        Kind::Vector => items.first().is_some_and(toml::Value::is_array),
        Kind::Number { .. } | Kind::Count => true,
        Kind::Choice(_) => false,
    })
}

/// Sets those parameters of `values` that the file has. The file has been checked against the schema: kinds and ranges are right.
pub(crate) fn read<T: 'static>(file: &Table, table: &[Parameter<T>], values: &mut T, vectors: &mut Vectors) {
    for parameter in table {
        // Curves are read by themselves.
        let found =
            value_at(file, parameter.key).filter(|value| !is_curve(value, &parameter.kind)).and_then(|value| match &parameter
                .kind
            {
                Kind::Number { .. } => number(value).map(|number| Value::Number(number as f32)),
                Kind::Count => value.as_integer().and_then(|integer| u32::try_from(integer).ok()).map(Value::Count),
                Kind::Choice(options) => {
                    let name = value.as_str()?;
                    options.iter().find(|option| option.name == name).map(|option| Value::Choice(option.name))
                }
                Kind::Vector => {
                    let numbers: Vec<f64> = value.as_array()?.iter().filter_map(number).collect();
                    Some(Value::Vector(vectors.read(&numbers, parameter.key)))
                }
            });
        if let Some(found) = found {
            parameter.set(values, found);
        }
    }
}

/// Adapts the default of one bound of a solver's iterations where the file gives only the other, and beyond it.
pub(crate) fn reconcile_iterations(file: &Table, parameters: &mut Parameters) {
    for (least, most) in Parameters::iteration_bounds() {
        let (Value::Count(low), Value::Count(high)) = (least.get(parameters), most.get(parameters)) else { continue };
        let is_given = |parameter: &Parameter<Parameters>| value_at(file, parameter.key).is_some();
        if low > high && !is_given(most) {
            most.set(parameters, Value::Count(low));
        } else if low > high && !is_given(least) {
            least.set(parameters, Value::Count(high));
        }
    }
}
