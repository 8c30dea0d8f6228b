//! Picking: the first particle, box or body that a ray enters. Plain data; takes time linear in the number of objects.
//!
//! Objects around the ray's origin or behind it are not hit, nor are non-finite ones.

use crate::camera::Ray;
use glam::Vec3;
use sph_core::{Body, Dimensions, Pose};

/// Distance from the surface of a body at which a ray has reached it, parts of the body's largest extent.
const CLOSE: f32 = 1e-3;

/// Largest number of places along a ray that are looked at: more are needed only by rays that graze a body, which are none on it.
const TRACED: usize = 128;

/// Index of the first particle whose sphere of `radius` (m) the ray enters, among those that `is_shown`; the lowest index of a
/// tie.
pub fn particle_at(positions: &[Vec3], radius: f32, ray: Ray, is_shown: impl Fn(usize) -> bool) -> Option<usize> {
    let mut nearest = (f32::INFINITY, None);
    for (index, &position) in positions.iter().enumerate() {
        if let Some(entered) = sphere_entry(position, radius, ray)
            && entered < nearest.0
            && is_shown(index)
        {
            nearest = (entered, Some(index));
        }
    }
    nearest.1
}

/// Distance along the ray to the point where it enters a sphere from outside, m.
pub fn sphere_entry(center: Vec3, radius: f32, Ray { origin, direction }: Ray) -> Option<f32> {
    let offset = center - origin;
    // Not |offset|² − along²: over distances of many radii that difference would cancel.
    let beside = radius * radius - offset.cross(direction).length_squared();
    let entered = offset.dot(direction) - beside.max(0.0).sqrt();
    (beside >= 0.0 && entered >= 0.0).then_some(entered)
}

/// Distance along the ray to the point where it crosses a triangle from either side, m (MollerTrumbore1997).
pub fn triangle_entry([a, b, c]: [Vec3; 3], Ray { origin, direction }: Ray) -> Option<f32> {
    let (first, second, offset) = (b - a, c - a, origin - a);
    let across = direction.cross(second);
    let determinant = first.dot(across);
    let (u, along) = (offset.dot(across) / determinant, offset.cross(first));
    let (v, entered) = (direction.dot(along) / determinant, second.dot(along) / determinant);
    // False for NaN, of a triangle without area or along the ray.
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && entered >= 0.0 && entered.is_finite()).then_some(entered)
}

/// Index of the first box (lowest and highest corner, m) that the ray enters; the lowest index of a tie. A box without depth is
/// hit where the ray crosses it.
pub fn box_at(boxes: impl Iterator<Item = (Vec3, Vec3)>, ray: Ray) -> Option<usize> {
    let mut nearest = (f32::INFINITY, None);
    for (index, (min, max)) in boxes.enumerate() {
        if let Some(entered) = box_entry(min, max, ray)
            && entered < nearest.0
        {
            nearest = (entered, Some(index));
        }
    }
    nearest.1
}

/// Distance along the ray to the point where it enters a box (lowest and highest corner, m) from outside, m.
pub fn box_entry(min: Vec3, max: Vec3, Ray { origin, direction }: Ray) -> Option<f32> {
    let (mut enters, mut leaves) = (0.0, f32::INFINITY);
    for axis in 0..3 {
        let (low, high) = (min[axis] - origin[axis], max[axis] - origin[axis]);
        if direction[axis] == 0.0 {
            // A ray parallel to a face must lie between the two. Written so that NaN fails the test.
            if !(low < 0.0 && high > 0.0) {
                return None;
            }
            continue;
        }
        let (first, second) = if direction[axis] > 0.0 { (low, high) } else { (high, low) };
        let (first, second) = (first / direction[axis], second / direction[axis]);
        // False for an inverted box and for NaN.
        let between = first <= second;
        if !between {
            return None;
        }
        enters = first.max(enters);
        leaves = second.min(leaves);
    }
    (enters > 0.0 && enters <= leaves && enters.is_finite()).then_some(enters)
}

/// Distance along the ray to the point where it enters a body in this `pose` from outside, m; in two dimensions to the plane, if it crosses
/// that within the body.
pub fn body_entry(body: &Body, pose: &Pose, dimensions: Dimensions, ray: Ray) -> Option<f32> {
    let is_flat = dimensions == Dimensions::Two;
    let [min, max] = [body.min, body.max].map(|corner| if is_flat { corner.with_z(0.0) } else { corner });
    let direction = (pose.rotation.transpose() * ray.direction.as_dvec3()).as_vec3();
    let described = Ray { origin: pose.start(ray.origin.as_dvec3()).as_vec3(), direction };
    let mut along = box_entry(min, max, described)?;
    let (end, close) = (along + min.distance(max), CLOSE * (max - min).max_element());
    // Sphere tracing: nothing of the body is nearer than its distance.
    for _ in 0..TRACED {
        let distance = body.distance(dimensions, described.origin + along * direction);
        if distance <= close {
            return Some(along);
        }
        along += distance;
        if is_flat || along > end {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use sph_core::{Axis, BlockShape, Shape, ShapeKind, Solid};

    fn ray(origin: [f32; 3], towards: [f32; 3]) -> Ray {
        Ray { origin: origin.into(), direction: (Vec3::from(towards) - Vec3::from(origin)).normalize() }
    }

    struct Random(u32);

    impl Random {
        /// A number from −1 to 1.
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
        }

        fn point(&mut self) -> Vec3 {
            Vec3::new(self.next(), self.next(), self.next())
        }

        fn ray(&mut self, reach: f32) -> Ray {
            let (origin, target) = (reach * self.point(), self.point());
            Ray { origin, direction: (target - origin).normalize() }
        }
    }

    /// Distance to the sphere: the smaller root of |origin + t direction − center|² = radius².
    fn sphere_entry(center: Vec3, radius: f32, ray: Ray) -> Option<f64> {
        let (offset, direction) = (ray.origin.as_dvec3() - center.as_dvec3(), ray.direction.as_dvec3());
        let (a, b) = (direction.length_squared(), 2.0 * offset.dot(direction));
        let c = offset.length_squared() - f64::from(radius) * f64::from(radius);
        let discriminant = b * b - 4.0 * a * c;
        let root = (-b - discriminant.sqrt()) / (2.0 * a);
        (discriminant >= 0.0 && root >= 0.0).then_some(root)
    }

    /// Distance to the first crossing of any of the six faces, for an origin outside.
    fn box_entry(min: Vec3, max: Vec3, ray: Ray) -> Option<f64> {
        let (min, max) = (min.as_dvec3(), max.as_dvec3());
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let inside = |place: DVec3| (0..3).all(|axis| place[axis] >= min[axis] && place[axis] <= max[axis]);
        if inside(origin) {
            return None;
        }
        let crossing = |axis: usize, face: f64| {
            let t = (face - origin[axis]) / direction[axis];
            let mut place = origin + t * direction;
            place[axis] = face;
            (t > 0.0 && inside(place)).then_some(t)
        };
        let faces = (0..3).flat_map(|axis| [crossing(axis, min[axis]), crossing(axis, max[axis])]);
        faces.flatten().min_by(f64::total_cmp)
    }

    #[test]
    fn random_rays_hit_the_sphere_that_the_quadratic_equation_gives() {
        let mut random = Random(1);
        let positions: Vec<_> = (0..500).map(|_| random.point()).collect();
        let mut hits = 0;
        for reach in [0.5, 2.0, 50.0] {
            for _ in 0..200 {
                let ray = random.ray(reach);
                let shown = |index: usize| !index.is_multiple_of(5);
                let entries = (0..500).filter(|&index| shown(index));
                let entries = entries.filter_map(|index| Some((sphere_entry(positions[index], 0.06, ray)?, index)));
                let expected = entries.min_by(|a, b| a.0.total_cmp(&b.0));
                let found = particle_at(&positions, 0.06, ray, shown);
                assert_eq!(found, expected.map(|(_, index)| index), "{ray:?}");
                hits += usize::from(found.is_some());
            }
        }
        assert!((100..500).contains(&hits), "{hits} of 600 rays hit a sphere");
    }

    #[test]
    fn random_rays_hit_the_box_whose_faces_they_cross_first() {
        let mut random = Random(2);
        let cell = |random: &mut Random| {
            let min = (random.point() * 8.0).floor() / 8.0;
            (min, min + 0.125)
        };
        let mut boxes: Vec<_> = (0..300).map(|_| cell(&mut random)).collect();
        boxes.sort_by_key(|(min, _)| min.to_array().map(|place| (8.0 * place) as i32));
        boxes.dedup();
        let mut hits = 0;
        for reach in [0.5, 2.0, 50.0] {
            for _ in 0..200 {
                let ray = random.ray(reach);
                let entries =
                    boxes.iter().enumerate().filter_map(|(index, &(min, max))| Some((box_entry(min, max, ray)?, index)));
                let expected = entries.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index);
                let found = box_at(boxes.iter().copied(), ray);
                assert_eq!(found, expected, "{ray:?}");
                hits += usize::from(found.is_some());
            }
        }
        assert!((100..500).contains(&hits), "{hits} of 600 rays hit a box");
    }

    #[test]
    fn the_pointer_picks_the_object_drawn_there() {
        let camera = crate::camera::Camera::look(Vec3::new(3.0, 2.0, 5.0), Vec3::ZERO);
        let positions = [Vec3::new(0.3, 0.2, 0.1), Vec3::new(-0.4, 0.3, -0.2), Vec3::new(0.1, -0.4, 0.5)];
        for (index, &position) in positions.iter().enumerate() {
            let ray = camera.ray(camera.project(position, 1.5).unwrap(), 1.5);
            assert_eq!(particle_at(&positions, 0.01, ray, |_| true), Some(index));
            assert_eq!(particle_at(&positions, 0.01, ray, |other| other != index), None);
            assert_eq!(box_at(positions.iter().map(|&p| (p - 0.01, p + 0.01)), ray), Some(index));
        }
    }

    #[test]
    fn a_small_sphere_far_away_is_hit_up_to_its_outline() {
        let ray = ray([0.0, 0.0, 1000.0], [0.0, 0.0, 0.0]);
        assert_eq!(particle_at(&[Vec3::X * 0.000_99], 0.001, ray, |_| true), Some(0));
        assert_eq!(particle_at(&[Vec3::X * 0.001_01], 0.001, ray, |_| true), None);
    }

    #[test]
    fn objects_around_or_behind_the_origin_are_not_hit() {
        let forward = ray([0.0; 3], [0.0, 0.0, -1.0]);
        let at = |z: f32| Vec3::new(0.0, 0.0, z);
        assert_eq!(particle_at(&[at(0.5), at(3.0), at(-9.0), at(-5.0)], 1.0, forward, |_| true), Some(3));
        let around = |z: f32| (at(z) - 1.0, at(z) + 1.0);
        assert_eq!(box_at([around(0.5), around(3.0), around(-9.0), around(-5.0)].into_iter(), forward), Some(3));
    }

    #[test]
    fn rays_along_the_axes_and_along_faces() {
        let unit = (Vec3::ZERO, Vec3::ONE);
        let hits_unit_box = |origin, towards| box_at([unit].into_iter(), ray(origin, towards)).is_some();
        assert!(hits_unit_box([0.5, 0.5, 3.0], [0.5, 0.5, 0.0]));
        assert!(!hits_unit_box([0.5, 1.5, 3.0], [0.5, 1.5, 0.0]));
        assert!(!hits_unit_box([0.5, 1.0, 3.0], [0.5, 1.0, 0.0]), "the face is seen from its edge");
        // Through two opposite corners, so that the ray crosses three faces at once.
        assert!(hits_unit_box([-1.0; 3], [2.0; 3]));
    }

    #[test]
    fn a_box_without_depth_is_hit_where_it_is_crossed() {
        let squares = [(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0)), (Vec3::X, Vec3::new(2.0, 1.0, 0.0))];
        let at = |origin, towards| box_at(squares.into_iter(), ray(origin, towards));
        assert_eq!(at([0.5, 0.5, 4.0], [0.5, 0.5, 0.0]), Some(0));
        assert_eq!(at([0.5, 0.5, -4.0], [1.5, 0.25, 0.0]), Some(1));
        assert_eq!(at([0.5, 0.5, 4.0], [0.5, 1.2, 0.0]), None);
        assert_eq!(at([-1.0, 0.5, 0.0], [1.0, 0.5, 0.0]), None, "in its plane");
    }

    #[test]
    fn non_finite_objects_are_not_hit() {
        let good = ray([0.0, 0.0, 5.0], [0.0; 3]);
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 1e30, 0.0];
        for x in odd {
            let v = Vec3::splat(x);
            for bad in [Ray { origin: v, ..good }, Ray { direction: v, ..good }] {
                particle_at(&[Vec3::ZERO, v], 1.0, bad, |_| true);
                box_at([(v, -v), (Vec3::NEG_ONE, Vec3::ONE), (Vec3::ZERO, v)].into_iter(), bad);
            }
            assert!(!x.is_nan() || particle_at(&[Vec3::ZERO], x, good, |_| true).is_none());
        }
        let positions = [Vec3::NAN, Vec3::INFINITY, Vec3::ZERO, Vec3::new(0.0, f32::NAN, 4.0)];
        assert_eq!(particle_at(&positions, 1.0, good, |_| true), Some(2));
        let boxes =
            [(Vec3::NAN, Vec3::ONE), (Vec3::NEG_ONE, Vec3::NAN), (Vec3::ONE, Vec3::NEG_ONE), (Vec3::NEG_ONE, Vec3::ONE)];
        assert_eq!(box_at(boxes.into_iter(), good), Some(3));
        let nowhere = Ray { direction: Vec3::NAN, ..good };
        assert_eq!((particle_at(&positions, 1.0, nowhere, |_| true), box_at(boxes.into_iter(), nowhere)), (None, None));
    }

    /// A ball in closed form, off its centre and moved; a ring with a small body in its middle, which a ray through the hole reaches.
    #[test]
    fn rays_enter_bodies_at_their_surfaces() {
        let ball = Body { min: Vec3::splat(-1.0), max: Vec3::ONE, shape: BlockShape::Ellipsoid, ..Body::default() };
        let pose = Pose { displacement: DVec3::new(4.0, 0.0, 0.0), ..Pose::default() };
        let entered = |body: &Body, pose: &Pose, ray| body_entry(body, pose, Dimensions::Three, ray);
        for beside in [0.0, 0.5, 0.9] {
            let found = entered(&ball, &pose, ray([0.0, beside, 0.0], [4.0, beside, 0.0])).expect("it meets the ball");
            let expected = 4.0 - (1.0 - beside * beside).sqrt();
            assert!((found - expected).abs() < 0.02, "{found} instead of {expected}");
        }
        // Within its box, past the ball.
        assert_eq!(entered(&ball, &pose, ray([0.0, 0.8, 0.8], [4.0, 0.8, 0.8])), None);
        let cylinder = |radius: f32, half_height: f32| {
            let corner = Vec3::new(radius, radius, half_height);
            Shape::in_box(ShapeKind::Cylinder, Dimensions::Three, -corner, corner, Axis::Z).expect("round")
        };
        let ring = Body::solid(Solid::new([cylinder(2.0, 0.5)], [cylinder(1.5, 0.8)]));
        let through = ray([0.1, 0.2, 5.0], [0.1, 0.2, 0.0]);
        assert_eq!(entered(&ring, &Pose::default(), through), None);
        assert!(entered(&ring, &Pose::default(), ray([1.75, 0.0, 5.0], [1.75, 0.0, 0.0])).is_some());
        assert!(entered(&ball, &Pose::default(), through).is_some());
        let flat = |at: [f32; 3]| body_entry(&ring, &Pose::default(), Dimensions::Two, ray(at, [at[0], at[1], 0.0]));
        assert!(flat([0.2, 0.1, 5.0]).is_none() && flat([1.7, 0.1, 5.0]).is_some());
    }

    #[test]
    fn a_triangle_is_hit_from_both_sides_inside_its_edges() {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let ray = |x: f32, y: f32, z: f32| Ray { origin: Vec3::new(x, y, z), direction: -z.signum() * Vec3::Z };
        for (x, y, is_inside) in [(0.2, 0.3, true), (0.6, 0.6, false), (-0.1, 0.5, false), (0.5, -0.1, false)] {
            for z in [2.0, -2.0] {
                assert_eq!(triangle_entry(triangle, ray(x, y, z)), is_inside.then_some(2.0), "{x} {y} {z}");
            }
        }
        let behind = Ray { origin: Vec3::new(0.2, 0.2, 1.0), direction: Vec3::Z };
        assert_eq!(triangle_entry(triangle, behind), None);
        assert_eq!(triangle_entry([Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], ray(0.5, 0.0, 1.0)), None);
    }
}
