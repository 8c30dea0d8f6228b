//! Room for a body that a user moves: it stops before walls, and slides along them.

use crate::boundary::{Container, Face};
use crate::parameters::Dimensions;
use crate::setup::BlockShape;
use crate::simulation::{PlacedBody, Simulation};
use crate::space::geometry::Nearest;
use glam::{DMat3, DVec3, Vec3};

/// Distance from walls at which a body that is moved stops, spacings: that of two layers of fluid, which would be squeezed out at any
/// speed.
const WALL_ROOM: f32 = 2.0;

/// Largest number of boundary particles of a body that are compared with a wall that is not flat.
const MOST_POINTS: usize = 256;

/// Largest number of corrections of a place, and the distance by which it may then be too close, in parts of the room.
const CORRECTIONS: usize = 16;
const TOLERANCE: f32 = 1e-3;

impl Simulation {
    /// The displacement nearest to `wanted` (m) that leaves fluid room between a moved body and the walls of the containers that its centre
    /// is in. A body that is closer to a wall comes no closer.
    pub(super) fn within_walls(&self, placed: &PlacedBody, wanted: Vec3) -> Vec3 {
        let dimensions = self.discretization.dimensions;
        let wanted = if dimensions == Dimensions::Two { wanted.with_z(0.0) } else { wanted };
        self.containers.all.iter().fold(wanted, |wanted, container| self.within_container(placed, wanted, container))
    }

    fn within_container(&self, placed: &PlacedBody, wanted: Vec3, container: &Container) -> Vec3 {
        let axes = self.discretization.dimensions.count();
        let room = WALL_ROOM * self.discretization.particle_spacing;
        let pose = container.motion.pose(self.state.time);
        // All along the axes of the container.
        let center = pose.start(self.domain.wrap(placed.center()).as_dvec3()).as_vec3();
        let turned = pose.rotation.transpose();
        let in_box = |axis: usize| (container.min[axis]..=container.max[axis]).contains(&center[axis]);
        if !(0..axes).all(in_box) {
            return wanted;
        }
        let has_wall = |axis: usize, side: usize| container.faces.contains(Face::ALL[2 * axis + side]);
        let (lowest, highest) = bounds(placed, turned * placed.pose.rotation, self.discretization.particle_spacing);
        let mut allowed = (turned * wanted.as_dvec3()).as_vec3();
        for axis in 0..axes {
            let (low, high) = (center[axis] + lowest[axis], center[axis] + highest[axis]);
            let down = if has_wall(axis, 0) { (container.min[axis] + room - low).min(0.0) } else { f32::NEG_INFINITY };
            let up = if has_wall(axis, 1) { (container.max[axis] - room - high).max(0.0) } else { f32::INFINITY };
            allowed[axis] = allowed[axis].clamp(down, up);
        }
        if let Some(region) = &container.region {
            let flat = |point: Vec3| if axes == 2 { point.with_z(0.0) } else { point };
            let from_center = |point: DVec3| flat((turned * (placed.pose.point(point) - placed.center().as_dvec3())).as_vec3());
            // Beyond an open face the region counts as if it went on.
            let inside = |point: Vec3| {
                let along = |axis: usize| {
                    let low = if has_wall(axis, 0) { f32::NEG_INFINITY } else { container.min[axis] };
                    let high = if has_wall(axis, 1) { f32::INFINITY } else { container.max[axis] };
                    point[axis].clamp(low, high)
                };
                Vec3::from_array([0, 1, 2].map(along))
            };
            let points: Vec<Vec3> = placed.surface_points(MOST_POINTS).map(from_center).collect();
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
fn bounds(placed: &PlacedBody, rotation: DMat3, spacing: f32) -> (Vec3, Vec3) {
    let half = placed.body.half_extent().as_dvec3();
    let [x, y, z] = [rotation.x_axis * half.x, rotation.y_axis * half.y, rotation.z_axis * half.z];
    let extent = match placed.body.shape {
        BlockShape::Ellipsoid => DVec3::from_array([0, 1, 2].map(|axis| x[axis].hypot(y[axis]).hypot(z[axis]))),
        BlockShape::Box => x.abs() + y.abs() + z.abs(),
        BlockShape::Solid(_) => {
            // A ring does not grow as it turns, its box does.
            let middle = placed.body.middle().as_dvec3();
            let points = placed.surface_points(usize::MAX).map(|point| (rotation * (point - middle)).as_vec3());
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
