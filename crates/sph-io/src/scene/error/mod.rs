//! Errors of scene files: a fault and its place, the sources that it is in, and the report that shows it.

mod nearest;
mod scene_error;

pub use nearest::nearest;
pub use scene_error::SceneError;

pub(crate) use nearest::list;
pub(crate) use scene_error::{Diagnostic, Excerpt};
