//! Export of particles for other programs: one file per frame, complete or absent.

mod csv;
mod frame;
mod kind;
mod order;
mod ply;

pub use frame::write_frame;
pub use kind::{ExportKind, UnknownExport};
