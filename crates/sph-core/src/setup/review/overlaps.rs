//! Solids that overlap at the start, where their boundary particles count twice.

use super::Remark;
use crate::boundary::{Body, Container, Face};
use crate::setup::Setup;
use glam::{UVec3, Vec3};

/// Overlap that is remarked on, spacings: less is hardly more than touching.
const DEPTH: f32 = 0.25;

/// Most points along an axis at which an overlap is looked for.
const MAX_POINTS: f32 = 32.0;

impl Setup {
    /// Pairs of bodies, of bodies and walls, and of containers that overlap.
    pub(super) fn overlapping_solids(&self) -> impl Iterator<Item = Remark> {
        let bodies = self.bodies.iter().enumerate().flat_map(move |(second, body)| {
            let others = self.bodies[..second].iter().enumerate();
            others
                .filter(move |(_, other)| self.bodies_overlap(body, other))
                .map(move |(first, _)| Remark::BodiesOverlap { first, second })
        });
        let walls = self.bodies.iter().enumerate().flat_map(move |(body, of)| {
            let containers = self.containers.iter().enumerate();
            containers
                .filter(move |(_, container)| self.is_in_wall(of, container))
                .map(move |(container, _)| Remark::BodyInWall { body, container })
        });
        let containers = self.containers.iter().enumerate().flat_map(move |(second, container)| {
            let others = self.containers[..second].iter().enumerate();
            others
                .filter(move |(_, other)| self.containers_overlap(container, other))
                .map(move |(first, _)| Remark::ContainersOverlap { first, second })
        });
        bodies.chain(walls).chain(containers)
    }

    fn bodies_overlap(&self, body: &Body, other: &Body) -> bool {
        let ((min, max), (other_min, other_max)) = (body.bounds_at_start(), other.bounds_at_start());
        let least = 0.5 * self.depth();
        self.any_point(min.max(other_min), max.min(other_max), |at| {
            self.depth_in(body, at) > least && self.depth_in(other, at) > least
        })
    }

    fn is_in_wall(&self, body: &Body, container: &Container) -> bool {
        let (min, max) = body.bounds_at_start();
        let wall = self.depth()..self.discretization.support_radius;
        if let Some(region) = &container.region {
            return self.any_point(min, max, |at| self.depth_in(body, at) > 0.0 && wall.contains(&region.signed_distance(at)));
        }
        let faces = container.faces_within(&self.domain.flat(self.discretization.dimensions));
        let axes = self.discretization.dimensions.count();
        Face::ALL.into_iter().take(2 * axes).filter(|&face| faces.contains(face)).any(|face| {
            let (axis, is_high) = (face as usize / 2, face as usize % 2 == 1);
            let (mut low, mut high) = (container.min, container.max);
            let (near, far) = (wall.start, wall.end);
            (low[axis], high[axis]) = match is_high {
                true => (container.max[axis] + near, container.max[axis] + far),
                false => (container.min[axis] - far, container.min[axis] - near),
            };
            self.any_point(min.max(low), max.min(high), |at| self.depth_in(body, at) > 0.0)
        })
    }

    /// True if the boxes overlap, unless one has room for the other with its walls.
    fn containers_overlap(&self, one: &Container, other: &Container) -> bool {
        let walls = self.discretization.support_radius;
        let periodic = self.domain.flat(self.discretization.dimensions).periodic;
        let axes = || (0..self.discretization.dimensions.count()).filter(move |&axis| !periodic.test(axis));
        let has_room = |outer: &Container, inner: &Container| {
            axes().all(|axis| outer.min[axis] + walls <= inner.min[axis] && inner.max[axis] + walls <= outer.max[axis])
        };
        let shared = |axis: usize| one.max[axis].min(other.max[axis]) - one.min[axis].max(other.min[axis]);
        axes().all(|axis| shared(axis) > self.depth()) && !has_room(one, other) && !has_room(other, one)
    }

    /// Overlap that is remarked on, m.
    fn depth(&self) -> f32 {
        DEPTH * self.discretization.particle_spacing
    }

    /// Depth of a point (m) below the surface of a body at time 0, m; negative outside.
    fn depth_in(&self, body: &Body, at: Vec3) -> f32 {
        -body.distance_at_start(self.discretization.dimensions, at)
    }

    /// True if the condition holds at any of the centres of a grid of cells in a box, m, a spacing wide or a fraction of the box.
    fn any_point(&self, min: Vec3, max: Vec3, holds: impl Fn(Vec3) -> bool) -> bool {
        let (min, max) = (self.flat(min), self.flat(max));
        let extent = max - min;
        if extent.to_array().into_iter().take(self.discretization.dimensions.count()).any(|extent| extent <= 0.0) {
            return false;
        }
        let cells = (extent / (0.5 * self.discretization.particle_spacing)).ceil().clamp(Vec3::ONE, Vec3::splat(MAX_POINTS));
        let counts: UVec3 = cells.as_uvec3();
        (0..counts.z)
            .flat_map(|z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| UVec3::new(x, y, z))))
            .any(|cell| holds(min + extent * (cell.as_vec3() + 0.5) / cells))
    }
}
