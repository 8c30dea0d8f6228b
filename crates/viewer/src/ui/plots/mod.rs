//! Plots at the lower edge: cost of the steps (time of each phase, and one quantity of the grid), or readings of the scene's probes.

mod costs;
mod frame;
mod panel;
mod probes;
mod quantity;

pub use panel::{Plotted, plots_ui};
pub use quantity::Quantity;
