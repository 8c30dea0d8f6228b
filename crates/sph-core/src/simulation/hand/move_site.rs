//! Places for bodies that a user moves: they stop before walls, and slide along them.

use crate::boundary::{Body, Container, Face, Pose};
use crate::parameters::{Dimensions, Discretization};
use crate::setup::BlockShape;
use crate::simulation::{PlacedBody, Simulation};
use crate::space::geometry::Nearest;
use crate::space::{Domain, Wrap};
use glam::{DMat3, DVec3, Vec3};
use std::sync::Arc;

/// Distance from walls at which a body that is moved stops, spacings: that of two layers of fluid, which would be squeezed out at any
/// speed.
const WALL_ROOM: f32 = 2.0;

/// Largest number of boundary particles of a body that are compared with a wall that is not flat.
const MOST_POINTS: usize = 256;

/// Largest number of corrections of a place, and the distance by which it may then be too close, in parts of the room.
const CORRECTIONS: usize = 16;
const TOLERANCE: f32 = 1e-3;

/// Scene in which a body is moved, at one moment.
#[derive(Clone, Copy, Debug)]
pub struct MoveSite<'a> {
    /// Discretisation.
    pub discretization: &'a Discretization,
    /// Periodic domain.
    pub domain: &'a Domain,
    /// Containers, as they are at time 0.
    pub containers: &'a [Container],
    /// Simulated time, s.
    pub time: f64,
}

/// A body that is moved, at that moment.
struct Moved<'a> {
    body: &'a Body,
    pose: Pose,
    /// Centre of its box, m.
    center: Vec3,
    /// Boundary particles before any motion, m; of a box or an ellipsoid in boxes they are not needed.
    particles: &'a [Vec3],
}

impl Moved<'_> {
    /// At most `most` of its boundary particles before any motion, m.
    fn points(&self, most: usize) -> impl Iterator<Item = DVec3> + '_ {
        let stride = self.particles.len().div_ceil(most).max(1);
        self.particles.iter().step_by(stride).map(|point| point.as_dvec3())
    }
}

impl Simulation {
    /// The displacement nearest to `wanted` (m) that leaves fluid room between a moved body and the walls of the containers that its centre
    /// is in. A body that is closer to a wall comes no closer.
    pub(super) fn within_walls(&self, placed: &PlacedBody, wanted: Vec3) -> Vec3 {
        let Self { discretization, domain, containers, state, .. } = self;
        let site = MoveSite { discretization, domain, containers: &containers.all, time: state.time };
        let PlacedBody { body, pose, .. } = placed;
        site.displacement(&Moved { body, pose: *pose, center: placed.center(), particles: placed.initial() }, wanted)
    }
}

impl MoveSite<'_> {
    /// The place (m) to which a hand at `wanted` (m) can take the centre of the box of `body`, which is in this `pose`: clear of the walls of
    /// the containers that the centre is in. A body that moves by forces is stopped by contacts only. Walls that are not flat are seen from
    /// as near as the room that is left before them; only where there are any are the boundary particles of the body `sampled`.
    pub fn reach(&self, body: &Body, pose: Pose, wanted: Vec3, sampled: impl FnOnce() -> Arc<[Vec3]>) -> Vec3 {
        if body.dynamics.is_some() {
            return wanted;
        }
        let has_shapes =
            matches!(body.shape, BlockShape::Solid(_)) || self.containers.iter().any(|container| container.region.is_some());
        let particles = if has_shapes { sampled() } else { Arc::default() };
        let center = pose.point(body.middle().as_dvec3()).as_vec3();
        let displacement = Wrap::new(self.domain).minimum_image(wanted, self.domain.wrap(center));
        center + self.displacement(&Moved { body, pose, center, particles: &particles }, displacement)
    }

    fn displacement(&self, moved: &Moved<'_>, wanted: Vec3) -> Vec3 {
        let dimensions = self.discretization.dimensions;
        let wanted = if dimensions == Dimensions::Two { wanted.with_z(0.0) } else { wanted };
        self.containers.iter().fold(wanted, |wanted, container| self.within_container(moved, wanted, container))
    }

    fn within_container(&self, moved: &Moved<'_>, wanted: Vec3, container: &Container) -> Vec3 {
        let axes = self.discretization.dimensions.count();
        let room = WALL_ROOM * self.discretization.particle_spacing;
        let pose = container.motion.pose(self.time);
        let faces = container.faces_within(self.domain);
        // All along the axes of the container.
        let center = pose.start(self.domain.wrap(moved.center).as_dvec3()).as_vec3();
        let turned = pose.rotation.transpose();
        let in_box = |axis: usize| (container.min[axis]..=container.max[axis]).contains(&center[axis]);
        if !(0..axes).all(in_box) {
            return wanted;
        }
        let has_wall = |axis: usize, side: usize| faces.contains(Face::ALL[2 * axis + side]);
        let (lowest, highest) = bounds(moved, turned * moved.pose.rotation, self.discretization.particle_spacing);
        let mut allowed = (turned * wanted.as_dvec3()).as_vec3();
        for axis in 0..axes {
            let (low, high) = (center[axis] + lowest[axis], center[axis] + highest[axis]);
            let down = if has_wall(axis, 0) { (container.min[axis] + room - low).min(0.0) } else { f32::NEG_INFINITY };
            let up = if has_wall(axis, 1) { (container.max[axis] - room - high).max(0.0) } else { f32::INFINITY };
            allowed[axis] = allowed[axis].clamp(down, up);
        }
        if let Some(region) = &container.region {
            let flat = |point: Vec3| if axes == 2 { point.with_z(0.0) } else { point };
            let from_center = |point: DVec3| flat((turned * (moved.pose.point(point) - moved.center.as_dvec3())).as_vec3());
            // Beyond an open face the region counts as if it went on.
            let inside = |point: Vec3| {
                let along = |axis: usize| {
                    let low = if has_wall(axis, 0) { f32::NEG_INFINITY } else { container.min[axis] };
                    let high = if has_wall(axis, 1) { f32::INFINITY } else { container.max[axis] };
                    point[axis].clamp(low, high)
                };
                Vec3::from_array([0, 1, 2].map(along))
            };
            let points: Vec<Vec3> = moved.points(MOST_POINTS).map(from_center).collect();
            let nearest = |point: Vec3| {
                let Nearest { distance, normal } = region.nearest(inside(flat(center) + point).as_dvec3());
                (distance as f32, flat(normal.as_vec3()))
            };
            // Boundary particles lie half a spacing behind the surface.
            allowed = along_walls(nearest, &points, allowed, room + 0.5 * self.discretization.particle_spacing);
        }
        (pose.rotation * allowed.as_dvec3()).as_vec3()
    }
}

/// Lowest and highest coordinates of a body, from the centre of its box, along axes to which `rotation` leads from its own, m.
fn bounds(moved: &Moved<'_>, rotation: DMat3, spacing: f32) -> (Vec3, Vec3) {
    let half = moved.body.half_extent().as_dvec3();
    let [x, y, z] = [rotation.x_axis * half.x, rotation.y_axis * half.y, rotation.z_axis * half.z];
    let extent = match moved.body.shape {
        BlockShape::Ellipsoid => DVec3::from_array([0, 1, 2].map(|axis| x[axis].hypot(y[axis]).hypot(z[axis]))),
        BlockShape::Box => x.abs() + y.abs() + z.abs(),
        BlockShape::Solid(_) => {
            // A ring does not grow as it turns, its box does.
            let middle = moved.body.middle().as_dvec3();
            let points = moved.points(usize::MAX).map(|point| (rotation * (point - middle)).as_vec3());
            let ends = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            let (low, high) = points.fold(ends, |(low, high), point| (low.min(point), high.max(point)));
            return (low - 0.5 * spacing, high + 0.5 * spacing);
        }
    };
    (-extent.as_vec3(), extent.as_vec3())
}

/// The displacement nearest to `wanted` (m) with which `points` (m from the centre of a body) stay `room` (m) away from a wall, or come no
/// closer to it than they are. `nearest` gives the distance of a point from the wall, m, negative on the side of the fluid, and the direction
/// out of it. Looks ahead as far as the room: a body comes no farther in a step.
fn along_walls(nearest: impl Fn(Vec3) -> (f32, Vec3), points: &[Vec3], wanted: Vec3, room: f32) -> Vec3 {
    let least: Vec<f32> = points.iter().map(|&point| (-nearest(point).0).min(room)).collect();
    let ahead = wanted.clamp_length_max(room);
    let mut allowed = ahead;
    for _ in 0..CORRECTIONS {
        let lacking = points.iter().zip(&least).map(|(&point, least)| {
            let (distance, normal) = nearest(point + allowed);
            (least + distance, normal)
        });
        let Some((lack, normal)) = lacking.max_by(|a, b| a.0.total_cmp(&b.0)) else { return wanted };
        if lack <= TOLERANCE * room {
            return if allowed == ahead { wanted } else { allowed };
        }
        allowed -= lack * normal;
    }
    Vec3::ZERO
}
