//! The panels: egui only, no graphics API. They read a [`Model`], change a [`State`] and push [`Action`]s; `layout` says which is where.
//! A folder for each panel, with what it remembers from frame to frame; `widgets` is what they are made of.
//!
//! Functions whose names end in `_ui` lay out a part of the window. Nothing here blocks, waits or touches a file.

pub mod lessons;

mod action;
mod compare;
mod fluid;
mod grid;
mod inside;
mod layout;
mod menus;
mod model;
mod plots;
mod scene_view;
mod state;
mod tuning;
mod widgets;

pub use action::Action;
pub use compare::{Comparing, Side, Views};
pub use inside::{GridView, OverlayCosts};
pub use layout::root_ui;
pub use model::{Model, SceneEntry};
pub use plots::Quantity;
pub use scene_view::Notices;
pub use state::{Framing, State};
pub use tuning::TuningView;
pub use widgets::theme;
