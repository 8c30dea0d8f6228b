//! Histories for plots: cost of the steps, and readings of the probes.

mod costs;
mod readings;

pub use costs::{History, Sample};
pub use readings::{Curve, Readings};
