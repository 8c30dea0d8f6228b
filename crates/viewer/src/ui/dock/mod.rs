//! Layout of the window: the panels that are docked around the 3D view, and what lies over them.

mod arrangement;
mod behavior;
mod layout;
mod place;
mod registry;
mod room;
mod saved;

pub use arrangement::Dock;
pub use layout::root_ui;
pub use saved::{layout_text, restore_layout};
