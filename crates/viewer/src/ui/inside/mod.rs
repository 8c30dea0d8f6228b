//! Panel "Inspector", and its overlays of the 3D view: bucket map, query of a particle, cell legend.

mod attributes;
mod bucket_map;
mod cell_legend;
mod map_view;
mod overlay_costs;
mod panel;
mod query;
mod view;

pub use bucket_map::{bucket_map_ui, describe_cell};
pub use cell_legend::{HEIGHT as CELL_LEGEND_HEIGHT, cell_legend_ui};
pub use overlay_costs::OverlayCosts;
pub use panel::grid_view_ui;
pub use query::query_ui;
pub use view::GridView;

/// Text in place of a part of the grid that the simulation has not delivered yet.
const NOT_YET: &str = "Available after the next step.";
