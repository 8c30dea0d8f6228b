//! Histories for plots: cost of the steps, readings of the probes, and kept moments.

mod costs;
mod readings;
mod stepping;
mod throttle;
mod timeline;

pub use costs::{History, Sample};
pub use readings::{Curve, Readings};
pub use stepping::Stepping;
pub use throttle::Throttle;
pub use timeline::{Goal, Moment, Timeline};
