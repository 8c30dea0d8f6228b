//! Panel "Fluid": fluids of a scene with several, parameters of the fluid, its forces and its solver.

mod curves;
mod fluids;
mod foam;
mod groups;
mod panel;
mod softness;
mod solver;
mod view;

pub use panel::{fluid_panel_ui, limit_text};
pub use softness::{Stiffness, stiffness};
pub use view::FluidView;
