//! Solid geometry: shapes by their signed distances, and unions and differences of them.
//!
//! A [`Solid`] says for every point how far the surface is and on which side. Fluid blocks are filled, walls are sampled and
//! particles are kept out of walls with that alone, whatever the shape.

mod cells;
mod clearance;
mod ellipsoid;
mod kind;
mod measure;
mod point_grid;
mod profile;
mod scan;
mod shape;
mod side;
mod solid;
mod surface;

pub use kind::{Axis, ShapeKind};
pub use shape::{Shape, ShapeError};
pub use solid::Solid;

pub(crate) use cells::centred_cells;
pub(crate) use clearance::clear_step;
pub(crate) use scan::{Lattice, LatticePoint};
pub(crate) use side::Side;
pub(crate) use surface::{Layers, sample_layers};

use glam::DVec3;

/// Surface next to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance of the point from the surface, m; negative inside.
    pub distance: f64,
    /// Unit vector out of the solid: the gradient of the distance.
    pub normal: DVec3,
}

impl Nearest {
    /// The surface next to a point of the complement: the same surface, seen from its other side.
    #[must_use]
    pub(crate) fn flipped(self) -> Self {
        Self { distance: -self.distance, normal: -self.normal }
    }
}

#[cfg(test)]
mod tests;
