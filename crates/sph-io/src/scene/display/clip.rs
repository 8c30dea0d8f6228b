//! Plane that clips the fluid.

/// Plane normal to an axis: particles on one side of it are not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipPlane {
    /// Normal: 0, 1, 2 for x, y, z.
    pub axis: usize,
    /// Coordinate of the plane along the axis, m.
    pub position: f32,
    /// True to show what is above the plane instead of what is below.
    pub flipped: bool,
}
