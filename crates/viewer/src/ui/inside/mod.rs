//! The section "Inside the grid" of the side panel, and what it shows over the 3D view: map of buckets, query of a particle, legend of the
//! cells.

mod bucket_map;
mod cell_legend;
mod map_view;
mod overlay_costs;
mod panel;
mod query;
mod view;

pub use bucket_map::{bucket_map_ui, describe_cell};
pub use cell_legend::cell_legend_ui;
pub use overlay_costs::OverlayCosts;
pub use panel::grid_view_ui;
pub use query::query_ui;
pub use view::GridView;
