//! Solid geometry: shapes by their signed distances, and unions and differences of them.
//!
//! A [`Solid`] says for every point how far the surface is and on which side. Fluid blocks are filled, walls are sampled and
//! particles are kept out of walls with that alone, whatever the shape.

mod clearance;
mod ellipsoid;
mod isosurface;
mod kind;
mod measure;
mod mesh;
mod nearest;
mod profile;
mod sampling;
mod shape;
mod side;
mod solid;
mod triangulation;

pub use kind::{Axis, ShapeKind};
pub use mesh::{Heightfield, MeshDiagnosis, MeshError, TriangleMesh};
pub use nearest::Nearest;
pub(crate) use shape::Form;
pub use shape::{Shape, ShapeError};
pub use solid::Solid;
pub use triangulation::Triangulation;

pub(crate) use clearance::clear_step;
pub(crate) use isosurface::isosurface;
pub(crate) use sampling::{Lattice, LatticePoint, Layers, PointGrid, centred_cells, sample_layers};
pub(crate) use side::Side;

#[cfg(test)]
mod tests;
