//! Keys of scene files: as they are read back from the schema, and as the reference describes them.

use super::keys;
use serde_json::Value;
use sph_core::parameters::{self, Bounds, Parameter};

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
        ValueKind::Table | ValueKind::String => None,
        ValueKind::Boolean => Some("`true` or `false`".to_owned()),
        ValueKind::Integer | ValueKind::Number => {
            let choices = shape.choices();
            Some(if choices.is_empty() { shape.bounds().to_string() } else { choices.join(" or ") })
        }
        ValueKind::Array => {
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

// Places of the schema, read back: the kind, the range and the description of the value that may stand there.

/// One place of the schema. Of a value or a curve (`anyOf`) it is the value that is described.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'s>(&'s Value);

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ValueKind {
    Table,
    Array,
    Integer,
    Number,
    Boolean,
    String,
}

impl ValueKind {
    /// The kind in words, with its article.
    pub fn words(self) -> &'static str {
        match self {
            Self::Table => "a table",
            Self::Array => "an array",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::String => "a string",
        }
    }
}

impl<'s> Shape<'s> {
    /// The place that `value`, a JSON Schema, describes.
    pub fn new(value: &'s Value) -> Self {
        Self(value)
    }

    /// A key of a table.
    pub fn property(self, key: &str) -> Option<Self> {
        self.keyword("properties")?.get(key).map(Self)
    }

    /// The keys of a table, in alphabetical order.
    pub fn properties(self) -> impl Iterator<Item = (&'s str, Self)> {
        let properties = self.0.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(key, shape)| (key.as_str(), Self(shape)))
    }

    /// The keys that a table must have.
    pub fn required(self) -> impl Iterator<Item = &'s str> {
        self.list("required").filter_map(Value::as_str)
    }

    /// The items of an array.
    pub fn items(self) -> Option<Self> {
        self.keyword("items").map(Self)
    }

    /// The rows of a curve, if its values may be one.
    pub fn curve(self) -> Option<Self> {
        self.0.get("anyOf")?.get(1).map(Self)
    }

    fn keyword(self, name: &str) -> Option<&'s Value> {
        self.0.get(name).or_else(|| self.0.get("anyOf")?.get(0)?.get(name))
    }

    /// The kind of its values.
    pub fn kind(self) -> ValueKind {
        match self.text("type") {
            Some("object") => ValueKind::Table,
            Some("array") => ValueKind::Array,
            Some("integer") => ValueKind::Integer,
            Some("number") => ValueKind::Number,
            Some("boolean") => ValueKind::Boolean,
            // Names of choices, and strings.
            _ => ValueKind::String,
        }
    }

    /// The values to choose from, if only some are possible: names, or numbers in digits.
    pub fn choices(self) -> Vec<String> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        // Values that are documented one by one come as `oneOf`, each a `const` or an `enum` of its own.
        let documented = self.list("oneOf").flat_map(|option| Shape(option).choices());
        let constant = self.0.get("const").map(text);
        self.list("enum").map(text).chain(constant).chain(documented).collect()
    }

    /// The names to choose from that are documented one by one, each with its description.
    pub fn options(self) -> Vec<(String, String)> {
        let option =
            |option: &Value| Some((option.get("const")?.as_str()?.to_owned(), Shape(option).description()?.to_owned()));
        self.list("oneOf").filter_map(option).collect()
    }

    /// Documentation, range and default of the key.
    pub fn description(self) -> Option<&'s str> {
        self.text("description")
    }

    /// A limit such as `minimum` or `maxItems`.
    pub fn limit(self, name: &str) -> Option<f64> {
        self.keyword(name).and_then(Value::as_f64)
    }

    /// Bounds of a number.
    pub fn bounds(self) -> Bounds {
        let above = self.limit("exclusiveMinimum");
        let low = above.or(self.limit("minimum")).unwrap_or(f64::NEG_INFINITY);
        let high = self.limit("maximum").unwrap_or(f64::INFINITY);
        Bounds { low, high, above_low: above.is_some(), words: None }
    }

    /// Number and kind of an array's items: `2 or 3 numbers`. `None` if the number is not bounded.
    pub fn items_in_words(self) -> Option<String> {
        let of_rows = self.items().is_some_and(|item| item.kind() == ValueKind::Array);
        let count = match (self.limit("minItems"), self.limit("maxItems")) {
            (Some(least), Some(most)) if least == most => format!("{least}"),
            (Some(least), Some(most)) if least + 1.0 == most => format!("{least} or {most}"),
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => return Some(format!("at least {least}")),
            _ => return None,
        };
        Some(format!("{count} {}", if of_rows { "rows of numbers" } else { "numbers" }))
    }

    /// A text of the schema, such as `description`.
    pub fn text(self, name: &str) -> Option<&'s str> {
        self.keyword(name).and_then(Value::as_str)
    }

    /// The default, if the schema has one.
    pub fn default(self) -> Option<&'s Value> {
        self.0.get("default")
    }

    fn list(self, name: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten()
    }
}

/// The keys of every table of scene files: the dotted path of the table, empty for the top, and its keys as a Markdown table.
///
/// Keys that a scene must have come first.
pub fn reference() -> Vec<(String, String)> {
    let mut paths: Vec<&str> = Vec::new();
    for key in keys() {
        if !paths.contains(&key.table.as_str()) {
            paths.push(&key.table);
        }
    }
    paths.into_iter().map(|path| (path.to_owned(), table(path))).collect()
}

fn table(path: &str) -> String {
    let mut rows: Vec<&Key> = keys().iter().filter(|key| key.table == path).collect();
    rows.sort_by_key(|key| !key.required);
    let header = "| Key | Unit | Range | Default | Meaning |\n|---|---|---|---|---|\n";
    rows.into_iter().map(row).fold(header.to_owned(), |text, row| text + &row)
}

fn row(key: &Key) -> String {
    let unit = if key.unit.is_empty() { "–" } else { &key.unit };
    let names = || key.options.iter().map(|(name, _)| code(name)).collect::<Vec<_>>().join(", ");
    let range = match &key.range {
        Some(range) => range.clone(),
        None if key.options.is_empty() => "text".to_owned(),
        None => names(),
    };
    let default = key.default.as_deref().map(|default| default_cell(default, key)).unwrap_or_default();
    let options = key.options.iter().map(|(name, sentence)| format!("<br>{}: {sentence}", code(name)));
    let meaning = options.fold(key.documentation.clone(), |text, option| text + &option);
    let cells = [code(&key.name), unit.to_owned(), range, default, meaning];
    // A bar would end the cell.
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// Values as code, words as they are.
fn default_cell(default: &str, key: &Key) -> String {
    let is_value = key.options.iter().any(|(name, _)| name == default) || default.starts_with('[');
    if is_value || ["true", "false"].contains(&default) { code(default) } else { default.to_owned() }
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
