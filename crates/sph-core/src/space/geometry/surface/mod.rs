//! Sampling of surfaces with layers of points.

mod layers;
mod point_grid;
mod sampling;

pub(crate) use layers::Layers;
pub(crate) use point_grid::PointGrid;
pub(crate) use sampling::sample_layers;
