//! State of the fluid particles, as a structure of arrays.

use crate::report::held;
use glam::Vec3;

/// State of the fluid: every array has one entry for each particle.
///
/// Particles are sorted by cell so that neighbours lie near each other in memory. The order changes from step to step;
/// [`Particles::ids`] identifies the particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Positions, m.
    pub positions: Vec<Vec3>,
    /// Velocities, m/s.
    pub velocities: Vec<Vec3>,
    /// Densities, kg/m³.
    pub densities: Vec<f32>,
    /// Pressures of the last step, Pa.
    pub pressures: Vec<f32>,
    /// Stable ids: indices in the initial order of the particles. A permutation of `0..len`.
    pub ids: Vec<u32>,
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// True if there are no particles.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Bytes on the heap.
    pub(crate) fn memory(&self) -> usize {
        let Self { positions, velocities, densities, pressures, ids } = self;
        held(positions) + held(velocities) + held(densities) + held(pressures) + held(ids)
    }

    /// Positions in the order of the stable ids, m, which does not change from step to step.
    pub fn positions_by_id(&self) -> Vec<Vec3> {
        let mut by_id = vec![Vec3::ZERO; self.len()];
        for (&id, &position) in self.ids.iter().zip(&self.positions) {
            by_id[id as usize] = position;
        }
        by_id
    }
}
