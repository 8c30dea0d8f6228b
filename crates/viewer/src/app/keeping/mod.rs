//! What outlives a scene or the program: unsaved edits, before the scene is left, and the layout of the panels.

mod layout;
pub mod layout_file;
mod leaving;
