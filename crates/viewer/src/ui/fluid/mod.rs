//! The section of the side panel on the fluid: its parameters, what forces act, how it is solved.

mod forces;
mod panel;
mod solver;

pub use panel::{fluid_panel_ui, limit_text};
