//! A block of fluid: its shape, its velocity, its pressure at the start.

use super::velocity_field::{VelocityField, Water};
use glam::Vec3;

/// An axis-aligned box filled with fluid, or an ellipsoid inside one. In two dimensions its z is ignored. The default is an empty box,
/// which cannot be simulated, at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FluidBlock {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// What of the box is filled.
    pub shape: BlockShape,
    /// Velocity of all its particles, m/s.
    pub velocity: Vec3,
    /// Velocity that its particles have besides, by their places.
    pub field: VelocityField,
    /// Whether what of it lies in bodies, or closer to one than half a spacing, is left out; else it must be clear of them.
    pub around_bodies: bool,
    /// Pressure of its particles at the start.
    pub initial_pressure: InitialPressure,
}

/// What of a block's box is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockShape {
    /// All of it.
    #[default]
    Box,
    /// The ellipsoid (in two dimensions the ellipse) that touches its faces.
    Ellipsoid,
}

/// The pressure from which a block's initial densities follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InitialPressure {
    /// ρ₀ g × depth below the block's upper face along gravity: for fluid that rests or is about to fall over.
    #[default]
    Hydrostatic,
    /// None: for fluid in free fall.
    Zero,
    /// That of incompressible fluid at the moment when it is let go, with the velocity that it has: 0 on faces that no wall and no other
    /// block touches, and everywhere what does not let the fluid be compressed. May be negative where the fluid pulls apart.
    Released,
}

impl FluidBlock {
    /// The water in which its velocity field is asked for; `gravity` in m/s².
    pub(crate) fn water(&self, gravity: Vec3) -> Water {
        Water { corner: self.min, depth: self.max.y - self.min.y, gravity: gravity.length() }
    }
}
