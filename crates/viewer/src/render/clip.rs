//! Clip plane: it cuts the fluid open, without a grid.

use super::Slab;

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

impl ClipPlane {
    /// Half-space that is shown.
    pub fn slab(self) -> Slab {
        let Self { axis, position, flipped } = self;
        let [low, high] = if flipped { [position, f32::INFINITY] } else { [f32::NEG_INFINITY, position] };
        Slab { axis, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_plane_shows_one_side_and_flipped_the_other() {
        let plane = ClipPlane { axis: 1, position: 0.5, flipped: false };
        let [below, above] = [Vec3::new(9.0, 0.25, 9.0), Vec3::new(9.0, 0.75, 9.0)];
        let shows = |plane: ClipPlane| [below, above].map(|point| plane.slab().contains(point));
        assert_eq!(shows(plane), [true, false]);
        assert_eq!(shows(ClipPlane { flipped: true, ..plane }), [false, true]);
    }
}
