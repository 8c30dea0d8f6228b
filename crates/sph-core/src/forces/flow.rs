//! The fluid as the forces see it.

use glam::Vec3;

/// The fluid as the forces see it: one entry a particle in every array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    /// m.
    pub positions: &'a [Vec3],
    /// m/s.
    pub velocities: &'a [Vec3],
    /// kg/m³.
    pub densities: &'a [f32],
}
