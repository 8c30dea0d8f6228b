//! Keys of scene files, as the schema and the reference describe them.

use super::shape::{Kind, Shape};
use serde_json::Value;
use sph_core::parameters::{self, Parameter};

/// A key that has a value, in words.
pub(crate) struct Key {
    /// Dotted path of its table, empty for the top: `fluid.blocks`.
    pub table: String,
    /// Its name in the table.
    pub name: String,
    /// Unit; empty for a value without one.
    pub unit: String,
    /// Range; none for text and for a choice.
    pub range: Option<String>,
    /// Default; none where a value must be given, or where it depends on other keys.
    pub default: Option<String>,
    /// Documentation, without unit, range and default.
    pub documentation: String,
    /// Values of a choice, or of the items of a list, each with a sentence.
    pub options: Vec<(String, String)>,
    /// True if a scene must have it.
    pub required: bool,
}

impl Key {
    /// The key of a parameter.
    pub fn of_parameter<T: 'static>(parameter: &Parameter<T>, usual: &T) -> Self {
        let (range, options) = match &parameter.kind {
            parameters::Kind::Choice(options) => (None, options.as_slice()),
            parameters::Kind::Vector => (Some(format!("2 or 3 numbers, each {}", parameter.bounds)), [].as_slice()),
            parameters::Kind::Number { .. } | parameters::Kind::Count => (Some(parameter.bounds.to_string()), [].as_slice()),
        };
        Self {
            table: parameter.table().to_owned(),
            name: parameter.name().to_owned(),
            unit: parameter.unit.to_owned(),
            range,
            default: (!parameter.required).then(|| parameter.default_text(usual)),
            documentation: parameter.documentation.clone(),
            options: options.iter().map(|option| (option.name.to_owned(), option.summary())).collect(),
            required: parameter.required,
        }
    }

    /// The key of a field of the tables, from its schema and the extensions `x-unit`, `x-range` and `x-default` of it.
    pub fn of_field(table: &str, name: &str, shape: Shape<'_>, required: bool) -> Self {
        let words = |name: &str| shape.text(name).map(str::to_owned);
        Self {
            table: table.to_owned(),
            name: name.to_owned(),
            unit: words("x-unit").unwrap_or_default(),
            range: words("x-range").or_else(|| range(shape)),
            default: if required { None } else { words("x-default").or_else(|| default(shape)) },
            documentation: shape.description().unwrap_or_default().to_owned(),
            options: shape.items().unwrap_or(shape).options(),
            required,
        }
    }

    /// Documentation, range and default: the description that editors and errors show.
    pub fn description(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" ({})", self.unit) };
        let range = self.range.as_ref().map(|range| format!("Range: {range}{unit}"));
        let default = self.default.as_ref().map(|default| {
            let word = if range.is_some() { "default" } else { "Default" };
            format!("{word}: {default}")
        });
        let facts: Vec<String> = range.into_iter().chain(default).collect();
        if facts.is_empty() { self.documentation.clone() } else { format!("{} {}.", self.documentation, facts.join("; ")) }
    }
}

/// The range of a field's values; none for text and for a choice.
fn range(shape: Shape<'_>) -> Option<String> {
    match shape.kind() {
        Kind::Table | Kind::String => None,
        Kind::Boolean => Some("`true` or `false`".to_owned()),
        Kind::Integer | Kind::Number => {
            let choices = shape.choices();
            Some(if choices.is_empty() { shape.bounds().to_string() } else { choices.join(" or ") })
        }
        Kind::Array => {
            let item = innermost(shape);
            let names: Vec<String> = item.choices().iter().map(|name| format!("`{name}`")).collect();
            if !names.is_empty() {
                return Some(format!("list of {}", names.join(", ")));
            }
            let items = shape.items_in_words()?;
            let is_bounded = item.limit("minimum").or(item.limit("maximum")).is_some();
            Some(if is_bounded { format!("{items}, each {}", item.bounds()) } else { items })
        }
    }
}

/// The items of an array, or of its rows.
fn innermost(shape: Shape<'_>) -> Shape<'_> {
    shape.items().map_or(shape, innermost)
}

/// The default of a field in words.
fn default(shape: Shape<'_>) -> Option<String> {
    match shape.default()? {
        Value::Null | Value::Object(_) => None,
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => number.as_f64().map(|number| number.to_string()),
        Value::String(text) if text.is_empty() => Some("empty".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if items.is_empty() => Some("none".to_owned()),
        Value::Array(_) => None,
    }
}
