//! What outlives a scene or the program: unsaved edits, before the scene is left, and the layout of the panels.

mod departure;
mod layout;
pub mod layout_file;
mod layout_writer;
mod leaving;
pub mod saved;
mod saves;

pub use departure::Departure;
pub use layout_writer::LayoutWriter;
pub use saves::Saves;
