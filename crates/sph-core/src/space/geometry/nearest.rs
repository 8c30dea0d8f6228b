//! The surface next to a point.

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
