//! Export of particles for other programs: one file per frame, complete or absent.

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

pub use attributes::{Attributes, UnknownAttribute};
pub use kind::{ExportKind, UnknownExport};
pub use part::{Part, UnknownPart};
pub use series::Series;
