//! User interface: panels in egui, independent of the graphics API. Panels read a [`Model`], change a [`State`] and push
//! [`Action`]s; `dock` positions them. One folder per panel, with its state; `widgets` holds their common parts.
//!
//! Functions named `…_ui` lay out a part of the window. No function here blocks or accesses files.

pub mod lessons;

mod action;
mod compare;
mod dock;
mod fluid;
mod grid;
mod inside;
mod menus;
mod model;
mod pictures;
mod plots;
mod scene;
mod scene_view;
mod state;
mod widgets;

pub use action::Action;
pub use compare::{Comparing, Side, Views};
pub use dock::{Dock, layout_text, restore_layout, root_ui};
pub use fluid::FluidView;
pub use grid::TuningView;
pub use inside::{GridView, OverlayCosts};
pub use menus::Palette;
pub use model::{Model, SceneEntry};
pub use pictures::{FilmInProgress, PicturesView};
pub use plots::{Plotted, Quantity};
pub use scene_view::{Aids, Notices, PlaybackView, Tool, Tools, arrow_scale, looks};
pub use state::{Answer, Edits, Framing, Leaving, State};
pub use widgets::theme;
