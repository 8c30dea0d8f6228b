//! Sides of a surface.

/// Side of a surface on which a wall lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// Within the solid: it is a body.
    Inside,
    /// Around the solid: it is the inside of a container.
    Outside,
}

impl Side {
    /// Depth behind the surface on this side, m, for a signed distance, m; and the other way round.
    pub fn depth(self, distance: f64) -> f64 {
        match self {
            Self::Inside => -distance,
            Self::Outside => distance,
        }
    }
}
