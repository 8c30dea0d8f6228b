//! The JSON Schema of scene files: made from the tables and the parameters, and read back by the checks.

mod generate;
mod parameters;

pub use generate::json_schema;

pub(crate) use generate::{Kind, Shape, all_keys};
