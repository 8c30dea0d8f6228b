//! Vectors in space, eight at a time.

use super::{Lanes, WIDTH};
use glam::Vec3;
use std::ops::{Add, Mul, Sub};

/// Eight vectors: their x, y and z components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vec3Lanes<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Lanes> Vec3Lanes<L> {
    /// The same vector everywhere.
    #[inline(always)]
    pub fn splat(vector: Vec3) -> Self {
        Self { x: L::splat(vector.x), y: L::splat(vector.y), z: L::splat(vector.z) }
    }

    /// Zero everywhere.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(Vec3::ZERO)
    }

    /// The vectors at `indices`.
    #[inline(always)]
    pub fn gather(vectors: &[Vec3], indices: &[u32; WIDTH]) -> Self {
        // Not `map`, which is a function of its own that is compiled for no vectors.
        let [a, b, c, d, e, f, g, h] = *indices;
        let at = |index: u32| vectors[index as usize];
        let (a, b, c, d, e, f, g, h) = (at(a), at(b), at(c), at(d), at(e), at(f), at(g), at(h));
        Self {
            x: L::from_array([a.x, b.x, c.x, d.x, e.x, f.x, g.x, h.x]),
            y: L::from_array([a.y, b.y, c.y, d.y, e.y, f.y, g.y, h.y]),
            z: L::from_array([a.z, b.z, c.z, d.z, e.z, f.z, g.z, h.z]),
        }
    }

    /// The first `live` of them, and zero for the others, whatever is there.
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

    /// The sum of the eight, always in the same order.
    #[inline(always)]
    pub fn sum(self) -> Vec3 {
        Vec3::new(self.x.sum(), self.y.sum(), self.z.sum())
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
