//! The JSON Schema of scene files, and reading it back: what may stand at a place of a scene.

use super::parameters;
use crate::scene::tables::SceneFile;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::Value;
use std::sync::LazyLock;

/// The JSON Schema (draft 7) of scene files, indented: for editors that complete and check TOML.
pub fn json_schema() -> String {
    // `{:#}` of a JSON value is its indented form, and unlike the serialiser's it cannot fail.
    format!("{:#}\n", *SCHEMA)
}

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    // Draft 7 is what TOML editors read. Without references every place of the schema can be read by itself.
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.transforms.push(Box::new(RecursiveTransform(tidy)));
    });
    let mut schema = settings.into_generator().into_root_schema_for::<SceneFile>().to_value();
    parameters::insert_all(&mut schema);
    schema
});

/// Takes out what says nothing to a writer of TOML: Rust's number formats, null, line breaks of our comments.
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
    // One with names to choose from has `anyOf: [T, null]` instead.
    if let Some([only, null]) = schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
        && null.get("type") == Some(&Value::from("null"))
        && let Some(only) = only.as_object().cloned()
    {
        schema.remove("anyOf");
        for (key, value) in only {
            // What the key means says more than what its type does.
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

/// One place of the schema.
#[derive(Clone, Copy)]
pub(crate) struct Shape(&'static Value);

/// What kind of value a place takes.
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

impl Shape {
    /// The whole file.
    pub fn root() -> Self {
        Self(&SCHEMA)
    }

    /// A key of a table.
    pub fn property(self, key: &str) -> Option<Self> {
        self.0.get("properties")?.get(key).map(Self)
    }

    /// The keys of a table, in alphabetical order.
    pub fn properties(self) -> impl Iterator<Item = (&'static str, Self)> {
        let properties = self.0.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(key, shape)| (key.as_str(), Self(shape)))
    }

    /// The keys that a table must have.
    pub fn required(self) -> impl Iterator<Item = &'static str> {
        self.0.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// The items of an array.
    pub fn items(self) -> Option<Self> {
        self.0.get("items").map(Self)
    }

    pub fn kind(self) -> Kind {
        match self.0.get("type").and_then(Value::as_str) {
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
        let list = |key| self.0.get(key).and_then(Value::as_array).into_iter().flatten();
        // Choices that are documented one by one come as `oneOf`, each a `const` or an `enum` of its own.
        let documented = list("oneOf").flat_map(|choice| Shape::of(choice).choices());
        let constant = self.0.get("const").map(text);
        list("enum").map(text).chain(constant).chain(documented).collect()
    }

    fn of(value: &'static Value) -> Self {
        Self(value)
    }

    /// What the key means, from its doc comment.
    pub fn description(self) -> Option<&'static str> {
        self.0.get("description").and_then(Value::as_str)
    }

    /// A limit such as `minimum` or `maxItems`.
    pub fn limit(self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Value::as_f64)
    }
}

/// The dotted paths of every key; items of arrays are not counted out: `fluid.blocks.min`.
pub(crate) fn all_keys() -> &'static [String] {
    static KEYS: LazyLock<Vec<String>> = LazyLock::new(collect_keys);
    &KEYS
}

fn collect_keys() -> Vec<String> {
    fn collect(shape: Shape, prefix: &str, keys: &mut Vec<String>) {
        for (key, inner) in shape.properties() {
            let path = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
            collect(inner.items().unwrap_or(inner), &path, keys);
            keys.push(path);
        }
    }
    let mut keys = Vec::new();
    collect(Shape::root(), "", &mut keys);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use sph_core::neighbors::{HashFunction, MAX_TABLE_SIZE, Registration, Storage, Structure, Update, Walk};
    use sph_core::{DensityDiffusion, Dimensions, Integration, KernelKind, Method, StateEquation, WallPressure, WallSampling};

    fn shape(path: &str) -> Shape {
        let step = |shape: Shape, key| shape.items().unwrap_or(shape).property(key).unwrap();
        path.split('.').fold(Shape::root(), step)
    }

    #[test]
    fn every_key_says_what_it_means() {
        for key in all_keys() {
            assert!(shape(key).description().is_some_and(|text| text.len() > 10), "{key}");
        }
    }

    #[test]
    fn the_choices_are_those_of_the_simulation() {
        assert_eq!(shape("particles.kernel").choices(), KernelKind::ALL.map(KernelKind::name));
        assert_eq!(shape("particles.walls").choices(), WallSampling::ALL.map(WallSampling::name));
        assert_eq!(shape("solver.walls").choices(), WallPressure::ALL.map(WallPressure::name));
        assert_eq!(shape("grid.structure").choices(), Structure::USUAL.map(Structure::name));
        assert_eq!(shape("grid.hash").choices(), HashFunction::ALL.map(HashFunction::name));
        assert_eq!(shape("grid.storage").choices(), Storage::ALL.map(Storage::name));
        assert_eq!(shape("grid.update").choices(), Update::ALL.map(Update::name));
        assert_eq!(shape("grid.registration").choices(), Registration::ALL.map(Registration::name));
        assert_eq!(shape("grid.walk").choices(), Walk::ALL.map(Walk::name));
        assert_eq!(shape("solver.method").choices(), Method::ALL.map(Method::name));
        assert_eq!(shape("solver.wcsph.equation_of_state").choices(), StateEquation::ALL.map(StateEquation::name));
        assert_eq!(shape("solver.wcsph.diffusion").choices(), DensityDiffusion::ALL.map(DensityDiffusion::name));
        assert_eq!(shape("solver.wcsph.integration").choices(), Integration::ALL.map(Integration::name));
        assert_eq!(shape("view.color").choices(), crate::ColorField::ALL.map(crate::ColorField::name));
        assert_eq!(shape("dimensions").choices(), [Dimensions::Two, Dimensions::Three].map(|d| d.count().to_string()));
        assert_eq!(shape("grid.table_size").limit("maximum"), Some(f64::from(MAX_TABLE_SIZE)));
    }

    #[test]
    fn the_schema_is_for_people_who_write_toml() {
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
