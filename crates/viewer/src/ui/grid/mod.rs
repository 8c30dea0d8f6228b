//! Section "Grid" of the side panel: parameters of the neighbour search, and its statistics of the latest step.

mod cells_per_query;
mod histogram;
mod numbers;
mod panel;
mod structure;
mod tuning;

pub use cells_per_query::cells_per_query;
pub use panel::grid_panel_ui;
pub use tuning::{TuningView, tuning_ui};
