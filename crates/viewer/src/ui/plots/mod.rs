//! Plots at the lower edge: time of each phase, and one quantity of the grid.

mod panel;
mod quantity;

pub use panel::plots_ui;
pub use quantity::Quantity;
