//! What many tables share: vectors of 2 or 3 numbers, choices by name, and keys that depend on a `kind`.

use std::borrow::Cow;

use crate::SourceFiles;
use crate::scene::error::Fault;
use crate::words::list;
use glam::Vec3;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use sph_core::Dimensions;
use sph_core::parameters::{Choice, ChoiceOption};

/// Reader of vectors of 2 or 3 numbers and of files, which collects faults and remarks.
pub(crate) struct Vectors {
    pub dimensions: Dimensions,
    /// Spacing of the particles, m: the thickness of shells.
    pub spacing: f64,
    /// Faults of the vectors read so far, and of other values of the tables.
    pub faults: Vec<Fault>,
    /// Remarks on what has been read, and what is done about it.
    pub remarks: Vec<String>,
    /// Files read so far.
    pub files: SourceFiles,
}

impl Vectors {
    /// Reader without faults.
    pub fn new(dimensions: Dimensions) -> Self {
        Self { dimensions, spacing: 1.0, faults: Vec::new(), remarks: Vec::new(), files: SourceFiles::default() }
    }

    /// The vector at `path`, with zeros for missing numbers. Adds a fault if it is too short.
    pub fn read(&mut self, numbers: &[f64], path: impl Into<String>) -> Vec3 {
        let [x, y, z] = [0, 1, 2].map(|axis| numbers.get(axis).map_or(0.0, |&number| number as f32));
        match self.dimensions {
            Dimensions::Two => Vec3::new(x, y, 0.0),
            Dimensions::Three => {
                if numbers.len() < 3 {
                    let path = path.into();
                    let message = format!("`{path}` has {} numbers in a scene of 3 dimensions", numbers.len());
                    self.faults.push(Fault::at_path(path, message, "expected 3 numbers"));
                }
                Vec3::new(x, y, z)
            }
        }
    }
}

/// A choice, read and written by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Named<C>(pub C);

/// The values of a choice in a JSON Schema, each with its description.
pub(crate) fn one_of(options: impl IntoIterator<Item = ChoiceOption>) -> Value {
    let describe = |option: ChoiceOption| json!({ "const": option.name, "description": option.summary(), "type": "string" });
    options.into_iter().map(describe).collect()
}

impl<C: Choice> Serialize for Named<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.option().name)
    }
}

impl<'de, C: Choice> Deserialize<'de> for Named<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        C::by_name(&name).map(Self).ok_or_else(|| D::Error::custom(format!("unknown name `{name}`")))
    }
}

impl<C: Choice> JsonSchema for Named<C> {
    fn schema_name() -> Cow<'static, str> {
        std::any::type_name::<C>().into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "oneOf": one_of(C::VALUES.iter().map(|value| value.option())) })
    }
}

// Tables whose `kind` determines their other keys.

/// Name of a kind, its required keys and its optional ones.
#[derive(Clone, Copy)]
pub(crate) struct Keys {
    pub kind: &'static str,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
}

/// Adds a fault to those of `vectors` for each missing or superfluous key in the table of a `thing` at `path`. `given` lists the keys of all
/// kinds, true for those that are there.
pub(crate) fn check_keys(thing: &str, keys: Keys, given: &[(&str, bool)], path: &str, vectors: &mut Vectors) {
    let Keys { kind, required, optional } = keys;
    for &(key, given) in given {
        if !given && required.contains(&key) {
            vectors.faults.push(Fault::at_path(path, format!("missing key `{key}` in `{path}`"), format!("expected `{key}`")));
        } else if given && !required.contains(&key) && !optional.contains(&key) {
            let known: Vec<&str> = required.iter().chain(optional).copied().collect();
            let label = if known.is_empty() { "expected another `kind`".to_owned() } else { format!("it has {}", list(known)) };
            let message = format!("a {thing} of the kind `{kind}` has no `{key}`");
            vectors.faults.push(Fault::at_path(format!("{path}.{key}"), message, label));
        }
    }
}
