//! State of the window that outlives a frame: the panels', the history of edits, and the question before unsaved edits are lost.

mod edits;
mod leaving;
mod panels;
mod undoing;
mod view;

pub use edits::Edits;
pub use leaving::{Answer, Leaving};
pub use panels::{Framing, State};
