//! State of the fluid that the forces read.

use glam::Vec3;

/// State of the fluid that the forces read: one entry per particle in every array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    /// Positions, m.
    pub positions: &'a [Vec3],
    /// Velocities, m/s.
    pub velocities: &'a [Vec3],
    /// Densities, kg/m³.
    pub densities: &'a [f32],
}
