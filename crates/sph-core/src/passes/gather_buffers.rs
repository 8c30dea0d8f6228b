//! Particles as the passes gather them: four numbers side by side, of which one cache line holds four particles.

use super::sweep;
use crate::report::held;
use glam::{Vec3, Vec4};

/// One entry a particle in both arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatherBuffers {
    /// Positions, m, and whatever else a pass needs.
    pub places: Vec<Vec4>,
    /// Another vector of each, such as its velocity, m/s, and whatever else.
    pub vectors: Vec<Vec4>,
}

impl GatherBuffers {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.places) + held(&self.vectors)
    }

    /// Takes positions (m), the other vectors, and what of each particle goes beside them.
    pub fn fill(
        &mut self,
        (positions, beside_positions): (&[Vec3], impl Fn(usize) -> f32 + Sync + Send),
        (vectors, beside_vectors): (&[Vec3], impl Fn(usize) -> f32 + Sync + Send),
    ) {
        sweep::map(positions.len(), &mut self.places, |i| positions[i].extend(beside_positions(i)));
        sweep::map(positions.len(), &mut self.vectors, |i| vectors[i].extend(beside_vectors(i)));
    }
}
