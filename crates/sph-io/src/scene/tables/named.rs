//! Choices in scene files: each value by its name.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use sph_core::parameters::{Choice, ChoiceOption};
use std::borrow::Cow;

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
