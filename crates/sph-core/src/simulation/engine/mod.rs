//! The seam between whoever drives a fluid and whatever computes it: a trait to step, change and copy the fluid, and the view
//! in which probes, exports and pictures read it.

mod contract;
mod cpu;
mod view;

pub use contract::Engine;
pub use view::View;
