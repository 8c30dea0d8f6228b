//! Particles for other programs: one file a frame, complete or not there.

mod csv;
mod frame;
mod kind;
mod order;
mod ply;

pub use frame::write_frame;
pub use kind::{ExportKind, UnknownExport};
