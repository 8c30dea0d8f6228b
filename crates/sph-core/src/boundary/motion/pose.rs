//! Pose of a rigid body at one time, its velocities and accelerations, and its frame of reference over a step.

use super::Motion;
use glam::{BVec3, DMat3, DVec3, Mat3, Vec3};

/// Place and orientation of a rigid body at one time: the point x₀ of it is at `pivot + displacement + R (x₀ − pivot)`. The
/// default is the body as it is described, neither displaced nor rotated.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Displacement of the pivot since time 0, m.
    pub displacement: DVec3,
    /// Pivot at time 0, m.
    pub pivot: DVec3,
    /// Rotation matrix R.
    pub rotation: DMat3,
}

impl Pose {
    /// Present position of the point of the body that is described at `start`, m.
    pub fn point(&self, start: DVec3) -> DVec3 {
        self.pivot + self.displacement + self.rotation * (start - self.pivot)
    }

    /// Described position of the point of the body that is at `point` now, m: the inverse of [`Pose::point`].
    pub fn start(&self, point: DVec3) -> DVec3 {
        self.pivot + self.rotation.transpose() * (point - self.pivot - self.displacement)
    }

    /// Lowest and highest corner of the box around what is described as a box, m.
    pub fn bounds(&self, min: Vec3, max: Vec3) -> (Vec3, Vec3) {
        let corners = corners(min, max).map(|corner| self.point(corner).as_vec3());
        corners.into_iter().fold((corners[0], corners[0]), |(low, high), corner| (low.min(corner), high.max(corner)))
    }
}

/// Corners of a box.
pub(super) fn corners(min: Vec3, max: Vec3) -> [DVec3; 8] {
    let upper = |corner: usize| BVec3::from_array([0, 1, 2].map(|axis| corner >> axis & 1 == 1));
    std::array::from_fn(|corner| Vec3::select(upper(corner), max, min).as_dvec3())
}

/// The rotation by `angle` (rad) about a unit axis, `R = I + sin θ K + (1 − cos θ) K²` with K v = axis × v (Rodrigues). A
/// rotation about z leaves z as it is to the bit.
pub(super) fn rotation_matrix(axis: DVec3, angle: f64) -> DMat3 {
    let column = |unit: DVec3| {
        let across = axis.cross(unit);
        unit + angle.sin() * across + (1.0 - angle.cos()) * axis.cross(across)
    };
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

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

/// Frame of reference that moves with a rigid body from the beginning of a step to its end. Its axes are those in which the
/// body is described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepFrame {
    /// Displacement of the origin during the step, m.
    shift: Vec3,
    /// Rotation at the beginning and at the end.
    rotations: [Mat3; 2],
}

impl StepFrame {
    /// Frame whose origin is the point of the body described at `origin` (m), from `times[0]` to `times[1]`, s.
    pub fn new(motion: &Motion, origin: DVec3, times: [f64; 2]) -> Self {
        Self::between(times.map(|time| motion.pose(time)), origin)
    }

    /// Frame whose origin is the point of the body described at `origin` (m), from the first of `poses` to the second.
    pub fn between(poses: [Pose; 2], origin: DVec3) -> Self {
        let [start, end] = poses.map(|pose| pose.point(origin));
        Self { shift: (end - start).as_vec3(), rotations: poses.map(|pose| pose.rotation.as_mat3()) }
    }

    /// Frame that moves by `shift` (m) and does not turn.
    pub fn translation(shift: Vec3) -> Self {
        Self { shift, rotations: [Mat3::IDENTITY; 2] }
    }

    /// Position at the beginning and mean velocity over `dt` (s), both relative to the frame and along its axes, of a particle
    /// `from_origin` (m) away with `velocity` (m/s).
    pub fn enter(&self, dt: f32, from_origin: Vec3, velocity: Vec3) -> (Vec3, Vec3) {
        let [start, end] = [from_origin, from_origin + dt * velocity - self.shift];
        let [start, end] = [self.rotations[0].transpose() * start, self.rotations[1].transpose() * end];
        (start, (end - start) / dt)
    }

    /// Change of the velocity in space for a change of the velocity relative to the frame, m/s.
    pub fn leave(&self, change: Vec3) -> Vec3 {
        self.rotations[1] * change
    }

    /// Position along the axes of the frame after `part` of the step, from 0 to 1, of a point that is `from_origin` (m) away from where the
    /// origin was at the beginning. The frame turns at an even rate, to second order in its angle.
    pub fn local(&self, part: f32, from_origin: Vec3) -> Vec3 {
        let apart = from_origin - part * self.shift;
        let [start, end] = self.rotations.map(|rotation| rotation.transpose() * apart);
        // Between two directions: as long as before.
        start.lerp(end, part).normalize_or_zero() * apart.length()
    }

    /// Direction in space after `part` of the step of a unit vector along the axes of the frame.
    pub fn direction(&self, part: f32, local: Vec3) -> Vec3 {
        let [start, end] = self.rotations.map(|rotation| rotation * local);
        start.lerp(end, part).normalize_or(start)
    }

    /// Mean velocity over a step of `dt` (s) of the point that is fixed at `local` (m) in the frame, m/s.
    pub fn velocity(&self, dt: f32, local: Vec3) -> Vec3 {
        (self.shift + self.rotations[1] * local - self.rotations[0] * local) / dt
    }

    /// `velocity` (m/s), changed as `confine` changes the velocity of the particle in the frame: `confine` takes position (m,
    /// from the origin) and velocity relative to the frame.
    pub fn confine(&self, dt: f32, from_origin: Vec3, velocity: Vec3, confine: impl FnOnce(Vec3, Vec3) -> Vec3) -> Vec3 {
        let (position, relative) = self.enter(dt, from_origin, velocity);
        let confined = confine(position, relative);
        // Exactly as it was, unless it is confined.
        if confined == relative { velocity } else { velocity + self.leave(confined - relative) }
    }
}
