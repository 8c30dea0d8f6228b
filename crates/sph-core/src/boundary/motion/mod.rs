//! Motion of bodies and containers: prescribed displacement and rotation as functions of time, and displacement by a user.

mod piecewise_linear;
mod pose;
mod rotation;

pub(crate) use piecewise_linear::PiecewiseLinear;
pub(crate) use pose::{RigidState, StepFrame};

pub use pose::Pose;
pub use rotation::{AngleLaw, Rotation};

use crate::parameters::Dimensions;
use glam::{DMat3, DVec3, Vec3};
use pose::corners;

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

// A body that a user has moved.

/// Distance that a body which comes to rest has left when it stands still, particle spacings. Far less than a hand moves it in a step: above
/// that, a body could not be moved finely.
const REST: f64 = 1e-9;

/// Largest coordinate of a displacement, m, and of its velocity, m/s: those of hands are smaller.
const LARGEST_DISPLACEMENT: f64 = 1e7;
const LARGEST_VELOCITY: f64 = 1e5;

/// A body of the setup, at rest or with a prescribed motion, that a user has moved from where the setup has it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Error in a [`Motion`](Motion); points are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionError {
    /// A time, velocity or angle is not finite, or a slope or displacement that follows from it, as between times 1e-300 s apart.
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
    #[error("the period of an oscillation is not positive, or one of its numbers is not finite")]
    Oscillation,
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::*;
    use glam::{DVec3, Vec3};

    // Motions: displacement integrates velocity, velocity integrates acceleration.

    #[test]
    fn displacement_integrates_velocity_and_velocity_integrates_acceleration() {
        let points = [(-1.0, Vec3::X), (0.5, Vec3::Y), (1.0, Vec3::new(2.0, -3.0, 1.0)), (4.0, Vec3::ZERO)];
        let motion = Motion::through(points).expect("ascending times");
        let fine = 1e-4;
        let (mut displacement, mut time) = (DVec3::ZERO, 0.0);
        while time < 6.0 {
            let middle = time + 0.5 * fine;
            displacement += fine * motion.velocity(middle).as_dvec3();
            time += fine;
            assert!(motion.displacement(time).distance(displacement) < 1e-5, "{time}");
            let [before, after] = [-0.25, 0.25].map(|offset| motion.velocity(middle + offset * fine).as_dvec3());
            let slope = (after - before) / (0.5 * fine);
            assert!(motion.acceleration(middle).as_dvec3().distance(slope) < 1e-2, "{time}");
        }
        assert_eq!(motion.velocity(-9.0), Vec3::X);
        assert_eq!(motion.top_speed(Vec3::ZERO, Vec3::ZERO), 14f32.sqrt());
        assert_eq!(motion.acceleration(-9.0), Vec3::ZERO);
        assert_eq!(motion.displacement(0.0), DVec3::ZERO);
        assert!(
            (motion.displacement(-2.0) - DVec3::new(-5.0 / 3.0, -1.0 / 3.0, 0.0)).length() < 1e-6,
            "{}",
            motion.displacement(-2.0)
        );
    }

    #[test]
    fn simple_motions() {
        assert!(!Motion::default().moves() && Motion::default().displacement(3.0) == DVec3::ZERO);
        let steady = Motion::steady(Vec3::X).expect("finite");
        assert!(steady.moves());
        assert_eq!((steady.velocity(7.0), steady.displacement(3.0)), (Vec3::X, DVec3::new(3.0, 0.0, 0.0)));
        assert_eq!(Motion::through([(1.0, Vec3::X), (1.0, Vec3::X)]), Err(MotionError::NotLater(1)));
        assert_eq!(Motion::steady(Vec3::NAN), Err(MotionError::NotFinite(0)));
    }

    const PIVOT: Vec3 = Vec3::new(0.5, -0.2, 0.3);

    /// Angle, angular velocity and angular acceleration about z.
    fn rates(rotation: &Rotation, time: f64) -> [f64; 3] {
        [rotation.angle(time), rotation.angular_velocity(time).z, rotation.angular_acceleration(time).z]
    }

    fn laws() -> [AngleLaw; 3] {
        [
            AngleLaw::with_velocities([(-1.0, 2.0), (0.5, -1.0), (1.5, 3.0)]).expect("ascending times"),
            AngleLaw::through([(-0.5, 0.7), (0.2, -0.3), (1.1, 0.4), (1.3, 2.0)]).expect("ascending times"),
            AngleLaw::oscillation(0.4, 1.7, 0.6).expect("a positive period"),
        ]
    }

    #[test]
    fn points_of_a_turning_body_move_at_its_velocity_and_acceleration() {
        let displacement = [(0.0, Vec3::X), (1.0, Vec3::new(-1.0, 2.0, 0.5))];
        let start = DVec3::new(1.7, 0.4, -0.9);
        for law in laws() {
            let rotation = Rotation::new(PIVOT, Vec3::new(1.0, -2.0, 3.0), law).expect("a direction");
            let motion = Motion::through(displacement).expect("ascending times").with_rotation(rotation);
            let mut fastest = 0.0f64;
            // Times off the points of the tables, where accelerations jump.
            for tick in -20..40 {
                let (time, step) = (0.0513 * f64::from(tick) + 0.0007, 1e-5);
                let at = |offset: f64| motion.pose(time + offset).point(start);
                let velocity = (at(step) - at(-step)) / (2.0 * step);
                let acceleration = (at(step) - 2.0 * at(0.0) + at(-step)) / (step * step);
                assert!(motion.velocity_at(time, at(0.0)).distance(velocity) < 1e-6, "{time} s, {motion:?}");
                assert!(motion.acceleration_at(time, at(0.0)).distance(acceleration) < 1e-3, "{time} s, {motion:?}");
                assert!(motion.pose(time).start(at(0.0)).distance(start) < 1e-12);
                fastest = fastest.max(velocity.length());
            }
            let top = f64::from(motion.top_speed(start.as_vec3(), start.as_vec3()));
            assert!(fastest <= top && top < 3.0 * fastest, "{fastest} m/s, at most {top} m/s");
        }
    }

    #[test]
    fn angles_are_those_asked_for() {
        let about_z = |law: AngleLaw| Rotation::new(PIVOT, 2.0 * Vec3::Z, law).expect("a direction");
        let [turning, bending, swinging] = laws().map(about_z);
        assert!(turning.angle(0.0) == 0.0 && swinging.angle(0.0) == 0.0 && turning.turns());
        // The exact integral: 0.5 s from 0 to −1 rad/s, then 1 s up to 3 rad/s.
        assert!((turning.angle(1.5) - (-0.25 + 1.0)).abs() < 1e-12, "{}", turning.angle(1.5));
        assert!((swinging.angle(1.7 * 2.25) - 0.4 * ((0.5 * PI + 0.6f64).sin() - 0.6f64.sin())).abs() < 1e-12);
        for (time, angle) in [(-9.0, 0.7), (-0.5, 0.7), (0.2, -0.3), (1.1, 0.4), (1.3, 2.0), (9.0, 2.0)] {
            assert!((bending.angle(time) - angle).abs() < 1e-12, "{time} s: {}", bending.angle(time));
        }
        // Angle and angular velocity are continuous at every point, the acceleration at the inner ones.
        for (time, order) in [(-0.5, 2), (0.2, 3), (1.1, 3), (1.3, 2)] {
            let [before, after] = [-1e-9, 1e-9].map(|offset| rates(&bending, time + offset));
            assert!((0..order).all(|k| (before[k] - after[k]).abs() < 1e-5), "{time} s: {before:?}, {after:?}");
        }
        let quarter = about_z(AngleLaw::steady(TAU / 4.0).expect("finite"));
        let motion = Motion::default().with_rotation(quarter);
        let point = motion.pose(1.0).point(PIVOT.as_dvec3() + DVec3::X);
        assert!(point.distance(PIVOT.as_dvec3() + DVec3::Y) < 1e-12 && point.z == f64::from(PIVOT.z), "{point}");
        assert!(motion.moves());
        let tilted = about_z(AngleLaw::through([(0.0, 0.5)]).expect("finite"));
        assert!(!Motion::default().with_rotation(tilted).moves());
    }

    #[test]
    fn rotations_that_cannot_be_are_refused() {
        let law = || AngleLaw::steady(1.0).expect("finite");
        assert_eq!(Rotation::new(PIVOT, Vec3::ZERO, law()), Err(MotionError::Axis));
        assert_eq!(Rotation::new(PIVOT, Vec3::NAN, law()), Err(MotionError::Axis));
        assert_eq!(Rotation::new(Vec3::INFINITY, Vec3::Z, law()), Err(MotionError::Pivot));
        assert_eq!(AngleLaw::steady(f64::NAN), Err(MotionError::NotFinite(0)));
        assert_eq!(AngleLaw::through([(0.0, 1.0), (1.0, f64::NAN)]), Err(MotionError::NotFinite(1)));
        assert_eq!(AngleLaw::through([(0.0, 1.0), (0.0, 2.0)]), Err(MotionError::NotLater(1)));
        for period in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(AngleLaw::oscillation(1.0, period, 0.0), Err(MotionError::Oscillation), "{period}");
        }
    }

    #[test]
    fn motions_with_infinite_slopes_or_displacements_are_refused() {
        let motion = |times: [f64; 3]| Motion::through(times.into_iter().zip([Vec3::ZERO, Vec3::X, Vec3::ZERO]));
        let angles = |times: [f64; 3]| AngleLaw::through(times.into_iter().zip([0.0, 1.0, 0.0]));
        assert_eq!(motion([0.0, 1e-310, 1.0]), Err(MotionError::NotFinite(1)));
        assert_eq!(motion([0.0, 1.0, 1e100]).err(), None);
        assert_eq!(AngleLaw::with_velocities([(0.0, 0.0), (1e10, 1e300)]), Err(MotionError::NotFinite(1)));
        assert_eq!(AngleLaw::with_velocities([(-1e10, 1e300)]), Err(MotionError::NotFinite(0)));
        assert_eq!(angles([0.0, 1e-310, 1.0]), Err(MotionError::NotFinite(1)));
        assert!(matches!(angles([0.0, 1e-200, 1.0]), Err(MotionError::NotFinite(_))));
        // Short ones that stay finite are as good as any.
        let law = angles([0.0, 1e-9, 1.0]).expect("finite slopes");
        let rotation = Rotation::new(PIVOT, Vec3::Z, law).expect("a direction");
        assert!(Motion::default().with_rotation(rotation).top_speed(Vec3::ZERO, Vec3::ONE).is_finite());
        assert!(motion([0.0, 1e-9, 1.0]).expect("finite slopes").acceleration(0.0).is_finite());
    }

    #[test]
    fn a_frame_takes_points_of_the_body_to_where_they_are_described() {
        let [law, ..] = laws();
        let rotation = Rotation::new(PIVOT, Vec3::new(1.0, 0.5, -1.0), law).expect("a direction");
        let motion = Motion::steady(Vec3::new(0.3, -0.8, 0.1)).expect("finite").with_rotation(rotation);
        let (times, origin, point) = ([0.4, 0.41], DVec3::new(0.2, 0.3, 0.4), DVec3::new(1.0, -0.5, 0.7));
        let frame = StepFrame::new(&motion, origin, times);
        let at = |time: f64, point| motion.pose(time).point(point);
        let velocity = ((at(times[1], point) - at(times[0], point)) / (times[1] - times[0])).as_vec3();
        let from_origin = (at(times[0], point) - at(times[0], origin)).as_vec3();
        let (start, relative) = frame.enter(0.01, from_origin, velocity);
        assert!(start.distance((point - origin).as_vec3()) < 1e-6, "{start}");
        assert!(relative.length() < 1e-4, "{relative}");
        // A particle that is stopped in the frame moves with the body.
        let free = velocity + Vec3::new(1.0, 2.0, 3.0);
        let stopped = frame.confine(0.01, from_origin, free, |_, _| Vec3::ZERO);
        assert!(stopped.distance(velocity) < 1e-4, "{stopped}");
        assert_eq!(frame.confine(0.01, from_origin, free, |_, relative| relative), free);
    }
}
