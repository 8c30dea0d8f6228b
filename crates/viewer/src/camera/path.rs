//! Path of a camera through keyframes. Plain data.

use super::orbit::Camera;
use std::f32::consts::TAU;

/// A camera at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keyframe {
    /// Simulated time, s.
    pub time: f64,
    /// The camera.
    pub camera: Camera,
}

/// Keyframes in the order of their times, joined by curves without corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraPath {
    keyframes: Vec<Keyframe>,
}

impl CameraPath {
    /// A path through `keyframes`; of several at one time, the last counts.
    pub fn new(keyframes: impl IntoIterator<Item = Keyframe>) -> Self {
        let mut path = Self::default();
        keyframes.into_iter().for_each(|keyframe| path.insert(keyframe));
        path
    }

    /// Adds a keyframe, or replaces the one at the same time. One at no finite time is left out.
    pub fn insert(&mut self, keyframe: Keyframe) {
        if !keyframe.time.is_finite() {
            return;
        }
        let place = self.keyframes.partition_point(|other| other.time < keyframe.time);
        match self.keyframes.get_mut(place) {
            Some(same) if same.time == keyframe.time => *same = keyframe,
            _ => self.keyframes.insert(place, keyframe),
        }
    }

    /// Removes the keyframe `index`.
    pub fn remove(&mut self, index: usize) {
        if index < self.keyframes.len() {
            self.keyframes.remove(index);
        }
    }

    /// The keyframes in the order of their times.
    pub fn keyframes(&self) -> &[Keyframe] {
        &self.keyframes
    }

    /// The camera at `time` (s): on a cubic Hermite spline through the keyframes, with the slopes of the line through the neighbours
    /// (Catmull and Rom, 1974); at rest before the first keyframe and after the last. The camera turns the shorter way, and distances
    /// change by factors. `None` without keyframes.
    pub fn at(&self, time: f64) -> Option<Camera> {
        let keys = &self.keyframes;
        let next = keys.partition_point(|key| key.time <= time);
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return None };
        if next == 0 {
            return Some(first.camera);
        }
        if next == keys.len() {
            return Some(last.camera);
        }
        let (from, to) = (next - 1, next);
        let length = keys[to].time - keys[from].time;
        let place = ((time - keys[from].time) / length) as f32;
        let coordinates = |index: usize| coordinates(&keys[index].camera, &keys[from].camera);
        // Change over the segment at the slope of the keyframe `index`; the ends of the path are at rest.
        let slope = |index: usize, axis: usize| {
            if index == 0 || index + 1 == keys.len() {
                return 0.0;
            }
            let change = coordinates(index + 1)[axis] - coordinates(index - 1)[axis];
            change * (length / (keys[index + 1].time - keys[index - 1].time)) as f32
        };
        let (start, end) = (coordinates(from), coordinates(to));
        let [x, y, z, distance, yaw, pitch, fov_y] =
            std::array::from_fn(|axis| hermite([start[axis], end[axis]], [slope(from, axis), slope(to, axis)], place));
        Some(Camera {
            target: glam::Vec3::new(x, y, z),
            distance: distance.exp(),
            yaw: yaw % TAU,
            pitch: pitch.clamp(-1.55, 1.55),
            fov_y,
        })
    }
}

/// Coordinates in which cameras are interpolated: target, logarithm of the distance, yaw next to that of `near`, pitch, field of view.
fn coordinates(camera: &Camera, near: &Camera) -> [f32; 7] {
    let turn = (camera.yaw - near.yaw + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
    let [x, y, z] = camera.target.to_array();
    [x, y, z, camera.distance.ln(), near.yaw + turn, camera.pitch, camera.fov_y]
}

/// Cubic with these values and slopes at 0 and 1, at `t`.
fn hermite([a, b]: [f32; 2], [slope_a, slope_b]: [f32; 2], t: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0) + slope_a * (t3 - 2.0 * t2 + t) + b * (3.0 * t2 - 2.0 * t3) + slope_b * (t3 - t2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn key(time: f64, yaw: f32, distance: f32) -> Keyframe {
        Keyframe { time, camera: Camera { yaw, distance, target: Vec3::X * time as f32, ..Camera::default() } }
    }

    #[test]
    fn the_path_goes_through_every_keyframe_and_rests_beyond_them() {
        let path = CameraPath::new([key(2.0, 1.0, 4.0), key(0.0, 0.0, 1.0), key(1.0, 0.5, 2.0)]);
        for keyframe in path.keyframes() {
            let camera = path.at(keyframe.time).unwrap();
            assert!(
                (camera.yaw - keyframe.camera.yaw).abs() < 1e-5 && (camera.distance - keyframe.camera.distance).abs() < 1e-4
            );
        }
        assert_eq!(path.at(-1.0).unwrap(), path.keyframes()[0].camera);
        assert_eq!(path.at(9.0).unwrap(), path.keyframes()[2].camera);
        assert_eq!(CameraPath::default().at(0.0), None);
    }

    #[test]
    fn there_are_no_corners() {
        let path = CameraPath::new([key(0.0, 0.0, 1.0), key(0.5, 0.9, 2.0), key(2.0, 0.2, 1.5), key(3.0, 1.0, 4.0)]);
        let slope = |time: f64| (path.at(time + 1e-3).unwrap().yaw - path.at(time).unwrap().yaw) / 1e-3;
        for time in [0.5, 2.0] {
            assert!((slope(time) - slope(time - 1e-3)).abs() < 0.05, "{} and {}", slope(time - 1e-3), slope(time));
        }
    }

    #[test]
    fn the_camera_turns_the_shorter_way_and_distances_grow_by_factors() {
        let path = CameraPath::new([key(0.0, 3.0, 1.0), key(1.0, -3.0, 4.0)]);
        let middle = path.at(0.5).unwrap();
        assert!((middle.yaw.abs() - std::f32::consts::PI).abs() < 1e-4, "{}", middle.yaw);
        assert!((middle.distance - 2.0).abs() < 1e-4, "{}", middle.distance);
    }

    #[test]
    fn keyframes_replace_those_at_the_same_time() {
        let mut path = CameraPath::new([key(1.0, 0.0, 1.0), key(1.0, 2.0, 3.0), key(f64::NAN, 0.0, 1.0)]);
        assert_eq!(path.keyframes(), [key(1.0, 2.0, 3.0)]);
        path.remove(5);
        path.remove(0);
        assert_eq!(path.keyframes(), []);
    }
}
