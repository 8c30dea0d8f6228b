//! Section "Fluid" of the side panel: parameters of the fluid, its forces and its solver.

mod forces;
mod panel;
mod solver;

pub use panel::{fluid_panel_ui, limit_text};
