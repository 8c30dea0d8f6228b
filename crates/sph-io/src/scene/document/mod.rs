//! The document: a scene file read, parsed, joined with the files that it includes, overridden from the command line, and checked against the schema.

mod check;
mod include;
mod overrides;
mod parsed;
mod read;

pub use overrides::{Override, OverrideError};
pub use read::list_scenes;

pub(crate) use check::check;
pub(crate) use include::read_included;
pub(crate) use parsed::Document;
pub(crate) use read::read;
