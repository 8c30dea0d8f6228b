//! The section "Grid" of the side panel: the choice of the neighbour search, and its numbers of the latest step.

mod cells_per_query;
mod histogram;
mod numbers;
mod panel;
mod structure;

pub use cells_per_query::cells_per_query;
pub use panel::grid_panel_ui;
