//! Frame of reference of a rigid body over one step.

use super::{Motion, Pose};
use glam::{DVec3, Mat3, Vec3};

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

    /// `velocity` (m/s), changed as `confine` changes the velocity of the particle in the frame: `confine` takes position (m,
    /// from the origin) and velocity relative to the frame.
    pub fn confine(&self, dt: f32, from_origin: Vec3, velocity: Vec3, confine: impl FnOnce(Vec3, Vec3) -> Vec3) -> Vec3 {
        let (position, relative) = self.enter(dt, from_origin, velocity);
        let confined = confine(position, relative);
        // Exactly as it was, unless it is confined.
        if confined == relative { velocity } else { velocity + self.leave(confined - relative) }
    }
}
