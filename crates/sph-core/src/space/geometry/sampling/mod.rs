//! Points in solids, and layers of points at their surfaces.

mod cells;
mod layers;
mod point_grid;
mod scan;
mod surface;

pub(crate) use cells::centred_cells;
pub(crate) use layers::Layers;
pub(crate) use point_grid::PointGrid;
pub(crate) use scan::{Lattice, LatticePoint};
pub(crate) use surface::sample_layers;
