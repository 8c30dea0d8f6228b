//! Contact of faces with what comes through between their vertices: tips, corners and edges of bodies.
//!
//! Vertices keep a body away that is flat between them. Where their nearest surfaces of one body differ much in direction, the point of the triangle
//! is sought that is nearest to the body, once a substep: from the surface nearest to a point of the triangle to the point nearest to that, and so on.
//! If the triangle is in the body, a deep point is sought by the method of Frank and Wolfe (Macklin2020, sec. 4). It is pushed away like a vertex, and
//! its corners share the push by their weights at the point.
//!
//! What is left of the depth would be taken back in the next substep without giving a velocity, which lifts the sheet for nothing: with the method of
//! Frank and Wolfe alone, whose point is a tenth of a side away from the nearest, a sheet that fell on a tip was thrown higher than it had begun.

use super::movers::Movers;
use super::solids::{Contact, Plane, SolidStep, Solids};
use super::vertices::{Vertex, displaced};
use glam::{Vec3, Vec3A, Vec4};
use rayon::prelude::*;
use sph_core::point_sets::{SolidId, SolidImpulse};

/// Cosine of the angle between the normals at two corners from which a body may come through between them. At less than 45° it is kept away by the
/// corners: the tips of blunter cones do not reach a sheet whose vertices are a thickness apart.
const MOST_ALIKE: f32 = 0.7;

/// The same for solids that touch a sheet at the beginning of a step, and may come through in its course.
const ALIKE: f32 = 0.9;

/// Largest number of steps towards the nearest or deepest point.
const SEEKING_STEPS: usize = 12;

/// Number of triangles near solids from which they are shared among threads.
const PARALLEL_FACES: usize = 256;

/// Change of the weights of the corners in a step from which the point is found.
const FOUND: f32 = 1e-3;

/// Contacts of all triangles with solids.
#[derive(Clone, Debug, Default)]
pub(super) struct Faces {
    /// Triangles near solids.
    near: Vec<Face>,
    contacts: Vec<FaceContact>,
    /// Impulses of the contacts of earlier substeps.
    past: Vec<FaceContact>,
}

/// A triangle near a solid.
#[derive(Clone, Copy, Debug)]
struct Face {
    /// Indices of its corners among all vertices.
    corners: [usize; 3],
    solid: SolidId,
}

/// Point of a triangle in contact with a body.
#[derive(Clone, Debug)]
struct FaceContact {
    corners: [usize; 3],
    /// Weights of the corners at the point; they add up to 1.
    weights: [f32; 3],
    contact: Contact,
    plane: Plane,
}

impl Faces {
    /// Forgets the contacts of the last step.
    pub fn begin_step(&mut self) {
        self.contacts.clear();
        self.past.clear();
    }

    /// Finds the triangles that solids may come through in the rest of a step. `thickness` is the largest of a sheet, m.
    pub fn list(&mut self, solids: &Solids, triangles: impl Iterator<Item = [usize; 3]>, thickness: f32) {
        self.near.clear();
        if !solids.is_near() {
            return;
        }
        for corners in triangles {
            // In a corner a body has several surfaces, of which the first is the nearest.
            let planes = solids.planes(corners[0]);
            let is_first = |(k, plane): &(usize, &Plane)| planes[..*k].iter().all(|other| other.solid != plane.solid);
            let bodies = planes.iter().enumerate().filter(is_first).filter(|(_, plane)| plane.is_of_a_body());
            let faces = bodies.map(|(_, plane)| Face { corners, solid: plane.solid });
            self.near.extend(faces.filter(|face| face.planes(solids).is_some_and(|planes| may_differ(&planes, thickness))));
        }
    }

    /// Finds the points in contact, `time` (s) after the beginning of the step, in a substep of length `h` (s).
    pub fn begin_substep(&mut self, solids: &Solids, step: &SolidStep<'_>, vertices: &[Vertex], time: f32, h: f32) {
        self.past.extend(self.contacts.drain(..).filter(|contact| contact.plane.impulse != Vec3A::ZERO));
        let contact = |face: &Face| face.contact(solids, step, vertices, time, h);
        if self.near.len() < PARALLEL_FACES {
            self.contacts.extend(self.near.iter().filter_map(contact));
        } else {
            self.contacts.par_extend(self.near.par_iter().filter_map(contact));
        }
    }

    /// Moves triangles out of solids at the end of a substep of length `h`, s.
    pub fn solve(&mut self, movers: &mut Movers, vertices: &mut [Vertex], h: f32) {
        for FaceContact { corners, weights, contact, plane } in &mut self.contacts {
            let inverse_masses = corners.map(|corner| vertices[corner].inverse_mass());
            let at_point = (0..3).map(|k| inverse_masses[k] * weights[k] * weights[k]).sum::<f32>();
            // As light as in the middle of the triangle at least: next to a pinned corner the others are no levers that throw the sheet about.
            let shared = at_point.max(inverse_masses.into_iter().fold(0.0, f32::max) / 3.0);
            let blend = |of: fn(&Vertex) -> Vec4| (0..3).map(|k| of(&vertices[corners[k]]) * weights[k]).sum::<Vec4>();
            let was = Vertex { moved: blend(|vertex| vertex.moved).with_w(shared), before: blend(|vertex| vertex.before) };
            let mut now = was;
            movers.push(plane.push(&mut now, contact, movers.get(plane.solid)), h);
            if shared == 0.0 {
                continue;
            }
            for k in 0..3 {
                let share = weights[k] * inverse_masses[k] / shared;
                let vertex = &mut vertices[corners[k]];
                vertex.moved += (now.moved - was.moved) * share;
                vertex.before += (now.before - was.before) * share;
            }
        }
    }

    /// Impulses on solids in this step; `points` are the positions of vertices at its end, m.
    pub fn impulses<'a>(&'a self, points: &'a impl Fn(usize) -> Vec3) -> impl Iterator<Item = SolidImpulse> + 'a {
        let acting = self.past.iter().chain(&self.contacts).filter(|contact| contact.plane.impulse != Vec3A::ZERO);
        acting.map(|FaceContact { corners, weights, plane, .. }| SolidImpulse {
            solid: plane.solid,
            point: (0..3).map(|k| points(corners[k]) * weights[k]).sum(),
            impulse: plane.impulse.into(),
        })
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.near.capacity() * size_of::<Face>() + (self.contacts.capacity() + self.past.capacity()) * size_of::<FaceContact>()
    }
}

impl Face {
    /// The surfaces of the solid that are near the corners, if it is near all.
    fn planes<'a>(&self, solids: &'a Solids) -> Option<[&'a Plane; 3]> {
        let plane = |corner: usize| solids.planes(corner).iter().find(|plane| plane.solid == self.solid);
        let [a, b, c] = self.corners;
        Some([plane(a)?, plane(b)?, plane(c)?])
    }

    /// The point in contact, if there is one between the corners.
    fn contact(&self, solids: &Solids, step: &SolidStep<'_>, vertices: &[Vertex], time: f32, h: f32) -> Option<FaceContact> {
        let Self { corners, solid } = *self;
        self.planes(solids).filter(differ)?;
        let sheet = step.sheet(corners[0]);
        let (set, offset) = (&step.sets[sheet], step.offsets[sheet]);
        let radius = set.radii[corners[0] - offset];
        let places = corners.map(|corner| {
            let k = corner - offset;
            let error = set.rounding_errors.get(k).copied().unwrap_or(Vec3::ZERO);
            displaced(set.positions[k], error, vertices[corner].displacement().into()).0
        });
        let (weights, plane) = seek(step, &places, solid, radius, time)?;
        let asked = (0..3).map(|k| vertices[corners[k]].displacement() * weights[k]).sum();
        let contact = Contact { asked, since: 0.0, radius, friction: step.friction[sheet], h };
        Some(FaceContact { corners, weights, contact, plane })
    }
}

/// True if a solid may come through between corners near which its surfaces are these.
fn differ(planes: &[&Plane; 3]) -> bool {
    least_alike(planes) < MOST_ALIKE
}

/// True if it may in the rest of a step: what is more than two thicknesses away, or is a little bent already.
fn may_differ(planes: &[&Plane; 3], thickness: f32) -> bool {
    planes.iter().any(|plane| plane.distance > 2.0 * thickness) || least_alike(planes) < ALIKE
}

/// Least cosine of the angle between two of the normals.
fn least_alike([a, b, c]: &[&Plane; 3]) -> f32 {
    a.normal.dot(b.normal).min(b.normal.dot(c.normal)).min(c.normal.dot(a.normal))
}

/// The weights of the corners at `places` (m) at the point of a triangle that is deepest in `solid`, `time` (s) after the beginning of the step, and
/// the surface there; `None` if all points are farther from it than `radius`, m.
fn seek(step: &SolidStep<'_>, places: &[Vec3; 3], solid: SolidId, radius: f32, time: f32) -> Option<([f32; 3], Plane)> {
    let [a, b, c] = *places;
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    let movers = step.obstacles.movers();
    let surface = |point: Vec3| step.obstacles.surface(solid, point, radius + longest, time / step.dt);
    let mut weights = Vec3::splat(1.0 / 3.0);
    let mut deepest: Option<(Vec3, Plane)> = None;
    let mut steps_inside = 0.0;
    for _ in 0..SEEKING_STEPS {
        let point = weights.x * a + weights.y * b + weights.z * c;
        let plane = Plane::of(&surface(point)?, movers);
        if deepest.is_none_or(|(_, deepest)| plane.distance < deepest.distance) {
            deepest = Some((weights, plane));
        }
        let normal = Vec3::from(plane.normal);
        let next = if plane.distance > 0.0 {
            weights_of_nearest(places, point - plane.distance * normal)
        } else {
            let depths = Vec3::from(places.map(|place| normal.dot(place)));
            let lowest = if depths.x <= depths.y.min(depths.z) {
                Vec3::X
            } else if depths.y <= depths.z {
                Vec3::Y
            } else {
                Vec3::Z
            };
            steps_inside += 1.0;
            weights.lerp(lowest, 2.0 / (steps_inside + 2.0))
        };
        if next.abs_diff_eq(weights, FOUND) {
            break;
        }
        weights = next;
    }
    deepest.filter(|(_, plane)| plane.distance < radius).map(|(weights, plane)| (weights.into(), plane))
}

/// Weights of the corners of a triangle at its point that is nearest to `point` (Ericson2005, sec. 5.1.5).
fn weights_of_nearest([a, b, c]: &[Vec3; 3], point: Vec3) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let from = |corner: Vec3| (ab.dot(point - corner), ac.dot(point - corner));
    let ((a1, a2), (b1, b2), (c1, c2)) = (from(*a), from(*b), from(*c));
    // Twice the areas of the triangle's parts, times that of the whole.
    let (of_c, of_b, of_a) = (a1 * b2 - b1 * a2, c1 * a2 - a1 * c2, b1 * c2 - c1 * b2);
    let along = |part: f32, whole: f32| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    if a1 <= 0.0 && a2 <= 0.0 {
        Vec3::X
    } else if b1 >= 0.0 && b2 <= b1 {
        Vec3::Y
    } else if c2 >= 0.0 && c1 <= c2 {
        Vec3::Z
    } else if of_c <= 0.0 && a1 >= 0.0 && b1 <= 0.0 {
        Vec3::X.lerp(Vec3::Y, along(a1, a1 - b1))
    } else if of_b <= 0.0 && a2 >= 0.0 && c2 <= 0.0 {
        Vec3::X.lerp(Vec3::Z, along(a2, a2 - c2))
    } else if of_a <= 0.0 && b2 >= b1 && c1 >= c2 {
        Vec3::Y.lerp(Vec3::Z, along(b2 - b1, (b2 - b1) + (c1 - c2)))
    } else {
        Vec3::new(of_a, of_b, of_c) / (of_a + of_b + of_c)
    }
}
