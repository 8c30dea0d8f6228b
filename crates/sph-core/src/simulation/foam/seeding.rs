//! Particles of foam that a fluid particle makes (Ihmsen2012, section 3.2).

use super::particle::{FoamKind, FoamParticle};
use super::random::Random;
use super::walls::Walls;
use crate::parameters::Dimensions;
use crate::space::Domain;
use glam::Vec3;
use std::f32::consts::TAU;

/// Speed of the particles on the rim of the cylinder away from its axis, in units of the speed along it.
const SPREAD: f32 = 0.1;
/// Random numbers for each particle, after the first of the sequence.
const DRAWS: u32 = 4;

/// A fluid particle that makes foam.
pub(super) struct Source<'a> {
    pub dimensions: Dimensions,
    pub domain: &'a Domain,
    /// Position, m.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Radius of the fluid particle, m.
    pub radius: f32,
    pub random: Random,
}

impl Source<'_> {
    /// Number of particles, for a mean number of `expected`: the next lower or higher whole number.
    pub fn number(&self, expected: f32) -> u32 {
        // Rust's conversion saturates.
        let whole = expected as u32;
        whole.saturating_add(u32::from(self.random.uniform(0) < expected - whole as f32))
    }

    /// The particle of this index among those of a step of `dt` (s): in a cylinder around the path of the fluid particle in that time,
    /// with a mean lifetime of `lifetime` (s).
    pub fn particle(&self, index: u32, dt: f32, lifetime: f32, walls: &Walls<'_>) -> FoamParticle {
        let [across, angle, along, age] = std::array::from_fn(|draw| self.random.uniform(1 + DRAWS * index + draw as u32));
        let direction = self.velocity.normalize_or_zero();
        let offset = match self.dimensions {
            Dimensions::Two => (2.0 * across - 1.0) * Vec3::new(-direction.y, direction.x, 0.0),
            // The root spreads the particles evenly over the disc.
            Dimensions::Three if direction != Vec3::ZERO => {
                let (first, second) = direction.any_orthonormal_pair();
                let (sin, cos) = (TAU * angle).sin_cos();
                across.sqrt() * (cos * first + sin * second)
            }
            Dimensions::Three => Vec3::ZERO,
        };
        let displacement = self.radius * offset + along * dt * self.velocity;
        FoamParticle {
            position: self.domain.wrap(self.position + dt * walls.confine(self.position, displacement / dt)),
            velocity: self.velocity + SPREAD * self.velocity.length() * offset,
            left: lifetime * (0.5 + age),
            kind: FoamKind::Spray,
        }
    }
}
