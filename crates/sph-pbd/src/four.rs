//! Four vectors at a time, in the lanes of `glam::Vec4`: no instruction set has to be chosen.

use glam::{Mat4, Vec4};
use std::ops::{Add, Mul, Sub};

/// Four vectors, component by component.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Four {
    pub x: Vec4,
    pub y: Vec4,
    pub z: Vec4,
}

impl Four {
    /// The first three components of each of `vectors`.
    #[inline(always)]
    pub fn of(vectors: [Vec4; 4]) -> Self {
        Self::with_last(vectors).0
    }

    /// The first three components of each of `vectors`, and the last ones.
    #[inline(always)]
    pub fn with_last([a, b, c, d]: [Vec4; 4]) -> (Self, Vec4) {
        let Mat4 { x_axis, y_axis, z_axis, w_axis } = Mat4::from_cols(a, b, c, d).transpose();
        (Self { x: x_axis, y: y_axis, z: z_axis }, w_axis)
    }

    /// The vectors, with 0 behind each.
    #[inline(always)]
    pub fn each(self) -> [Vec4; 4] {
        let Mat4 { x_axis, y_axis, z_axis, w_axis } = Mat4::from_cols(self.x, self.y, self.z, Vec4::ZERO).transpose();
        [x_axis, y_axis, z_axis, w_axis]
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Vec4 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }
}

impl Add for Four {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Four {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Mul<Vec4> for Four {
    type Output = Self;

    /// Each vector times its own factor.
    #[inline(always)]
    fn mul(self, factors: Vec4) -> Self {
        Self { x: self.x * factors, y: self.y * factors, z: self.z * factors }
    }
}
