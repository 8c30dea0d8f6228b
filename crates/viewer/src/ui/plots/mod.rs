//! The plots along the lower edge: what each phase costs over time, and a number of the grid.

mod panel;
mod quantity;

pub use panel::plots_ui;
pub use quantity::Quantity;
