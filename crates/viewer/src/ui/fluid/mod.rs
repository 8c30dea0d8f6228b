//! Section "Fluid" of the side panel: fluids of a scene with several, parameters of the fluid, its forces and its solver.

mod curves;
mod fluids;
mod foam;
mod forces;
mod panel;
mod solver;

pub use panel::{fluid_panel_ui, limit_text};
