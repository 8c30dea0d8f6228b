//! Panels "Fluid", "Solver" and "Time step": parameters in groups, and the numbers of the latest steps.

mod curves;
mod fluids;
mod foam;
mod group_panel;
mod groups;
mod limit;
mod panel;
mod rows;
mod softness;
mod solver;
mod time_step;
mod view;

pub use groups::Group;
pub use limit::limit_text;
pub use panel::fluid_panel_ui;
pub use softness::{Stiffness, stiffness};
pub use solver::solver_panel_ui;
pub use time_step::time_step_panel_ui;
pub use view::FluidView;
