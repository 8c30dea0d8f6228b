//! Solid geometry: shapes by their signed distances, and unions and differences of them.
//!
//! A [`Solid`] says for every point how far the surface is and on which side. Fluid blocks are filled, walls are sampled and
//! particles are kept out of walls with that alone, whatever the shape.

mod cells;
mod clearance;
mod ellipsoid;
mod kind;
mod measure;
mod mesh;
mod nearest;
mod profile;
mod scan;
mod shape;
mod side;
mod solid;
mod surface;

pub use kind::{Axis, ShapeKind};
pub use mesh::{MeshDiagnosis, MeshError, TriangleMesh};
pub use nearest::Nearest;
pub use shape::{Shape, ShapeError};
pub use solid::Solid;

pub(crate) use cells::centred_cells;
pub(crate) use clearance::clear_step;
pub(crate) use scan::{Lattice, LatticePoint};
pub(crate) use side::Side;
pub(crate) use surface::{Layers, PointGrid, sample_layers};

#[cfg(test)]
mod tests;
