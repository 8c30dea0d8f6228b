//! Parts of a validation case: the plan of its runs, its measures, and the sources of what they are compared with.

mod measure;
mod plan;
mod source;
mod unit;
mod validation_case;

pub use measure::{Criterion, Measure};
pub use plan::{Judged, Place, Plan, PlannedRun, Resolution, Setting};
pub use source::Source;
pub use unit::Unit;
pub(super) use validation_case::scene;
pub use validation_case::{Case, SceneFile};
