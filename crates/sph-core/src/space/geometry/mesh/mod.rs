//! Triangle meshes as solids: made of welded vertices, and refused with a diagnosis if they are no solid; as shells they need none.

mod heightfield;
mod shell;
mod surface;

pub use heightfield::Heightfield;
pub use shell::Shell;
pub(crate) use surface::distance_to_triangle;

use std::collections::HashMap;

use super::Nearest;
use glam::DVec3;
use surface::Surface;

/// A solid bounded by closed surfaces of triangles.
///
/// Each connected surface that is oriented outwards is a part of the solid, and one that is oriented inwards a cavity, so that parts
/// may overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    parts: Vec<Surface>,
    cavities: Vec<Surface>,
}

impl TriangleMesh {
    /// The solid within triangles of `vertices` (m), counter-clockwise as seen from outside. Vertices at the same place are one; a
    /// mesh that is oriented inwards as a whole is turned round.
    ///
    /// # Errors
    /// The mesh is empty or not closed, or its triangles are oriented both ways.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(Self, MeshDiagnosis), MeshError> {
        let (vertices, mut triangles) = weld(vertices, triangles)?;
        let topology = Topology::new(&triangles)?;
        let is_inward = signed_volume(&vertices, &triangles) < 0.0;
        if is_inward {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        let mut mesh = Self { parts: Vec::new(), cavities: Vec::new() };
        for part in topology.components(&triangles) {
            let is_cavity = signed_volume(&vertices, &part) < 0.0;
            let surface = Surface::new(&vertices, part);
            if is_cavity { mesh.cavities.push(surface) } else { mesh.parts.push(surface) }
        }
        let self_intersections = mesh.parts.iter().chain(&mesh.cavities).map(Surface::self_intersections).sum();
        let diagnosis = MeshDiagnosis {
            triangles: triangles.len(),
            parts: mesh.parts.len(),
            cavities: mesh.cavities.len(),
            is_inward,
            self_intersections,
        };
        Ok((mesh, diagnosis))
    }

    /// Its cut by the plane z = 0, as a prism along z: a solid of two dimensions.
    #[must_use]
    pub fn cut(&self) -> Self {
        let cut = |surfaces: &[Surface]| surfaces.iter().filter_map(Surface::cut).collect();
        Self { parts: cut(&self.parts), cavities: cut(&self.cavities) }
    }

    /// Corners (m) of each triangle with the normals to be drawn.
    pub(super) fn shaded(&self) -> impl Iterator<Item = [(DVec3, DVec3); 3]> {
        self.parts.iter().chain(&self.cavities).flat_map(Surface::shaded)
    }

    /// Surface next to `at`, m.
    pub(super) fn nearest(&self, at: DVec3) -> Nearest {
        let mut best = Nearest { distance: f64::INFINITY, normal: DVec3::Y };
        for part in &self.parts {
            if part.box_distance(at) < best.distance.max(f64::MIN_POSITIVE) {
                let near = part.nearest(at);
                best = if near.distance < best.distance { near } else { best };
            }
        }
        for cavity in &self.cavities {
            // A cavity is oriented inwards: outside it is the solid.
            let near = cavity.nearest(at);
            best = if near.distance > best.distance { near } else { best };
        }
        best
    }

    /// Lowest and highest corner, m.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        let bounds = self.parts.iter().map(Surface::bounds);
        bounds.reduce(|[low, high], [min, max]| [low.min(min), high.max(max)]).unwrap_or([DVec3::ZERO; 2])
    }
}

/// Volume within triangles by the divergence theorem, m³; negative if they are oriented inwards.
fn signed_volume(vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    // About one of them, so that far from the origin nothing cancels.
    let origin = vertices[triangles[0][0] as usize];
    let corner = |index: u32| vertices[index as usize] - origin;
    triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum()
}

// Diagnosis of meshes: closed or open, oriented, connected.

/// Reasons why a mesh is no solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// There is no triangle with three different corners.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle has a vertex that is not there.
    #[error("a triangle of the mesh refers to a missing vertex")]
    Index,
    /// A coordinate is not finite.
    #[error("a vertex of the mesh is not finite")]
    NotFinite,
    /// Edges with a triangle on one side only.
    #[error("the mesh is open: {edges} edges have a triangle on one side only")]
    Open {
        /// Number of edges.
        edges: usize,
    },
    /// Edges of more than two triangles, or of two that are oriented against each other.
    #[error("the mesh is not a surface: {edges} edges join more than two triangles, or two that face opposite sides")]
    NotManifold {
        /// Number of edges.
        edges: usize,
    },
}

/// Remarks on a mesh that is a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshDiagnosis {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of closed surfaces around solid parts.
    pub parts: usize,
    /// Number of closed surfaces around cavities.
    pub cavities: usize,
    /// True if it was oriented inwards, and has been turned round.
    pub is_inward: bool,
    /// Number of triangles that cross another of the same surface. The inside is uncertain near them.
    pub self_intersections: usize,
}

/// Edges of closed surfaces.
struct Topology {
    /// Triangle on the left of each directed edge.
    left: HashMap<[u32; 2], u32>,
}

impl Topology {
    /// The edges of `triangles`.
    ///
    /// # Errors
    /// They are no closed, oriented surfaces.
    pub fn new(triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        let mut left = HashMap::with_capacity(3 * triangles.len());
        let mut repeated = 0;
        for (index, triangle) in triangles.iter().enumerate() {
            for edge in edges(triangle) {
                repeated += usize::from(left.insert(edge, index as u32).is_some());
            }
        }
        if repeated > 0 {
            return Err(MeshError::NotManifold { edges: repeated });
        }
        let open = left.keys().filter(|[a, b]| !left.contains_key(&[*b, *a])).count();
        if open > 0 { Err(MeshError::Open { edges: open }) } else { Ok(Self { left }) }
    }

    /// The triangles of each connected surface, in the order of their first ones.
    pub fn components(&self, triangles: &[[u32; 3]]) -> Vec<Vec<[u32; 3]>> {
        let mut seen = vec![false; triangles.len()];
        let mut components = Vec::new();
        for first in 0..triangles.len() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let (mut members, mut next) = (vec![first], 0);
            while let Some(&member) = members.get(next) {
                next += 1;
                for [a, b] in edges(&triangles[member]) {
                    // All triangles may have been turned round since.
                    for neighbor in [[a, b], [b, a]].iter().filter_map(|edge| self.left.get(edge)) {
                        let neighbor = *neighbor as usize;
                        if !std::mem::replace(&mut seen[neighbor], true) {
                            members.push(neighbor);
                        }
                    }
                }
            }
            members.sort_unstable();
            components.push(members.into_iter().map(|member| triangles[member]).collect());
        }
        components
    }
}

/// Directed edges of a triangle: edge k leads from corner k to the next.
fn edges(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

// Welding of vertices at the same place.

/// Vertices without repetitions, and the triangles that have three different ones.
fn weld(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), MeshError> {
    let mut places = HashMap::new();
    let mut distinct = Vec::new();
    let mut index_of = Vec::with_capacity(vertices.len());
    for &vertex in vertices {
        if !vertex.is_finite() {
            return Err(MeshError::NotFinite);
        }
        // −0 is 0.
        let bits = (vertex + 0.0).to_array().map(f64::to_bits);
        index_of.push(*places.entry(bits).or_insert_with(|| {
            distinct.push(vertex);
            distinct.len() as u32 - 1
        }));
    }
    let mut welded = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let [Some(&a), Some(&b), Some(&c)] = triangle.map(|vertex| index_of.get(vertex as usize)) else {
            return Err(MeshError::Index);
        };
        if a != b && b != c && c != a {
            welded.push([a, b, c]);
        }
    }
    if welded.is_empty() { Err(MeshError::Empty) } else { Ok((distinct, welded)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Dimensions;
    use crate::space::geometry::{Axis, Shape, ShapeKind, Solid};
    use glam::Vec3;

    // Meshes against the shapes that they are of, and their diagnosis.

    /// A box from `min` to `max` (m) of twelve triangles, outwards.
    fn cuboid(min: DVec3, max: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corner = |k: u32| DVec3::select(glam::BVec3::new(k & 1 == 1, k & 2 == 2, k & 4 == 4), max, min);
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        ((0..8).map(corner).collect(), triangles)
    }

    /// Both meshes in one; the second is turned inside out if `inwards`.
    fn both(
        first: (Vec<DVec3>, Vec<[u32; 3]>),
        second: (Vec<DVec3>, Vec<[u32; 3]>),
        inwards: bool,
    ) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (mut vertices, mut triangles) = first;
        let offset = vertices.len() as u32;
        vertices.extend(second.0);
        let turned = |[a, b, c]: [u32; 3]| if inwards { [a, c, b] } else { [a, b, c] };
        triangles.extend(second.1.into_iter().map(|triangle| turned(triangle.map(|index| index + offset))));
        (vertices, triangles)
    }

    fn points() -> impl Iterator<Item = DVec3> {
        (0..2000u16).map(|n| {
            let random = |factor: f64| 3.0 * (f64::from(n) * factor).fract() - 1.0;
            DVec3::new(random(0.819_172_513_4), random(0.671_043_606_7), random(0.549_700_477_9))
        })
    }

    #[test]
    fn a_mesh_of_a_box_has_the_distances_of_the_box() {
        let (min, max) = (DVec3::new(0.1, 0.0, 0.2), DVec3::new(1.0, 0.7, 0.5));
        let (vertices, triangles) = cuboid(min, max);
        let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        let cuboid = Shape::in_box(ShapeKind::Box, Dimensions::Three, min.as_vec3(), max.as_vec3(), Axis::Y).expect("a box");
        for (triangles, is_inward) in [(triangles, false), (turned, true)] {
            let (mesh, diagnosis) = TriangleMesh::new(&vertices, &triangles).expect("a closed mesh");
            let expected = MeshDiagnosis { triangles: 12, parts: 1, cavities: 0, is_inward, self_intersections: 0 };
            assert_eq!(diagnosis, expected);
            for at in points() {
                let (found, expected) = (mesh.nearest(at), cuboid.nearest(at));
                assert!((found.distance - expected.distance).abs() < 1e-6, "{at}: {found:?}, not {expected:?}");
            }
        }
    }

    #[test]
    fn parts_may_overlap_and_have_cavities() {
        let (outer, inner) = (cuboid(DVec3::ZERO, DVec3::ONE), cuboid(DVec3::splat(0.25), DVec3::splat(0.75)));
        let beside = cuboid(DVec3::splat(0.5), DVec3::splat(1.5));
        let mesh =
            |(vertices, triangles): (Vec<DVec3>, Vec<[u32; 3]>)| TriangleMesh::new(&vertices, &triangles).expect("closed");
        let is_in = |at: DVec3, low: f64, high: f64| at.cmpge(DVec3::splat(low)).all() && at.cmple(DVec3::splat(high)).all();
        let (hollow, diagnosis) = mesh(both(outer.clone(), inner, true));
        assert_eq!((diagnosis.parts, diagnosis.cavities), (1, 1));
        let (overlapping, diagnosis) = mesh(both(outer, beside, false));
        assert_eq!((diagnosis.parts, diagnosis.cavities), (2, 0));
        for at in points() {
            assert_eq!(hollow.nearest(at).distance < 0.0, is_in(at, 0.0, 1.0) && !is_in(at, 0.25, 0.75), "{at}");
            assert_eq!(overlapping.nearest(at).distance < 0.0, is_in(at, 0.0, 1.0) || is_in(at, 0.5, 1.5), "{at}");
        }
    }

    #[test]
    fn open_and_broken_meshes_are_refused() {
        let (vertices, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
        let error = |vertices: &[DVec3], triangles: &[[u32; 3]]| TriangleMesh::new(vertices, triangles).expect_err("broken");
        assert_eq!(error(&vertices, &triangles[1..]), MeshError::Open { edges: 3 });
        let [a, b, c] = triangles[0];
        let mut mixed = triangles.clone();
        mixed[0] = [a, c, b];
        assert!(matches!(error(&vertices, &mixed), MeshError::NotManifold { .. }));
        assert_eq!(error(&vertices, &[[a, b, 99]]), MeshError::Index);
        assert_eq!(error(&vertices, &[[a, a, c]]), MeshError::Empty);
        assert_eq!(error(&[DVec3::NAN], &[[0, 0, 0]]), MeshError::NotFinite);
    }

    /// A box, one corner of which has been pulled through the face opposite.
    #[test]
    fn triangles_that_cross_are_counted() {
        let (mut vertices, triangles) = cuboid(DVec3::ZERO, DVec3::ONE);
        vertices[0] = DVec3::new(2.0, 0.3, 0.4);
        let (_, crossed) = TriangleMesh::new(&vertices, &triangles).expect("closed");
        assert!(crossed.self_intersections > 1);
    }

    #[test]
    fn the_cut_of_a_mesh_is_a_solid_of_two_dimensions() {
        let (vertices, triangles) = cuboid(DVec3::new(0.1, 0.0, -0.2), DVec3::new(1.1, 0.7, 0.5));
        let (mesh, _) = TriangleMesh::new(&vertices, &triangles).expect("closed");
        let solid = Solid::from(Shape::mesh(mesh.cut()));
        assert!((solid.volume(Dimensions::Two) - 0.7).abs() < 1e-3);
        // In the middle of the plane the nearest side is 0.35 m away, not the front at 0.2 m.
        assert!((solid.signed_distance(Vec3::new(0.6, 0.35, 0.0)) + 0.35).abs() < 1e-6);
    }
}
