//! The camera, and its path through keyframes. Plain data.

use std::f32::consts::TAU;

use glam::{Mat4, Vec2, Vec3};

// The camera: an eye that orbits a target. Plain data, right-handed, y up; no graphics API, no user interface.
//
// All functions accept any input, zero sizes and non-finite numbers included, and leave a camera that can be drawn with.

/// Vertical field of view of the first view of a 3D scene, radians.
const FOV_3D: f32 = 0.61;
/// Vertical field of view of the first view of a 2D scene, radians: little perspective.
const FOV_2D: f32 = 0.26;
/// Yaw and pitch of the first view of a 3D scene, radians: from the front right, slightly above.
const FIRST_YAW: f32 = 0.52;
const FIRST_PITCH: f32 = 0.36;
/// Fraction of the view that the framed box fills along the tighter axis.
const FILL_FRACTION: f32 = 0.82;
/// Largest pitch, radians; just below the pole, where the view would flip over.
const MAX_PITCH: f32 = 1.55;
/// Rotation per logical pixel of dragging, radians.
const ORBIT_SPEED: f32 = 0.006;
/// Factor on the distance per notch of the wheel.
const ZOOM_STEP: f32 = 0.88;
/// Range of the distance, m.
const DISTANCE_RANGE: [f32; 2] = [1e-5, 1e8];
/// Largest coordinate of a target, m.
const MAX_COORDINATE: f32 = 1e12;
/// Longest single drag, logical pixels.
const LONGEST_DRAG: f32 = 1e5;

/// An orbiting camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The point that the camera looks at and orbits, m.
    pub target: Vec3,
    /// Distance from the eye to the target, m.
    pub distance: f32,
    /// Angle about the y axis, radians; 0 looks along −z, positive puts the eye towards +x.
    pub yaw: f32,
    /// Angle above the horizon, radians; positive looks down on the target.
    pub pitch: f32,
    /// Vertical field of view, radians.
    pub fov_y: f32,
}

/// Part of a view, between two corners (x right, y up, −1 to 1 in the whole view).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pane {
    /// Lower left corner.
    pub low: Vec2,
    /// Upper right corner.
    pub high: Vec2,
}

impl Pane {
    /// The whole view.
    pub const WHOLE: Self = Self { low: Vec2::NEG_ONE, high: Vec2::ONE };

    /// What a framed box fills of a view that nothing covers.
    const FRAMED: Self = Self { low: Vec2::splat(-FILL_FRACTION), high: Vec2::splat(FILL_FRACTION) };

    /// Least width and height of a pane that a box is framed in.
    const LEAST: f32 = 0.1;

    /// The pane, or what a framed box usually fills if it is too small or not inside the view.
    fn usable(self) -> Self {
        let is_inside = self.low.cmpge(Vec2::NEG_ONE).all() && self.high.cmple(Vec2::ONE).all();
        if is_inside && (self.high - self.low).min_element() >= Self::LEAST { self } else { Self::FRAMED }
    }
}

/// A ray in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Origin, m.
    pub origin: Vec3,
    /// Direction, a unit vector.
    pub direction: Vec3,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::ZERO, distance: 3.0, yaw: FIRST_YAW, pitch: FIRST_PITCH, fov_y: FOV_3D }
    }
}

impl Camera {
    /// The first view of the box `min`–`max`: three-quarter for a 3D box, straight on for one without depth, filling most of a
    /// view of `aspect` (width over height).
    pub fn frame(min: Vec3, max: Vec3, aspect: f32) -> Self {
        let (min, max) = usable_box(min, max);
        let extent = max - min;
        let flat = extent.z <= 1e-3 * extent.x.max(extent.y);
        let mut camera = if flat { Self { yaw: 0.0, pitch: 0.0, fov_y: FOV_2D, ..Self::default() } } else { Self::default() };
        camera.reframe(min, max, aspect);
        camera
    }

    /// Moves the camera along its own axes, without rotation, until the box `min`–`max` fills most of the view.
    pub fn reframe(&mut self, min: Vec3, max: Vec3, aspect: f32) {
        self.reframe_in(Pane::FRAMED, min, max, aspect);
    }

    /// Moves the camera along its own axes, without rotation, until the box `min`–`max` is as large as `pane` has room for.
    pub fn reframe_in(&mut self, pane: Pane, min: Vec3, max: Vec3, aspect: f32) {
        let (min, max) = usable_box(min, max);
        let (right, up, forward) = self.axes();
        let Pane { low, high } = pane.usable();
        let slopes = self.slopes(aspect);
        let (low, high) = (low * slopes, high * slopes);
        // In camera axes about the box's centre, a corner (x, y, z), z towards the eye at (cx, cy, d), is inside the pane if
        // low (d − z) ≤ x − cx ≤ high (d − z). So cx + low d is at most the least x + low z of all corners, cx + high d at least
        // the largest x + high z, and the two bounds meet at the smallest d.
        let (mut lowest, mut highest) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let middle = 0.5 * (min + max);
        for corner in corners(min, max) {
            let offset = corner - middle;
            let across = Vec2::new(offset.dot(right), offset.dot(up));
            let towards = -offset.dot(forward);
            lowest = lowest.min(across + low * towards);
            highest = highest.max(across + high * towards);
        }
        let distances = (highest - lowest) / (high - low);
        let mut center = highest - high * distances;
        self.distance = distances.max_element().clamp(DISTANCE_RANGE[0], DISTANCE_RANGE[1]);
        // The looser axis is now seen from farther away than its bounds assumed: it is centred again by a fast-converging
        // iteration.
        for _ in 0..12 {
            let position = |corner: Vec3| {
                let offset = corner - middle;
                let across = Vec2::new(offset.dot(right), offset.dot(up)) - center;
                across / (self.distance + offset.dot(forward)).max(self.near())
            };
            let positions = corners(min, max).map(position);
            let least = positions.into_iter().fold(Vec2::INFINITY, Vec2::min);
            let most = positions.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max);
            center += 0.5 * (least + most - low - high) * self.distance;
        }
        self.move_to(middle + center.x * right + center.y * up);
    }

    /// True if all of the box `min`–`max` is seen inside `pane`.
    pub fn sees_in(&self, pane: Pane, min: Vec3, max: Vec3, aspect: f32) -> bool {
        let (min, max) = usable_box(min, max);
        let is_inside = |corner| {
            self.project(corner, aspect).is_some_and(|place| place.cmpge(pane.low).all() && place.cmple(pane.high).all())
        };
        corners(min, max).into_iter().all(is_inside)
    }

    /// Sets the target to `position`, clamped to coordinates at which nearby points are still distinct; a non-finite one is
    /// ignored.
    fn move_to(&mut self, position: Vec3) {
        if position.is_finite() {
            self.target = position.clamp(Vec3::splat(-MAX_COORDINATE), Vec3::splat(MAX_COORDINATE));
        }
    }

    /// Looks from `eye` at `target`; from the default direction if the two coincide or are not finite.
    pub fn look(eye: Vec3, target: Vec3) -> Self {
        let target = if target.is_finite() {
            target.clamp(Vec3::splat(-MAX_COORDINATE), Vec3::splat(MAX_COORDINATE))
        } else {
            Vec3::ZERO
        };
        let offset = eye - target;
        let distance = offset.length();
        if !(distance.is_finite() && distance > 0.0) {
            return Self { target, ..Self::default() };
        }
        let pitch = (offset.y / distance).clamp(-1.0, 1.0).asin().clamp(-MAX_PITCH, MAX_PITCH);
        let distance = distance.clamp(DISTANCE_RANGE[0], DISTANCE_RANGE[1]);
        Self { target, distance, yaw: offset.x.atan2(offset.z), pitch, fov_y: FOV_3D }
    }

    /// Rotates about the target by a drag of `delta` logical pixels (x right, y down): the scene follows the pointer.
    pub fn orbit(&mut self, delta: Vec2) {
        if delta.is_finite() {
            self.yaw = (self.yaw - ORBIT_SPEED * delta.x) % std::f32::consts::TAU;
            self.pitch = (self.pitch + ORBIT_SPEED * delta.y).clamp(-MAX_PITCH, MAX_PITCH);
        }
    }

    /// Shifts the target by a drag of `delta` logical pixels in a view `height` logical pixels high: points at the target's
    /// distance stay under the pointer.
    pub fn pan(&mut self, delta: Vec2, height: f32) {
        if delta.is_finite() && height.is_finite() {
            let (right, up, _) = self.axes();
            let meters = 2.0 * self.distance * (0.5 * self.fov_y).tan() / height.max(1.0);
            let delta = delta.clamp(Vec2::splat(-LONGEST_DRAG), Vec2::splat(LONGEST_DRAG));
            self.move_to(self.target + meters * (delta.y * up - delta.x * right));
        }
    }

    /// Moves nearer (`steps` > 0) or farther by notches of a wheel.
    pub fn zoom(&mut self, steps: f32) {
        if steps.is_finite() {
            let factor = ZOOM_STEP.powf(steps.clamp(-50.0, 50.0));
            self.distance = (self.distance * factor).clamp(DISTANCE_RANGE[0], DISTANCE_RANGE[1]);
        }
    }

    /// [`Camera::zoom`] that fixes the point under `ndc` (x right, y up, −1 to 1) at the target's distance.
    pub fn zoom_at(&mut self, steps: f32, ndc: Vec2, aspect: f32) {
        let before = self.distance;
        self.zoom(steps);
        if ndc.is_finite() {
            let (right, up, _) = self.axes();
            let ndc = ndc.clamp(Vec2::splat(-1.0), Vec2::splat(1.0));
            let shift = ndc * self.slopes(aspect) * (before - self.distance);
            self.move_to(self.target + shift.x * right + shift.y * up);
        }
    }

    /// Position of the eye, m.
    pub fn eye(&self) -> Vec3 {
        let (_, _, forward) = self.axes();
        self.target - self.distance * forward
    }

    /// Unit vectors to the right, up and forward, in world space.
    pub fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
        let forward = -Vec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        (right, right.cross(forward), forward)
    }

    /// Half the extent of the view at distance 1: the tangents of half the fields of view, horizontal and vertical.
    pub fn slopes(&self, aspect: f32) -> Vec2 {
        let up = (0.5 * self.fov_y).tan();
        Vec2::new(up * usable_aspect(aspect), up)
    }

    /// Distance of the near plane, m. There is no far plane.
    pub fn near(&self) -> f32 {
        1e-3 * self.distance
    }

    /// View space from world space: x right, y up, looking along −z.
    pub fn view(&self) -> Mat4 {
        let (right, up, forward) = self.axes();
        Mat4::from_cols(right.extend(0.0), up.extend(0.0), (-forward).extend(0.0), self.eye().extend(1.0)).inverse()
    }

    /// Clip space from view space: depth is 1 at the near plane and falls towards 0 at infinity (reversed z), which keeps its
    /// precision at any scale.
    pub fn projection(&self, aspect: f32) -> Mat4 {
        let scale = self.slopes(aspect).recip();
        Mat4::from_cols_array(&[
            scale.x,
            0.0,
            0.0,
            0.0, //
            0.0,
            scale.y,
            0.0,
            0.0, //
            0.0,
            0.0,
            0.0,
            -1.0, //
            0.0,
            0.0,
            self.near(),
            0.0,
        ])
    }

    /// Clip space from world space.
    pub fn view_proj(&self, aspect: f32) -> Mat4 {
        self.projection(aspect) * self.view()
    }

    /// The ray through `ndc` (x right, y up, −1 to 1).
    pub fn ray(&self, ndc: Vec2, aspect: f32) -> Ray {
        let (right, up, forward) = self.axes();
        let slope = ndc * self.slopes(aspect);
        let direction = forward + slope.x * right + slope.y * up;
        Ray { origin: self.eye(), direction: direction.normalize_or(forward) }
    }

    /// Projection of `point` (x right, y up, −1 to 1 inside the view), or `None` if it lies behind the near plane.
    pub fn project(&self, point: Vec3, aspect: f32) -> Option<Vec2> {
        let clip = self.view_proj(aspect) * point.extend(1.0);
        (clip.w > self.near() && clip.is_finite()).then(|| Vec2::new(clip.x, clip.y) / clip.w)
    }
}

/// The eight corners of a box.
fn corners(min: Vec3, max: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let pick = |bit: usize, low: f32, high: f32| if corner & bit == 0 { low } else { high };
        Vec3::new(pick(1, min.x, max.x), pick(2, min.y, max.y), pick(4, min.z, max.z))
    })
}

/// The aspect ratio clamped to a usable range; 1 if it is not a positive number.
fn usable_aspect(aspect: f32) -> f32 {
    if aspect.is_finite() && aspect > 0.0 { aspect.clamp(1e-3, 1e3) } else { 1.0 }
}

/// The box, with some extent; a unit box if the corners are not ordered or too far away.
fn usable_box(min: Vec3, max: Vec3) -> (Vec3, Vec3) {
    let ok = min.cmple(max).all() && min.abs().max_element() < MAX_COORDINATE && max.abs().max_element() < MAX_COORDINATE;
    match ok {
        false => (Vec3::splat(-0.5), Vec3::splat(0.5)),
        true if max == min => (min - 0.5, max + 0.5),
        true => (min, max),
    }
}

// Path of a camera through keyframes. Plain data.

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

    const ASPECTS: [f32; 5] = [16.0 / 9.0, 1.0, 0.4, 4.0, 0.0];
    const BOXES: [(Vec3, Vec3); 4] = [
        (Vec3::ZERO, Vec3::new(1.6, 1.0, 0.5)),
        (Vec3::new(-40.0, 3.0, -8.0), Vec3::new(60.0, 9.0, 11.0)),
        (Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0)),
        (Vec3::splat(1e-3), Vec3::splat(2e-3)),
    ];

    fn extent_in_view(camera: &Camera, (min, max): (Vec3, Vec3), aspect: f32) -> (Vec2, Vec2) {
        let positions = corners(min, max).map(|corner| camera.project(corner, aspect).expect("in front of the eye"));
        (positions.into_iter().reduce(Vec2::min).unwrap(), positions.into_iter().reduce(Vec2::max).unwrap())
    }

    #[test]
    fn framed_box_fills_the_view_and_stays_inside() {
        for aspect in ASPECTS {
            for bounds in BOXES {
                let camera = Camera::frame(bounds.0, bounds.1, aspect);
                let (low, high) = extent_in_view(&camera, bounds, aspect);
                let size = (high - low).max_element();
                assert!((size - 2.0 * FILL_FRACTION).abs() < 0.01, "{bounds:?} at {aspect}: {size}");
                assert!((low + high).abs().max_element() < 0.01, "{bounds:?} at {aspect}: off the middle, {low} {high}");
            }
        }
    }

    #[test]
    fn flat_scenes_are_seen_straight_on() {
        let camera = Camera::frame(Vec3::ZERO, Vec3::new(2.0, 1.0, 0.0), 1.5);
        assert_eq!((camera.yaw, camera.pitch), (0.0, 0.0));
        assert!(camera.axes().2.abs_diff_eq(Vec3::NEG_Z, 1e-6));
    }

    #[test]
    fn orbit_keeps_target_and_distance_and_stops_at_the_poles() {
        let mut camera = Camera::frame(Vec3::ZERO, Vec3::ONE, 1.0);
        let before = camera;
        camera.orbit(Vec2::new(123.0, 1e5));
        assert_eq!((camera.target, camera.distance), (before.target, before.distance));
        assert_eq!(camera.pitch, MAX_PITCH);
        assert!(((camera.eye() - camera.target).length() - camera.distance).abs() < 1e-5);
        let (right, up, forward) = camera.axes();
        assert!(right.dot(up).abs() + up.dot(forward).abs() + forward.dot(right).abs() < 1e-5);
    }

    #[test]
    fn pan_follows_the_pointer() {
        let mut camera = Camera::look(Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO);
        let height = 500.0;
        camera.pan(Vec2::new(50.0, -25.0), height);
        let position = camera.project(Vec3::ZERO, 1.0).unwrap();
        assert!(position.abs_diff_eq(Vec2::new(50.0, 25.0) * 2.0 / height, 1e-5), "{position}");
    }

    #[test]
    fn zoom_at_keeps_the_point_under_the_pointer() {
        let mut camera = Camera::frame(Vec3::ZERO, Vec3::ONE, 1.5);
        let ndc = Vec2::new(0.4, -0.3);
        let ray = camera.ray(ndc, 1.5);
        let forward = camera.axes().2;
        let point = ray.origin + ray.direction * (camera.distance / ray.direction.dot(forward));
        camera.zoom_at(3.0, ndc, 1.5);
        assert!(camera.project(point, 1.5).unwrap().abs_diff_eq(ndc, 1e-4));
    }

    #[test]
    fn look_and_eye_are_inverse() {
        for eye in [Vec3::new(3.0, 1.0, -2.0), Vec3::new(0.0, 0.1, 5.0), Vec3::new(-1.0, -1.0, 0.0)] {
            let camera = Camera::look(eye, Vec3::new(0.5, 0.25, 0.0));
            assert!(camera.eye().abs_diff_eq(eye, 1e-5), "{eye} became {}", camera.eye());
        }
    }

    #[test]
    fn ray_and_project_are_inverse() {
        let camera = Camera::frame(Vec3::ZERO, Vec3::ONE, 1.5);
        let ndc = Vec2::new(-0.7, 0.2);
        let ray = camera.ray(ndc, 1.5);
        assert!(camera.project(ray.origin + 4.0 * ray.direction, 1.5).unwrap().abs_diff_eq(ndc, 1e-5));
    }

    #[test]
    fn invalid_input_leaves_a_finite_camera() {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -1.0, 1e30];
        for x in bad {
            let v = Vec3::splat(x);
            let mut cameras =
                [Camera::frame(v, v, x), Camera::frame(Vec3::ONE, v, x), Camera::frame(v, Vec3::ONE, x), Camera::look(v, -v)];
            for camera in &mut cameras {
                camera.orbit(Vec2::splat(x));
                camera.zoom_at(x, Vec2::splat(x), x);
                camera.pan(Vec2::splat(x), x);
                assert!(camera.view_proj(x).is_finite(), "{x}: {camera:?}");
            }
        }
    }

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
