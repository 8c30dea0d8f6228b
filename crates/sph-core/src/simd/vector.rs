//! Vectors in space, sixteen at a time.

use super::indices::{Indices, WIDTH};
use super::lanes::Lanes;
use glam::{Vec3, Vec4};
use std::ops::{Add, Mul, Sub};

/// Sixteen vectors: their x, y and z components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3Lanes<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lanes> Vec3Lanes<L> {
    /// The same vector in all lanes.
    #[inline(always)]
    pub fn splat(vector: Vec3) -> Self {
        Self { x: L::splat(vector.x), y: L::splat(vector.y), z: L::splat(vector.z) }
    }

    /// The zero vector in all lanes.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(Vec3::ZERO)
    }

    /// Gathers the vectors at `indices`.
    #[inline(always)]
    pub fn gather(vectors: &[Vec3], indices: Indices<'_>) -> Self {
        // Not `map`: it is a separate function, compiled without vector instructions.
        let (vector, [mut x, mut y, mut z]) = (indices.of(vectors), [[0.0; WIDTH]; 3]);
        for k in 0..WIDTH {
            (x[k], y[k], z[k]) = vector(k).into();
        }
        Self { x: L::from_array(x), y: L::from_array(y), z: L::from_array(z) }
    }

    /// The first `live` vectors, and zero in the other lanes, even where those are NaN.
    #[inline(always)]
    pub fn keep(self, live: usize) -> Self {
        Self { x: self.x.keep(live), y: self.y.keep(live), z: self.z.keep(live) }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn length_squared(self) -> L {
        self.dot(self)
    }

    /// Sum of the sixteen vectors, always in the same order.
    #[inline(always)]
    pub fn sum(self) -> Vec3 {
        self.sums().truncate()
    }

    /// Sum of the sixteen vectors, and 0 as the fourth component.
    #[inline(always)]
    pub fn sums(self) -> Vec4 {
        L::sums([self.x, self.y, self.z])
    }
}

impl<L: Lanes> Add for Vec3Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl<L: Lanes> Sub for Vec3Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl<L: Lanes> Mul<L> for Vec3Lanes<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: L) -> Self {
        Self { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}
