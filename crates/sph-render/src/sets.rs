//! Point sets in pictures: sheets of cloth as surfaces, other points as balls.

use crate::{Mesh, Sides};
use glam::Vec3;
use sph_core::{Pose, View};

/// What pictures show of point sets: a copy of an engine's.
#[derive(Clone, Debug, Default)]
pub struct ShownSets(Vec<ShownSet>);

/// What pictures show of one set.
#[derive(Clone, Debug, Default)]
struct ShownSet {
    positions: Vec<Vec3>,
    radii: Vec<f32>,
    /// Triangles of the sheet that the points span; none for balls.
    triangles: Vec<[u32; 3]>,
}

impl ShownSets {
    /// The sets of `fluid`.
    pub fn of(fluid: &View<'_>) -> Self {
        let mut sets = Self::default();
        sets.copy(fluid);
        sets
    }

    /// Copies the sets of `fluid`, reusing memory.
    pub fn copy(&mut self, fluid: &View<'_>) {
        self.0.resize_with(fluid.sets.len(), ShownSet::default);
        for (index, (shown, set)) in self.0.iter_mut().zip(fluid.sets).enumerate() {
            shown.positions.clone_from(&set.positions);
            shown.radii.clone_from(&set.radii);
            shown.triangles = fluid.dynamics.map_or_else(Vec::new, |dynamics| dynamics.triangles(index, set));
        }
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.0.iter().map(|set| set.positions.len()).sum()
    }
}

/// sRGB-encoded colours of the sets, in turn: far from every colour of water, and from that of bodies.
const COLORS: [[u8; 3]; 4] = [[196, 62, 84], [92, 168, 96], [150, 104, 196], [224, 224, 214]];

/// Surfaces of point sets, kept from one picture to the next.
#[derive(Debug, Default)]
pub struct SetMeshes(Vec<SetMesh>);

/// Surface of a set.
#[derive(Debug, Default)]
struct SetMesh {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl SetMeshes {
    /// Makes the surfaces of `sets`.
    pub fn update(&mut self, sets: &ShownSets) {
        self.0.resize_with(sets.0.len(), SetMesh::default);
        for (mesh, set) in self.0.iter_mut().zip(&sets.0) {
            mesh.clear();
            if set.triangles.is_empty() { mesh.add_balls(set) } else { mesh.set_sheet(set) }
        }
    }

    /// The surfaces.
    pub fn meshes(&self) -> impl Iterator<Item = Mesh<'_>> {
        self.0.iter().zip(COLORS.iter().cycle()).map(|(mesh, &color)| Mesh {
            vertices: &mesh.vertices,
            normals: &mesh.normals,
            triangles: &mesh.triangles,
            pose: Pose::default(),
            color,
            sides: Sides::Both,
        })
    }
}

impl SetMesh {
    fn clear(&mut self) {
        self.vertices.clear();
        self.normals.clear();
        self.triangles.clear();
    }

    /// A sheet, with the mean of its triangles' normals, weighted by their areas, at each vertex.
    fn set_sheet(&mut self, set: &ShownSet) {
        self.vertices.clone_from(&set.positions);
        self.triangles.clone_from(&set.triangles);
        self.normals.resize(set.positions.len(), Vec3::ZERO);
        for triangle in &set.triangles {
            let [a, b, c] = triangle.map(|vertex| set.positions[vertex as usize]);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&vertex| self.normals[vertex as usize] += normal);
        }
        self.normals.iter_mut().for_each(|normal| *normal = normal.normalize_or(Vec3::Y));
    }

    /// Balls, as octahedra whose faces are divided more often the fewer they are.
    fn add_balls(&mut self, set: &ShownSet) {
        let divisions = match set.positions.len() {
            0..=1_000 => 3,
            1_001..=10_000 => 2,
            _ => 1,
        };
        let (points, faces) = sphere(divisions);
        for (center, radius) in set.positions.iter().zip(&set.radii) {
            let first = self.vertices.len() as u32;
            self.vertices.extend(points.iter().map(|point| center + radius * point));
            self.normals.extend_from_slice(&points);
            self.triangles.extend(faces.iter().map(|face| face.map(|vertex| first + vertex)));
        }
    }
}

/// Vertices and triangles of a unit sphere: an octahedron, each face of which is divided into four so many times.
fn sphere(divisions: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut points = vec![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let mut faces = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..divisions {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let divided = faces.iter().flat_map(|&[a, b, c]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        faces = divided.collect();
    }
    (points, faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_are_closed_and_face_outwards() {
        for divisions in 0..=3 {
            let (points, faces) = sphere(divisions);
            assert_eq!((points.len(), faces.len()), ((4usize << (2 * divisions)) + 2, 8 << (2 * divisions)));
            assert!(points.iter().all(|point| (point.length() - 1.0).abs() < 1e-6));
            let volume = |face: &[u32; 3]| {
                let [a, b, c] = face.map(|vertex| points[vertex as usize]);
                a.dot(b.cross(c)) / 6.0
            };
            assert!(faces.iter().all(|face| volume(face) > 0.0));
        }
    }

    #[test]
    fn a_sheet_has_the_normal_of_its_triangles() {
        let positions = vec![Vec3::ZERO, Vec3::Z, Vec3::X, Vec3::X + Vec3::Z];
        let set = ShownSet { positions, radii: vec![0.1; 4], triangles: vec![[0, 1, 2], [2, 1, 3]] };
        let sets = ShownSets(vec![set]);
        let mut meshes = SetMeshes::default();
        meshes.update(&sets);
        let mesh = meshes.meshes().next().expect("a set");
        assert!(mesh.normals.iter().all(|normal| *normal == Vec3::Y));
    }
}
