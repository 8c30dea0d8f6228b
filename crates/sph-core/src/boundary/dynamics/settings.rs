//! Properties of bodies that move by forces.

use crate::parameters::choice;
use glam::Vec3;

/// Properties of a body that moves by forces, besides its shape and density.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// Velocity of the centre of mass at the start, m/s.
    pub velocity: Vec3,
    /// Angular velocity at the start, rad/s; only that about z counts in two dimensions.
    pub angular_velocity: Vec3,
    /// Coefficient of friction at contacts with solids; that of a contact is the mean of both sides. Walls have 0.5.
    pub friction: f32,
    /// Coefficient of restitution at contacts with solids, from 0 to 1; that of a contact is the mean of both sides. Walls have 0.
    pub restitution: f32,
    /// Motion that is free.
    pub freedom: Freedom,
}

choice! {
    /// Directions of translation and axes of rotation.
    pub enum FreeAxis {
        /// Translation along x.
        X = "x", "x";
        /// Translation along y.
        Y = "y", "y";
        /// Translation along z.
        Z = "z", "z";
        /// Rotation about x.
        RotationX = "rotation_x", "Rotation about x";
        /// Rotation about y.
        RotationY = "rotation_y", "Rotation about y";
        /// Rotation about z, the one of two dimensions.
        RotationZ = "rotation_z", "Rotation about z";
    }
}

/// Directions in which a body may move, and axes about which it may turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Translation along x, y and z.
    pub translation: [bool; 3],
    /// Rotation about x, y and z.
    pub rotation: [bool; 3],
}

impl Freedom {
    /// Every motion.
    pub const ALL: Self = Self { translation: [true; 3], rotation: [true; 3] };

    /// Returns the freedom without one of them.
    #[must_use]
    pub fn without(mut self, axis: FreeAxis) -> Self {
        let index = axis as usize % 3;
        let motion = if (axis as usize) < 3 { &mut self.translation } else { &mut self.rotation };
        motion[index] = false;
        self
    }
}

impl Default for Dynamics {
    fn default() -> Self {
        Self { velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO, friction: 0.5, restitution: 0.0, freedom: Freedom::ALL }
    }
}

impl Dynamics {
    /// True if all numbers are finite, and the coefficients in their ranges.
    pub(crate) fn is_valid(&self) -> bool {
        let Self { velocity, angular_velocity, friction, restitution, freedom: _ } = self;
        velocity.is_finite()
            && angular_velocity.is_finite()
            && (0.0..=10.0).contains(friction)
            && (0.0..=1.0).contains(restitution)
    }
}
