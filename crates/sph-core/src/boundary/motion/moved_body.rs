//! A body that a user has moved.

use super::{Motion, Pose, RigidState};
use crate::parameters::Dimensions;
use glam::DVec3;

/// Distance that a body which comes to rest has left when it stands still, particle spacings. Far less than a hand moves it in a step: above
/// that, a body could not be moved finely.
const REST: f64 = 1e-9;

/// Largest coordinate of a displacement, m, and of its velocity, m/s: those of hands are smaller.
const LARGEST_DISPLACEMENT: f64 = 1e7;
const LARGEST_VELOCITY: f64 = 1e5;

/// A body of the setup, at rest or with a prescribed motion, that a user has moved from where the setup has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovedBody {
    /// Index of the body in [`Setup::bodies`](crate::Setup::bodies).
    pub body: usize,
    /// Displacement from its prescribed place, m.
    pub displacement: DVec3,
    /// Velocity of the displacement, m/s.
    pub velocity: DVec3,
}

impl MovedBody {
    /// Time in which the velocity of a body that no hand holds falls to 1/e, s.
    pub(crate) const BRAKING_TIME: f64 = 0.05;

    /// True if all numbers are finite and not too large, and in two dimensions nothing is out of the plane.
    pub(crate) fn is_valid(&self, dimensions: Dimensions) -> bool {
        let Self { body: _, displacement, velocity } = self;
        let is_flat = dimensions == Dimensions::Three || (displacement.z == 0.0 && velocity.z == 0.0);
        // False for NaN.
        let is_within = |vector: &DVec3, largest: f64| vector.abs().cmple(DVec3::splat(largest)).all();
        is_flat && is_within(displacement, LARGEST_DISPLACEMENT) && is_within(velocity, LARGEST_VELOCITY)
    }

    /// The body with this index, where the setup has it.
    pub(crate) fn new(body: usize) -> Self {
        Self { body, displacement: DVec3::ZERO, velocity: DVec3::ZERO }
    }

    /// Place and orientation at `time` (s) of a body with this prescribed motion.
    pub(crate) fn pose(&self, motion: &Motion, time: f64) -> Pose {
        let pose = motion.pose(time);
        Pose { displacement: pose.displacement + self.displacement, ..pose }
    }

    /// Velocities and accelerations at `time` (s) of a body with this prescribed motion, without the acceleration by the user, which the
    /// pressure that is extrapolated into the body would follow.
    pub(crate) fn rigid_state(&self, motion: &Motion, time: f64) -> RigidState {
        let state = motion.state(time);
        RigidState { pose: self.pose(motion, time), velocity: state.velocity + self.velocity, ..state }
    }

    /// The body at the end of a step of `dt`, s.
    pub(crate) fn after(&self, dt: f64) -> Self {
        Self { displacement: self.displacement + dt * self.velocity, ..*self }
    }

    /// The body after it has been braked for `dt` (s): `v ← v/(1 + dt/τ)`, with the braking time τ.
    pub(crate) fn braked(&self, dt: f64, spacing: f32) -> Self {
        let velocity = self.velocity / (1.0 + dt / Self::BRAKING_TIME);
        let stands = velocity.length() * Self::BRAKING_TIME < REST * f64::from(spacing);
        Self { velocity: if stands { DVec3::ZERO } else { velocity }, ..*self }
    }
}
