//! The window of the search for the best grid.

mod map;
mod view;
mod window;

pub use view::TuningView;
pub use window::tuning_ui;
