//! Particle data in the layout that passes gather: two arrays of `Vec4`, 16 bytes a particle, so that a cache line holds four
//! particles.

use super::sweep;
use crate::report::held;
use glam::{Vec3, Vec4};

/// One entry a particle in both arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatherBuffers {
    /// Position, m, in x, y, z; w is a scalar that depends on the pass, such as the pressure, or unused.
    pub positions: Vec<Vec4>,
    /// Velocity, m/s, or another vector of the pass in x, y, z; w is a second scalar of the pass.
    pub vectors: Vec<Vec4>,
}

impl GatherBuffers {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.positions) + held(&self.vectors)
    }

    /// Copies positions (m) and vectors, each with the function that gives its w.
    pub fn fill(
        &mut self,
        (positions, position_w): (&[Vec3], impl Fn(usize) -> f32 + Sync + Send),
        (vectors, vector_w): (&[Vec3], impl Fn(usize) -> f32 + Sync + Send),
    ) {
        sweep::map(positions.len(), &mut self.positions, |i| positions[i].extend(position_w(i)));
        sweep::map(positions.len(), &mut self.vectors, |i| vectors[i].extend(vector_w(i)));
    }
}
