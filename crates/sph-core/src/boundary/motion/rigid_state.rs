//! Velocities and accelerations of a rigid body.

use super::Pose;
use glam::DVec3;

/// Velocities and accelerations of a rigid body at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidState {
    pub pose: Pose,
    /// Velocity of the pivot, m/s.
    pub velocity: DVec3,
    /// Acceleration of the pivot, m/s².
    pub acceleration: DVec3,
    /// Angular velocity Ω, rad/s.
    pub angular_velocity: DVec3,
    /// Angular acceleration, rad/s².
    pub angular_acceleration: DVec3,
}

impl RigidState {
    /// Velocity of the point of the body that is at `point` (m) now, m/s: `v + Ω × r`.
    pub fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular_velocity.cross(self.arm(point))
    }

    /// Acceleration of the point of the body that is at `point` (m) now, m/s²: `a + dΩ/dt × r + Ω × (Ω × r)`.
    pub fn acceleration_at(&self, point: DVec3) -> DVec3 {
        let arm = self.arm(point);
        let centripetal = self.angular_velocity.cross(self.angular_velocity.cross(arm));
        self.acceleration + self.angular_acceleration.cross(arm) + centripetal
    }

    /// r: distance from the pivot, m.
    fn arm(&self, point: DVec3) -> DVec3 {
        point - self.pose.pivot - self.pose.displacement
    }
}
