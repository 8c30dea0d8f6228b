//! A particle of foam, spray or bubbles.

use glam::Vec3;

/// Kind of a particle, by how much fluid is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoamKind {
    /// Drop in the air: it flies.
    Spray,
    /// Foam on the surface: the flow carries it.
    Foam,
    /// Bubble in the fluid: it rises.
    Bubble,
}

/// Particle of foam, spray or bubbles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoamParticle {
    /// Position, m.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Time that it has left, s.
    pub left: f32,
    /// Kind.
    pub kind: FoamKind,
}
