//! Layers of points behind a surface.

use crate::parameters::Dimensions;
use crate::space::geometry::side::Side;

/// Layers of points behind a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layers {
    pub dimensions: Dimensions,
    /// Distance between points and between layers dx, m.
    pub spacing: f32,
    pub count: u32,
    /// Distance by which they lie deeper, m.
    pub shift: f32,
    pub side: Side,
}
