//! Exports for other programs, of particles and of the surfaces around them: one file per frame, complete or absent.

mod attributes;
mod bgeo;
mod boundary;
mod csv;
mod kind;
mod npz;
mod part;
mod ply;
mod points;
mod pvd;
mod series;
mod vtu;
mod zip;

pub mod surface;

pub use attributes::{Attributes, UnknownAttribute};
pub use kind::{ExportKind, ParticleFormat, UnknownExport};
pub use part::{Part, UnknownPart};
pub use series::{FrameExport, Series};
