//! Exports for other programs: particles, the surfaces around them, and bodies. A file is complete or absent.

mod attributes;
mod bgeo;
mod bodies;
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
pub use bodies::BodiesFile;
pub use kind::{ExportKind, ParticleFormat, UnknownExport};
pub use part::{Part, UnknownPart};
pub use series::{FrameExport, Series};
