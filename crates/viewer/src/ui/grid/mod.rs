//! The section of the side panel on the grid: what can be chosen of it, and what it does in each step.

mod cells_per_query;
mod histogram;
mod numbers;
mod panel;
mod structure;

pub use cells_per_query::cells_per_query;
pub use panel::grid_panel_ui;
