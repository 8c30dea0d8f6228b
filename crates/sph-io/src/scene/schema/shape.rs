//! Places of the schema, read back: the kind, the range and the description of the value that may stand there.

use serde_json::Value;
use sph_core::parameters::Bounds;

/// One place of the schema. Of a value or a curve (`anyOf`) it is the value that is described.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'s>(&'s Value);

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Table,
    Array,
    Integer,
    Number,
    Boolean,
    String,
}

impl Kind {
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
    pub fn kind(self) -> Kind {
        match self.text("type") {
            Some("object") => Kind::Table,
            Some("array") => Kind::Array,
            Some("integer") => Kind::Integer,
            Some("number") => Kind::Number,
            Some("boolean") => Kind::Boolean,
            // Names of choices, and strings.
            _ => Kind::String,
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
        let of_rows = self.items().is_some_and(|item| item.kind() == Kind::Array);
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
