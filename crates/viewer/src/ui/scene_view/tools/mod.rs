//! Tools: the user's hands in the fluid. The palette over the 3D view chooses one, the pointer uses it, and lines show where it acts.

mod aim;
mod gizmo;
mod hold;
mod marks;
mod move_body;
mod palette;
mod sampled_bodies;
mod settings;
mod tool;
mod use_tool;

pub use tool::{Tool, Tools};

pub(super) use palette::palette_ui;
pub(super) use use_tool::use_tool;
