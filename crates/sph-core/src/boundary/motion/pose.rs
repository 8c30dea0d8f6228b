//! Place and orientation of a rigid body at one time.

use glam::{BVec3, DMat3, DVec3, Vec3};

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

    /// Lowest and highest corner of the box around what is described as a box, m.
    pub fn bounds(&self, min: Vec3, max: Vec3) -> (Vec3, Vec3) {
        let corners = corners(min, max).map(|corner| self.point(corner).as_vec3());
        corners.into_iter().fold((corners[0], corners[0]), |(low, high), corner| (low.min(corner), high.max(corner)))
    }
}

/// Corners of a box.
pub(super) fn corners(min: Vec3, max: Vec3) -> [DVec3; 8] {
    let upper = |corner: usize| BVec3::from_array([0, 1, 2].map(|axis| corner >> axis & 1 == 1));
    std::array::from_fn(|corner| Vec3::select(upper(corner), max, min).as_dvec3())
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
