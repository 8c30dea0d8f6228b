//! Order of the keys of a table.

use schemars::Schema;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// Extension of a table's schema: the names of its keys, in the order of their definition.
pub(crate) const ORDER: &str = "x-order";

/// Extension of a key whose table has keys that the reference lists elsewhere.
pub(crate) const REPEATED: &str = "x-repeated";

/// Adds [`ORDER`] to the schema of a table: its properties, a JSON object, have no order of their own.
pub(super) fn keep_order<T: DeserializeOwned>(schema: &mut Schema) {
    let mut names: &[&str] = &[];
    // It always fails, once it has the names.
    let _ = T::deserialize(FieldNames(&mut names));
    schema.insert(ORDER.to_owned(), names.into());
}

/// Deserializer without data, which keeps the names of the fields that a struct asks for.
struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no data"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = names;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}
