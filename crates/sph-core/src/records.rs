//! Particles as the passes gather them: four numbers side by side, of which one cache line holds four particles.

use crate::memory::held;
use crate::sweep;
use glam::{Vec3, Vec4};

/// One entry a particle in both arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    /// Positions, m, and whatever else a pass needs.
    pub places: Vec<Vec4>,
    /// Velocities, m/s, and densities, kg/m³.
    pub motions: Vec<Vec4>,
}

impl Records {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        held(&self.places) + held(&self.motions)
    }

    /// Takes positions (m), velocities (m/s), densities (kg/m³), and `other` of each particle beside its position.
    pub fn fill(
        &mut self,
        (positions, velocities, densities): (&[Vec3], &[Vec3], &[f32]),
        other: impl Fn(usize) -> f32 + Sync + Send,
    ) {
        sweep::map(positions.len(), &mut self.places, |i| positions[i].extend(other(i)));
        sweep::map(positions.len(), &mut self.motions, |i| velocities[i].extend(densities[i]));
    }
}
