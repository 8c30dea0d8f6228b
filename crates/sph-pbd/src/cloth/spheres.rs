//! Contact of vertices with spheres that others move, such as balls.

use super::vertices::{Vertex, displaced};
use glam::{DVec3, Vec3, Vec3A};
use sph_core::neighbors::{NeighborLists, NeighborSearch, Pairing, SortedCells};
use sph_core::point_sets::PointSet;

/// A sphere that meets sheets. Contacts change its position; its own dynamics take its velocity from `position − previous`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sphere {
    /// Centre, m.
    pub position: DVec3,
    /// Centre at the beginning of the substep, m.
    pub previous: DVec3,
    /// Velocity, m/s; says how far it may come in a step.
    pub velocity: Vec3,
    /// Radius, m.
    pub radius: f32,
    /// Inverse of its mass, 1/kg; 0 for a sphere that no force moves.
    pub inverse_mass: f32,
    /// Impulse of the sheets on it, N s: contacts add to it. It has already moved the sphere if it has a mass.
    pub impulse: Vec3,
    /// Angular impulse of the sheets about its centre, N m s: contacts add to it.
    pub angular_impulse: Vec3,
}

/// Contacts with spheres.
#[derive(Clone, Debug, Default)]
pub(super) struct SphereContacts {
    lists: NeighborLists,
    /// Vertices near each sphere, ascending.
    near: Vec<Vec<u32>>,
}

/// The sets, and the friction of each.
#[derive(Clone, Copy)]
pub(super) struct SphereStep<'a> {
    pub sets: &'a [PointSet],
    pub offsets: &'a [usize],
    pub friction: &'a [f32],
}

impl SphereContacts {
    /// Finds which of `vertices`, at `points` (m), the spheres may meet when they come nearer by up to `reach`, m, which includes the thickness.
    pub fn search(&mut self, points: &[Vec3], vertices: &[u32], spheres: &[Sphere], reach: f32) {
        self.near.resize_with(spheres.len(), Vec::new);
        if spheres.is_empty() {
            return;
        }
        let radius = reach + spheres.iter().map(|sphere| sphere.radius).fold(0.0, f32::max);
        let mut search = SortedCells::new(radius, radius);
        // It covers whatever points there are.
        let _ = search.update(points, vertices);
        let centers: Vec<Vec3> = spheres.iter().map(|sphere| sphere.position.as_vec3()).collect();
        self.lists.fill(&search, &centers, Pairing::Across);
        for (number, near) in self.near.iter_mut().enumerate() {
            near.clear();
            near.extend(self.lists.of(number).iter().map(|&place| vertices[place as usize]));
            near.sort_unstable();
        }
    }

    /// Pushes spheres and vertices apart, once in a substep of length `h`, s.
    pub fn solve(&self, step: &SphereStep<'_>, vertices: &mut [Vertex], spheres: &mut [Sphere], h: f32) {
        for (sphere, near) in spheres.iter_mut().zip(&self.near) {
            for &k in near {
                let k = k as usize;
                let sheet = step.offsets.partition_point(|&offset| offset <= k) - 1;
                let (set, own) = (&step.sets[sheet], k - step.offsets[sheet]);
                let error = set.rounding_errors.get(own).copied().unwrap_or(Vec3::ZERO);
                let (start, rest) = displaced(set.positions[own], error, Vec3::ZERO);
                let start = start.as_dvec3() + rest.as_dvec3();
                sphere.part(&mut vertices[k], start, set.radii[own], step.friction[sheet], h);
            }
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.lists.memory() + self.near.iter().map(|near| near.capacity() * size_of::<u32>()).sum::<usize>()
    }
}

impl Sphere {
    /// Pushes the sphere and a vertex apart that was at `start` (m) at the beginning of the step, like two vertices.
    fn part(&mut self, vertex: &mut Vertex, start: DVec3, radius: f32, friction: f32, h: f32) {
        let from = |displacement: Vec3, center: DVec3| Vec3A::from((start - center).as_vec3() + displacement);
        let now = from(vertex.displacement().into(), self.position);
        let least = self.radius + radius;
        let distance = now.length();
        let inverse = vertex.inverse_mass() + self.inverse_mass;
        if !(distance < least && inverse > 0.0) {
            return;
        }
        let earlier = from(Vec3A::from_vec4(vertex.before).into(), self.previous);
        let normal = if distance > 0.0 { now / distance } else { Vec3A::Y };
        let overlap = least - distance;
        let old = (least - earlier.length()).clamp(0.0, overlap);
        let (own, other) = (vertex.inverse_mass() / inverse, self.inverse_mass / inverse);
        vertex.relocate(normal * (old * own));
        let mut shift = |by: Vec3A| self.position += Vec3::from(by).as_dvec3();
        shift(normal * (-old * other));
        self.previous += Vec3::from(normal * (-old * other)).as_dvec3();
        let push = overlap - old;
        let slip = vertex.travel() - Vec3A::from((self.position - self.previous).as_vec3());
        let slip = slip - normal * slip.dot(normal);
        let length = slip.length();
        let back = if length > 0.0 { slip * (friction * push / length).min(1.0) } else { Vec3A::ZERO };
        let change = normal * push - back;
        vertex.shift(change * own);
        self.position += Vec3::from(change * -other).as_dvec3();
        let impulse = Vec3::from(change / (-inverse * h));
        self.impulse += impulse;
        self.angular_impulse += Vec3::from(normal * self.radius).cross(impulse);
    }
}
