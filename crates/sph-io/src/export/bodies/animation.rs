//! Places and orientations of bodies over time.

use glam::{DQuat, Quat, Vec3};
use sph_core::Pose;

/// Place and orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// Position of its centre, m.
    pub translation: Vec3,
    /// Rotation from its described orientation.
    pub rotation: Quat,
}

impl Placement {
    /// Placement of a body whose centre is described at `center`, m.
    pub fn new(pose: &Pose, center: Vec3) -> Self {
        let translation = pose.point(center.as_dvec3()).as_vec3();
        Self { translation, rotation: DQuat::from_mat3(&pose.rotation).normalize().as_quat() }
    }
}

/// Placements of all bodies, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Animation {
    /// Simulated times, s, ascending.
    pub times: Vec<f32>,
    /// Placements of each body, one for each time.
    pub bodies: Vec<Vec<Placement>>,
}

impl Animation {
    /// The frames before `time`, s.
    pub fn before(mut self, time: f64) -> Self {
        let count = self.times.partition_point(|&other| other < time as f32);
        self.times.truncate(count);
        self.bodies.iter_mut().for_each(|placements| placements.truncate(count));
        self
    }

    /// Adds a frame at `time`, s. A time that single precision cannot tell from the last one replaces it.
    pub fn push(&mut self, time: f64, placements: impl ExactSizeIterator<Item = Placement>) {
        *self = std::mem::take(self).before(time);
        self.times.push(time as f32);
        self.bodies.resize(placements.len(), Vec::new());
        for (body, mut placement) in self.bodies.iter_mut().zip(placements) {
            // q and −q are the same rotation: the one nearer to the last turns the short way.
            if body.last().is_some_and(|last| last.rotation.dot(placement.rotation) < 0.0) {
                placement.rotation = -placement.rotation;
            }
            body.push(placement);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DVec3};

    #[test]
    fn quaternions_turn_the_short_way_and_frames_replace_later_ones() {
        let mut animation = Animation::default();
        let placement = |time: f64| {
            let rotation = DMat3::from_rotation_z(3.0 * time);
            let pose = Pose { displacement: DVec3::new(time, 0.0, 0.0), pivot: DVec3::ONE, rotation };
            Placement::new(&pose, Vec3::new(2.0, 1.0, 1.0))
        };
        for frame in 0..10 {
            let time = 0.25 * f64::from(frame);
            animation.push(time, [placement(time)].into_iter());
        }
        let turned = animation.bodies[0].windows(2).map(|pair| pair[0].rotation.dot(pair[1].rotation));
        assert!(turned.fold(1.0, f32::min) > 0.9);
        // The centre is 1 m from the pivot along x.
        let expected = Vec3::new(1.0 + 0.25 + 0.75f32.cos(), 1.0 + 0.75f32.sin(), 1.0);
        assert!((animation.bodies[0][1].translation - expected).length() < 1e-6);
        animation.push(1.0, [placement(1.0)].into_iter());
        assert_eq!((animation.times.len(), animation.bodies[0].len()), (5, 5));
        assert_eq!(animation.before(0.5).times, [0.0, 0.25]);
    }
}
