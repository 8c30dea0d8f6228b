//! Room for a body that a user moves: it stops before walls.

use crate::boundary::{Container, Face};
use crate::parameters::Dimensions;
use crate::setup::BlockShape;
use crate::simulation::{PlacedBody, Simulation};
use crate::space::geometry::Solid;
use glam::{DVec3, Vec3};

/// Distance from walls at which a body that is moved stops, spacings: that of two layers of fluid, which would be squeezed out at any
/// speed.
const WALL_ROOM: f32 = 2.0;

/// Largest number of places along a displacement that are looked at.
const PLACES: f32 = 64.0;

impl Simulation {
    /// The part of a displacement by `wanted` (m) that leaves fluid room between a body and the walls of the containers that its centre is
    /// in. A body that is closer to a wall comes no closer.
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
        let place = |point: DVec3| center + (turned * (placed.pose.point(point) - placed.center().as_dvec3())).as_vec3();
        let outermost: Vec<Vec3> = outermost_points(placed).map(place).collect();
        let mut allowed = (turned * wanted.as_dvec3()).as_vec3();
        for axis in 0..axes {
            let has_wall = |side: usize| container.faces.contains(Face::ALL[2 * axis + side]);
            let coordinates = || outermost.iter().map(|point| point[axis]);
            let (low, high) = (coordinates().fold(f32::INFINITY, f32::min), coordinates().fold(f32::NEG_INFINITY, f32::max));
            let down = if has_wall(0) { (container.min[axis] + room - low).min(0.0) } else { f32::NEG_INFINITY };
            let up = if has_wall(1) { (container.max[axis] - room - high).max(0.0) } else { f32::INFINITY };
            allowed[axis] = allowed[axis].clamp(down, up);
        }
        if let Some(region) = &container.region {
            allowed *= free_share(region, &outermost, allowed, room);
        }
        (pose.rotation * allowed.as_dvec3()).as_vec3()
    }
}

/// Points of a body, before any motion, that are the first to meet a wall, m: the corners of its box, or the ends of the axes of an ellipsoid.
fn outermost_points(placed: &PlacedBody) -> impl Iterator<Item = DVec3> {
    let (middle, half) = (placed.body.middle(), placed.body.half_extent());
    let corner = |corner: u32| Vec3::from_array([0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 }));
    let tip = |tip: u32| (if tip % 2 == 1 { 1.0 } else { -1.0 }) * Vec3::AXES[tip as usize / 2];
    let is_round = placed.body.shape == BlockShape::Ellipsoid;
    let count = if is_round { 6 } else { 8 };
    (0..count).map(move |index| (middle + half * if is_round { tip(index) } else { corner(index) }).as_dvec3())
}

/// Share of the displacement by `wanted` (m) along which `points` (m) inside a region stay `room` (m) away from its surface, or come no closer to
/// it than they are.
fn free_share(region: &Solid, points: &[Vec3], wanted: Vec3, room: f32) -> f32 {
    let depth = |point: Vec3| -region.signed_distance(point);
    let least: Vec<f32> = points.iter().map(|&point| depth(point).min(room)).collect();
    // At most half the room apart, so that it cannot be passed over.
    let count = (2.0 * wanted.length() / room).ceil().clamp(1.0, PLACES);
    let is_free = |share: f32| points.iter().zip(&least).all(|(&point, least)| depth(point + share * wanted) >= *least);
    let shares = (1..=count as u32).map(|place| place as f32 / count);
    shares.take_while(|&share| is_free(share)).last().unwrap_or(0.0)
}
