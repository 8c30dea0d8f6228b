//! A body that a user has moved.

use super::{Motion, Pose, RigidState};
use crate::parameters::Dimensions;
use glam::DVec3;

/// Time τ in which a moved body that is let go comes to rest: its velocity falls to 1/e, s.
const BRAKING_TIME: f64 = 0.05;

/// Way at which a body that comes to rest stands still, particle spacings.
const REST: f64 = 1e-4;

/// Largest number, m and m/s: those of hands are smaller.
const FARTHEST: f64 = 1e7;

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
    /// True if all numbers are finite and within a million metres and metres a second, and in two dimensions nothing is out of the plane.
    pub(crate) fn is_valid(&self, dimensions: Dimensions) -> bool {
        let Self { body: _, displacement, velocity } = self;
        let is_flat = dimensions == Dimensions::Three || (displacement.z == 0.0 && velocity.z == 0.0);
        // False for NaN.
        is_flat && [displacement, velocity].iter().all(|vector| vector.abs().cmple(DVec3::splat(FARTHEST)).all())
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

    /// The body while it comes to rest for `dt` (s): `v ← v/(1 + dt/τ)`.
    pub(crate) fn braked(&self, dt: f64, spacing: f32) -> Self {
        let velocity = self.velocity / (1.0 + dt / BRAKING_TIME);
        let stands = velocity.length() * BRAKING_TIME < REST * f64::from(spacing);
        Self { velocity: if stands { DVec3::ZERO } else { velocity }, ..*self }
    }
}
