//! Prescribed motion of bodies and containers: displacement and rotation as functions of time.

mod piecewise_linear;
mod pose;
mod rotation;
mod spline;
mod step_frame;

pub use pose::Pose;
pub use rotation::{AngleLaw, Rotation};
pub(crate) use step_frame::StepFrame;

use glam::{DMat3, DVec3, Vec3};
use piecewise_linear::PiecewiseLinear;

/// Prescribed rigid motion: the pivot moves at a velocity that is piecewise linear in time, and constant before the first point
/// and after the last; the body turns about it. The default is at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    translation: PiecewiseLinear<DVec3>,
    rotation: Option<Rotation>,
}

/// Error in a [`Motion`]; points are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    /// A time, velocity or angle is not finite.
    #[error("point {0} of a motion is not finite")]
    NotFinite(usize),
    /// A time is not later than the one before.
    #[error("point {0} of a motion is not later than the one before")]
    NotLater(usize),
    /// The axis of a rotation is 0 or not finite.
    #[error("the axis of a rotation has no direction")]
    Axis,
    /// The pivot of a rotation is not finite.
    #[error("the pivot of a rotation is not finite")]
    Pivot,
    /// A number of an oscillation is not finite, or its period is not positive.
    #[error("the period of an oscillation is not positive, or a number of it is not finite")]
    Oscillation,
}

/// Velocities and accelerations of a rigid body at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidState {
    pub pose: Pose,
    /// Velocity of the pivot, m/s.
    velocity: DVec3,
    /// Acceleration of the pivot, m/s².
    acceleration: DVec3,
    /// Angular velocity Ω, rad/s.
    angular_velocity: DVec3,
    /// Angular acceleration, rad/s².
    angular_acceleration: DVec3,
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

impl Motion {
    /// Motion at a constant velocity (m/s).
    ///
    /// # Errors
    /// The velocity is not finite.
    pub fn steady(velocity: Vec3) -> Result<Self, MotionError> {
        Self::through([(0.0, velocity)])
    }

    /// Motion through the given points: times (s) and velocities (m/s).
    ///
    /// # Errors
    /// A time or velocity is not finite, or the times do not ascend.
    pub fn through(points: impl IntoIterator<Item = (f64, Vec3)>) -> Result<Self, MotionError> {
        let points = points.into_iter().map(|(time, velocity)| (time, velocity.as_dvec3()));
        Ok(Self { translation: PiecewiseLinear::through(points)?, rotation: None })
    }

    /// Returns the motion with a rotation about a pivot that moves as this motion says.
    #[must_use]
    pub fn with_rotation(self, rotation: Rotation) -> Self {
        Self { rotation: Some(rotation), ..self }
    }

    /// The rotation, if there is one.
    pub fn rotation(&self) -> Option<&Rotation> {
        self.rotation.as_ref()
    }

    /// Highest speed of any of `points` (m, at time 0) at any time, m/s: an upper bound, as translation and rotation may be
    /// fastest at different times.
    pub fn top_speed(&self, points: impl IntoIterator<Item = Vec3>) -> f32 {
        let turning =
            |rotation: &Rotation| points.into_iter().map(|point| rotation.top_speed(point.as_dvec3())).fold(0.0, f64::max);
        (self.translation.top_speed() + self.rotation.as_ref().map_or(0.0, turning)) as f32
    }

    /// True if the velocity of any point is nonzero at any time.
    pub fn moves(&self) -> bool {
        self.translation.moves() || self.rotation.as_ref().is_some_and(Rotation::turns)
    }

    /// Velocity of the pivot at `time` (s), m/s: that of every point without rotation.
    pub fn velocity(&self, time: f64) -> Vec3 {
        self.translation.velocity(time).as_vec3()
    }

    /// Acceleration of the pivot at `time` (s), m/s²: right-continuous, so at a point it is the one after it.
    pub fn acceleration(&self, time: f64) -> Vec3 {
        self.translation.acceleration(time).as_vec3()
    }

    /// Displacement of the pivot from time 0 to `time` (s), m: the exact integral of the velocity.
    pub fn displacement(&self, time: f64) -> DVec3 {
        self.translation.displacement(time)
    }

    /// Place and orientation at `time`, s.
    pub fn pose(&self, time: f64) -> Pose {
        let (pivot, rotation) = match &self.rotation {
            Some(rotation) => (rotation.pivot, rotation.matrix(time)),
            None => (DVec3::ZERO, DMat3::IDENTITY),
        };
        Pose { displacement: self.displacement(time), pivot, rotation }
    }

    /// Velocity at `time` (s) of the point that is at `point` (m) then, m/s.
    pub fn velocity_at(&self, time: f64, point: DVec3) -> DVec3 {
        self.state(time).velocity_at(point)
    }

    /// Acceleration at `time` (s) of the point that is at `point` (m) then, m/s².
    pub fn acceleration_at(&self, time: f64, point: DVec3) -> DVec3 {
        self.state(time).acceleration_at(point)
    }

    pub(crate) fn state(&self, time: f64) -> RigidState {
        let about = |rate: fn(&Rotation, f64) -> DVec3| self.rotation.as_ref().map_or(DVec3::ZERO, |law| rate(law, time));
        RigidState {
            pose: self.pose(time),
            velocity: self.translation.velocity(time),
            acceleration: self.translation.acceleration(time),
            angular_velocity: about(Rotation::angular_velocity),
            angular_acceleration: about(Rotation::angular_acceleration),
        }
    }
}

#[cfg(test)]
mod tests;
