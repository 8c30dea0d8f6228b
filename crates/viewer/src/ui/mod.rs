//! User interface: panels in egui, independent of the graphics API. Panels read a [`Model`], change a [`State`] and push
//! [`Action`]s; `layout` positions them. One folder per panel, with its state; `widgets` holds their common parts.
//!
//! Functions named `…_ui` lay out a part of the window. No function here blocks or accesses files.

pub mod lessons;

mod action;
mod compare;
mod fluid;
mod grid;
mod inside;
mod layout;
mod menus;
mod model;
mod pictures;
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
pub use pictures::{PicturesView, Recording};
pub use plots::{Plotted, Quantity};
pub use scene_view::{Aids, Notices, PlaybackView, looks};
pub use state::{Framing, State};
pub use tuning::TuningView;
pub use widgets::theme;
