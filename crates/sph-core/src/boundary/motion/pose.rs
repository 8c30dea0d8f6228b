//! Place and orientation of a rigid body at one time.

use glam::{DMat3, DVec3};

/// Place and orientation of a rigid body at one time: the point x₀ of it is at `pivot + displacement + R (x₀ − pivot)`. The
/// default is the body as it is described, neither displaced nor rotated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Displacement of the pivot since time 0, m.
    pub displacement: DVec3,
    /// Pivot at time 0, m.
    pub pivot: DVec3,
    /// Rotation matrix R.
    pub rotation: DMat3,
}

impl Pose {
    /// Present position of the point of the body that is described at `start`, m.
    pub fn point(&self, start: DVec3) -> DVec3 {
        self.pivot + self.displacement + self.rotation * (start - self.pivot)
    }

    /// Described position of the point of the body that is at `point` now, m: the inverse of [`Pose::point`].
    pub fn start(&self, point: DVec3) -> DVec3 {
        self.pivot + self.rotation.transpose() * (point - self.pivot - self.displacement)
    }
}

/// The rotation by `angle` (rad) about a unit axis, `R = I + sin θ K + (1 − cos θ) K²` with K v = axis × v (Rodrigues). A
/// rotation about z leaves z as it is to the bit.
pub(super) fn rotation_matrix(axis: DVec3, angle: f64) -> DMat3 {
    let column = |unit: DVec3| {
        let across = axis.cross(unit);
        unit + angle.sin() * across + (1.0 - angle.cos()) * axis.cross(across)
    };
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}
