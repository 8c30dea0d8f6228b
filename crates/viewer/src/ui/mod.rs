//! The panels: egui only, no graphics API. They read a [`Model`], change a [`State`] and push [`Action`]s.
//!
//! Functions whose names end in `_ui` lay out a part of the window. Nothing here blocks, waits or touches a file.

pub mod lessons;
pub mod theme;

mod action;
mod badge;
mod bucket_map;
mod cell_legend;
mod cells_per_query;
mod compare;
mod comparing;
mod fluid_panel;
mod forces;
mod format;
mod grid_numbers;
mod grid_panel;
mod grid_view;
mod grid_view_panel;
mod help;
mod highlight;
mod histogram;
mod icons;
mod layout;
mod legend;
mod map_view;
mod model;
mod names;
mod notices;
mod overlay_costs;
mod plots;
mod quantity;
mod query;
mod scene_list;
mod scene_view;
mod side;
mod solver;
mod state;
mod structure;
mod top_bar;
mod tuning;
mod tuning_map;
mod tuning_view;
mod views;
mod widgets;

pub use action::Action;
pub use comparing::Comparing;
pub use grid_view::GridView;
pub use layout::root_ui;
pub use model::{Model, SceneEntry};
pub use notices::Notices;
pub use overlay_costs::OverlayCosts;
pub use quantity::Quantity;
pub use side::Side;
pub use state::{Framing, State};
pub use tuning_view::TuningView;
pub use views::Views;
