//! Window "Auto-tune": search for the fastest grid, heat map of the times, use of the result.

mod cost;
mod map;
mod view;
mod window;

pub use view::TuningView;
pub use window::tuning_ui;
