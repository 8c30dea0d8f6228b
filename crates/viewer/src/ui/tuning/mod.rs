//! The window "Auto-tune": search for the best grid, map of the costs, taking over the result.

mod map;
mod view;
mod window;

pub use view::TuningView;
pub use window::tuning_ui;
