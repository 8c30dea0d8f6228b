//! Arrows of velocity.

use glam::Vec3;

/// Velocities to draw as arrows.
#[derive(Clone, Copy, Debug)]
pub struct Arrows<'a> {
    /// Velocity of each particle, m/s.
    pub velocities: &'a [Vec3],
    /// Stable id of each particle: the same ones keep their arrows.
    pub ids: &'a [u32],
    /// Speed of an arrow of full length, m/s.
    pub speed: f32,
}
