//! The JSON Schema of scene files and the reference of their keys: made from the tables and the parameters.

mod generate;
mod key;
mod parameters;
mod reference;
mod shape;

pub use generate::json_schema;
pub use reference::reference;

pub(crate) use generate::{all_keys, whole_file};
pub(crate) use shape::{Kind, Shape};
