//! Errors of scene files: a fault and its place, the sources that it is in, and the report that shows it.

mod fault;
mod nearest;
mod scene_error;
mod sources;

pub use nearest::nearest;
pub use scene_error::SceneError;

pub(crate) use fault::{Fault, Place};
pub(crate) use nearest::list;
pub(crate) use sources::Sources;
