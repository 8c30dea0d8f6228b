//! Triangles of solids, with normals: for pictures, and for programs that know shapes by their surfaces.

use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use super::shape::Form;
use super::{Shape, Solid};
use glam::{DMat3, DVec2, DVec3, I64Vec3, Vec3};

/// Slices of a whole turn: a circle's area is 0.3 % too small.
const SLICES: usize = 48;
/// Cells along the longest extent of a solid that is marched through.
const CELLS: f64 = 96.0;

/// Triangles of a surface, counter-clockwise as seen from outside. At a sharp edge each side has vertices of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangulation {
    /// Vertices, m.
    pub vertices: Vec<Vec3>,
    /// Outward unit normal at each vertex.
    pub normals: Vec<Vec3>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl Triangulation {
    /// The surface of the box from `min` to `max`, m.
    pub fn of_box(min: Vec3, max: Vec3) -> Self {
        let (center, half) = (0.5 * (min + max).as_dvec3(), 0.5 * (max - min).as_dvec3());
        let mut mesh = Self::default();
        mesh.add_form(&Form::Box { half }, center, DMat3::IDENTITY);
        mesh
    }

    /// The surface of the ellipsoid that touches the faces of the box from `min` to `max`, m.
    pub fn of_ellipsoid(min: Vec3, max: Vec3) -> Self {
        let (center, half) = (0.5 * (min + max).as_dvec3(), 0.5 * (max - min).as_dvec3());
        let mut mesh = Self::default();
        mesh.add_form(&Form::Ellipsoid { half }, center, DMat3::IDENTITY);
        mesh
    }

    /// The surface of `solid`. The shapes of a union are whole, and pass through each other; edges where something is subtracted are
    /// bevelled by about a hundredth of the extent.
    pub fn of_solid(solid: &Solid) -> Self {
        let mut mesh = Self::default();
        match solid.union() {
            Some(shapes) => shapes.iter().for_each(|shape| mesh.add_shape(shape)),
            None => mesh.march(solid),
        }
        mesh
    }

    fn add_shape(&mut self, shape: &Shape) {
        let (form, center, rotation) = shape.placed();
        self.add_form(form, center, rotation);
    }

    /// Adds a form that is turned by `rotation` about its origin, which is at `center`, m.
    fn add_form(&mut self, form: &Form, center: DVec3, rotation: DMat3) {
        let first = self.vertices.len();
        match *form {
            Form::Box { half } => self.add_box(half),
            Form::Ellipsoid { half } => {
                self.revolve(&arc(DVec2::ZERO, 1.0, [-FRAC_PI_2, FRAC_PI_2]));
                for (vertex, normal) in self.vertices.iter_mut().zip(&mut self.normals).skip(first) {
                    *vertex = (vertex.as_dvec3() * half).as_vec3();
                    *normal = (normal.as_dvec3() / half).normalize_or(DVec3::Y).as_vec3();
                }
            }
            Form::Cylinder { radius, half_height } => {
                let corners = [[0.0, -half_height], [radius, -half_height], [radius, half_height], [0.0, half_height]];
                self.revolve_polygon(&corners.map(DVec2::from_array));
            }
            Form::Cone { radius, half_height } => {
                let corners = [[0.0, -half_height], [radius, -half_height], [0.0, half_height]];
                self.revolve_polygon(&corners.map(DVec2::from_array));
            }
            Form::Capsule { radius, half_length } => {
                let mut profile = arc(-half_length * DVec2::Y, radius, [-FRAC_PI_2, 0.0]);
                profile.extend(arc(half_length * DVec2::Y, radius, [0.0, FRAC_PI_2]));
                self.revolve(&profile);
            }
            Form::Mesh(ref mesh) => self.add_shaded(mesh.shaded()),
            Form::Shell(ref shell) => self.add_shaded(shell.shaded().into_iter()),
        }
        for (vertex, normal) in self.vertices.iter_mut().zip(&mut self.normals).skip(first) {
            *vertex = (center + rotation * vertex.as_dvec3()).as_vec3();
            *normal = (rotation * normal.as_dvec3()).as_vec3();
        }
    }

    fn add_vertex(&mut self, vertex: DVec3, normal: DVec3) -> u32 {
        self.vertices.push(vertex.as_vec3());
        self.normals.push(normal.as_vec3());
        self.vertices.len() as u32 - 1
    }

    fn add_box(&mut self, half: DVec3) {
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let [normal, u, v] = [axis, (axis + 1) % 3, (axis + 2) % 3].map(|axis| DVec3::AXES[axis]);
                let corner = |a: f64, b: f64| half * (side * normal + a * u + b * v);
                let corners = [corner(-1.0, -side), corner(1.0, -side), corner(1.0, side), corner(-1.0, side)];
                let [a, b, c, d] = corners.map(|corner| self.add_vertex(corner, side * normal));
                self.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }

    /// Adds the surface that a convex polygon sweeps out around y, with sharp edges. The corners (distance from the axis and height,
    /// m) run counter-clockwise, from the axis to the axis.
    fn revolve_polygon(&mut self, corners: &[DVec2]) {
        for edge in corners.windows(2) {
            let along = edge[1] - edge[0];
            let normal = DVec2::new(along.y, -along.x).normalize_or(DVec2::Y);
            self.revolve(&[(edge[0], normal), (edge[1], normal)]);
        }
    }

    /// Adds the surface that a curve sweeps out around y: points (distance from the axis and height, m) with normals.
    fn revolve(&mut self, profile: &[(DVec2, DVec2)]) {
        let first = self.vertices.len() as u32;
        for slice in 0..=SLICES {
            // The last is the first, to the bit.
            let (sin, cos) = ((slice % SLICES) as f64 * TAU / SLICES as f64).sin_cos();
            let turned = |point: DVec2| DVec3::new(point.x * sin, point.y, point.x * cos);
            profile.iter().for_each(|&(point, normal)| {
                self.add_vertex(turned(point), turned(normal));
            });
        }
        let count = profile.len() as u32;
        for slice in 0..SLICES as u32 {
            for (place, pair) in (0..).zip(profile.windows(2)) {
                let a = first + slice * count + place;
                let (b, c, d) = (a + count, a + count + 1, a + 1);
                // On the axis two corners are one.
                if pair[0].0.x > 0.0 {
                    self.triangles.push([a, b, c]);
                }
                if pair[1].0.x > 0.0 {
                    self.triangles.push([a, c, d]);
                }
            }
        }
    }

    /// Adds triangles by their corners with normals; equal ones are one vertex.
    fn add_shaded(&mut self, triangles: impl Iterator<Item = [(DVec3, DVec3); 3]>) {
        let mut places = HashMap::new();
        for corners in triangles {
            let triangle = corners.map(|(vertex, normal)| {
                let bits = [vertex, normal].map(|vector| vector.as_vec3().to_array().map(f32::to_bits));
                *places.entry(bits).or_insert_with(|| self.add_vertex(vertex, normal))
            });
            self.triangles.push(triangle);
        }
    }

    fn march(&mut self, solid: &Solid) {
        let [min, max] = solid.bounds();
        let pitch = (max - min).max_element() / CELLS;
        let (vertices, triangles) = isosurface([min, max], pitch, |at| solid.nearest(at).distance);
        for vertex in vertices {
            self.add_vertex(vertex, solid.nearest(vertex).normal);
        }
        self.triangles.extend(triangles);
    }
}

/// Points and normals of an arc around `center` (m) between two angles from the horizontal, rad. Its ends are exact.
fn arc(center: DVec2, radius: f64, [from, to]: [f64; 2]) -> Vec<(DVec2, DVec2)> {
    let steps = ((to - from) / TAU * SLICES as f64).round() as usize;
    let normal = |step: usize| {
        let angle = from + (to - from) * step as f64 / steps as f64;
        // On the axis it is exactly 0.
        if angle.abs() == FRAC_PI_2 { DVec2::new(0.0, angle.signum()) } else { DVec2::from_angle(angle) }
    };
    (0..=steps).map(normal).map(|normal| (center + radius * normal, normal)).collect()
}

// Triangles of the surface where a signed distance is 0, by marching tetrahedra (Doi1991).

/// Cells along the edge of a block of cells that is left out as a whole if the surface is far from it.
const BLOCK: i64 = 8;

/// Corners of the six tetrahedra around the diagonal of a cell; the bits of a corner are its steps along x, y and z.
const TETRAHEDRA: [[usize; 4]; 6] = [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// Vertices (m) and triangles, counter-clockwise as seen from outside, of the surface of a solid with the bounds `bounds`, m. `distance` is
/// its signed distance or a lower bound of that; the surface is linear within tetrahedra of cells of the edge length `pitch`, m.
pub(crate) fn isosurface(bounds: [DVec3; 2], pitch: f64, distance: impl Fn(DVec3) -> f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    // Room for the cells that the surface passes through at the bounds.
    let [min, max] = [bounds[0] - 1.5 * pitch, bounds[1] + 1.5 * pitch];
    let counts = ((max - min) / pitch).ceil().as_i64vec3().max(I64Vec3::ONE);
    let mut march = March { vertices: Vec::new(), triangles: Vec::new(), on_edges: HashMap::new(), counts };
    let at = |corner: I64Vec3| min + pitch * corner.as_dvec3();
    for block in lattice((counts + (BLOCK - 1)) / BLOCK) {
        let first = BLOCK * block;
        let last = (first + BLOCK).min(counts);
        let (low, high) = (at(first), at(last));
        if distance(0.5 * (low + high)).abs() > 0.5 * (high - low).length() {
            continue;
        }
        for cell in lattice(last - first).map(|cell| first + cell) {
            let corners: [(I64Vec3, DVec3, f64); 8] = std::array::from_fn(|corner| {
                let corner = cell + I64Vec3::from_array([0, 1, 2].map(|axis| (corner >> axis & 1) as i64));
                (corner, at(corner), distance(at(corner)))
            });
            let inside = corners.iter().filter(|corner| corner.2 < 0.0).count();
            if inside == 0 || inside == 8 {
                continue;
            }
            TETRAHEDRA.iter().for_each(|tetrahedron| march.cut(tetrahedron.map(|corner| corners[corner])));
        }
    }
    (march.vertices, march.triangles)
}

/// Points of a lattice of `counts` points.
fn lattice(counts: I64Vec3) -> impl Iterator<Item = I64Vec3> {
    let plane = move |z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| I64Vec3::new(x, y, z)));
    (0..counts.z).flat_map(plane)
}

struct March {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Vertices by the edges that they lie on.
    on_edges: HashMap<[i64; 2], u32>,
    counts: I64Vec3,
}

impl March {
    /// Adds the triangles of the surface in a tetrahedron with these corners: place on the lattice, position, distance.
    fn cut(&mut self, corners: [(I64Vec3, DVec3, f64); 4]) {
        let (inside, outside): (Vec<_>, Vec<_>) = corners.iter().partition(|corner| corner.2 < 0.0);
        let loops: &[[(usize, usize); 3]] = match inside.len() {
            1 => &[[(0, 0), (0, 1), (0, 2)]],
            2 => &[[(0, 0), (0, 1), (1, 1)], [(0, 0), (1, 1), (1, 0)]],
            3 => &[[(0, 0), (1, 0), (2, 0)]],
            _ => return,
        };
        let outward = mean(&outside) - mean(&inside);
        for edges in loops {
            let mut triangle = edges.map(|(a, b)| self.vertex(inside[a], outside[b]));
            let [a, b, c] = triangle.map(|vertex| self.vertices[vertex as usize]);
            if (b - a).cross(c - a).dot(outward) < 0.0 {
                triangle.swap(1, 2);
            }
            self.triangles.push(triangle);
        }
    }

    /// Vertex between two corners.
    fn vertex(&mut self, inside: &(I64Vec3, DVec3, f64), outside: &(I64Vec3, DVec3, f64)) -> u32 {
        let index = |at: I64Vec3| at.x + (self.counts.x + 1) * (at.y + (self.counts.y + 1) * at.z);
        let edge = [index(inside.0), index(outside.0)];
        let next = self.vertices.len() as u32;
        let vertex = *self.on_edges.entry(edge).or_insert(next);
        if vertex == next {
            // Not quite at an end, where triangles would be without area.
            let part = (inside.2 / (inside.2 - outside.2)).clamp(1e-3, 1.0 - 1e-3);
            self.vertices.push(inside.1 + part * (outside.1 - inside.1));
        }
        vertex
    }
}

fn mean(corners: &[&(I64Vec3, DVec3, f64)]) -> DVec3 {
    corners.iter().map(|corner| corner.1).sum::<DVec3>() / corners.len() as f64
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::parameters::Dimensions;
    use crate::space::geometry::{Axis, ShapeKind, TriangleMesh};

    /// Volume, and true if each edge is passed as often in one direction as in the other.
    fn volume_and_closed(mesh: &Triangulation) -> (f64, bool) {
        // Vertices at the same place, within rounding.
        let key = |vertex: Vec3| (1e5 * vertex).round().to_array().map(|number| number as i32);
        let (mut volume, mut edges) = (0.0, HashMap::new());
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|index| mesh.vertices[index as usize].as_dvec3());
            volume += a.dot(b.cross(c)) / 6.0;
            let corners = triangle.map(|index| key(mesh.vertices[index as usize]));
            for [from, to] in [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|k| corners[k])) {
                *edges.entry([from.min(to), from.max(to)]).or_insert(0) += if from < to { 1 } else { -1 };
            }
        }
        (volume, edges.values().all(|&sum| sum == 0))
    }

    #[track_caller]
    fn check(mesh: &Triangulation, solid: &Solid, tolerance: f64) {
        let (volume, is_closed) = volume_and_closed(mesh);
        let expected = solid.volume(Dimensions::Three);
        assert!((volume / expected - 1.0).abs() < tolerance, "{volume} is not {expected}");
        assert!(is_closed);
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|index| mesh.vertices[index as usize]);
            let face = (b - a).cross(c - a).normalize_or_zero();
            for &index in triangle {
                let normal = mesh.normals[index as usize];
                assert!((normal.length() - 1.0).abs() < 1e-4 && normal.dot(face) > 0.6, "{normal} on a face along {face}");
            }
        }
        let off = mesh.vertices.iter().map(|&vertex| solid.signed_distance(vertex).abs()).fold(0.0, f32::max);
        assert!(off < 0.02, "a vertex is {off} m off the surface");
    }

    #[test]
    fn shapes_are_closed_and_have_their_volumes() {
        let (min, round) = (Vec3::new(-0.3, 0.2, 0.1), Vec3::new(1.0, 1.6, 1.0));
        let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 0.7);
        for (kind, size) in [
            (ShapeKind::Box, Vec3::new(1.0, 0.8, 0.5)),
            (ShapeKind::Ellipsoid, Vec3::new(1.0, 0.8, 0.5)),
            (ShapeKind::Sphere, Vec3::ONE),
            (ShapeKind::Cylinder, round),
            (ShapeKind::Capsule, round),
            (ShapeKind::Cone, round),
        ] {
            let shape = Shape::in_box(kind, Dimensions::Three, min, min + size, Axis::Y).unwrap();
            let solid = Solid::from(shape.turned(turn));
            check(&Triangulation::of_solid(&solid), &solid, 0.01);
        }
        let of_box = |kind| Solid::from(Shape::in_box(kind, Dimensions::Three, min, min + round, Axis::Y).unwrap());
        check(&Triangulation::of_box(min, min + round), &of_box(ShapeKind::Box), 0.01);
        check(&Triangulation::of_ellipsoid(min, min + round), &of_box(ShapeKind::Ellipsoid), 0.01);
    }

    #[test]
    fn a_mesh_keeps_its_creases() {
        let cube = Triangulation::of_box(Vec3::ZERO, Vec3::ONE);
        let vertices: Vec<DVec3> = cube.vertices.iter().map(|vertex| vertex.as_dvec3()).collect();
        let (mesh, _) = TriangleMesh::new(&vertices, &cube.triangles).unwrap();
        let solid = Solid::from(Shape::mesh(mesh));
        let again = Triangulation::of_solid(&solid);
        assert_eq!((again.vertices.len(), again.triangles.len()), (24, 12));
        check(&again, &solid, 1e-3);
    }

    #[test]
    fn what_is_subtracted_is_missing() {
        let shape = |kind, low: f32, high: f32| {
            Shape::in_box(kind, Dimensions::Three, Vec3::splat(low), Vec3::splat(high), Axis::Y).unwrap()
        };
        let solid = Solid::new([shape(ShapeKind::Box, -1.0, 1.0)], [shape(ShapeKind::Sphere, 0.2, 1.8)]);
        let mesh = Triangulation::of_solid(&solid);
        let (volume, is_closed) = volume_and_closed(&mesh);
        assert!((volume / solid.volume(Dimensions::Three) - 1.0).abs() < 0.01 && is_closed, "{volume}");
    }

    #[test]
    fn the_surface_of_a_sphere_is_closed_and_has_its_volume() {
        let (vertices, triangles) = isosurface([DVec3::NEG_ONE, DVec3::ONE], 0.1, |at| at.length() - 1.0);
        let volume: f64 =
            triangles.iter().map(|t| t.map(|v| vertices[v as usize])).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum();
        assert!((volume / (4.0 / 3.0 * PI) - 1.0).abs() < 0.01, "{volume}");
        let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
        for [a, b, c] in triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|&sum| sum == 0), "every edge is passed in both directions");
    }
}
