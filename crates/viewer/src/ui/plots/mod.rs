//! Plots at the lower edge: cost of the steps (time of each phase, and one quantity of the grid), or readings of the scene's probes.

mod costs;
mod frame;
mod panel;
mod plotted;
mod probes;
mod quantity;
mod solve;

pub use panel::plots_ui;
pub use plotted::Plotted;
pub use quantity::Quantity;
pub use solve::solve_plots_ui;
