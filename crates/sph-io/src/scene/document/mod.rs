//! The document: a scene file as read and parsed, overrides laid over it, checked against the schema.

mod check;
mod overrides;
mod parsed;
mod read;

pub use overrides::{Override, OverrideError};

pub(crate) use check::check;
pub(crate) use parsed::{Document, Fault};
pub(crate) use read::{limited, read};
