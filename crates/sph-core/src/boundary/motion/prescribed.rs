//! Prescribed motion of a body or container.

use super::piecewise_linear::PiecewiseLinear;
use super::pose::corners;
use super::{MotionError, Pose, RigidState, Rotation};
use glam::{DMat3, DVec3, Vec3};

/// Prescribed rigid motion: the pivot moves at a velocity that is piecewise linear in time, and constant before the first point
/// and after the last; the body turns about it. The default is at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    translation: PiecewiseLinear<DVec3>,
    rotation: Option<Rotation>,
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

    /// Highest speed of any point of a box (m, at time 0) at any time, m/s: an upper bound, as translation and rotation may be
    /// fastest at different times.
    pub fn top_speed(&self, min: Vec3, max: Vec3) -> f32 {
        let turning =
            |rotation: &Rotation| corners(min, max).map(|corner| rotation.top_speed(corner)).into_iter().fold(0.0, f64::max);
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
            Some(rotation) => (rotation.pivot(), rotation.matrix(time)),
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
