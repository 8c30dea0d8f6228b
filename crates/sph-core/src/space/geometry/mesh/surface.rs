//! Signed distance of a closed surface of triangles.
//!
//! The side of a point is that of the pseudonormal where the surface is nearest: on a face its normal, on an edge the sum of those of
//! its two faces, at a vertex the sum weighted by the faces' angles there (Bærentzen and Aanæs, "Signed distance computation using
//! the angle weighted pseudonormal").

use super::diagnosis::edges;
use super::tree::Tree;
use super::triangle::{self, Feature};
use super::welding::weld;
use crate::passes::sweep;
use crate::space::geometry::Nearest;
use glam::DVec3;
use std::collections::HashMap;

/// Most triangles that are compared with each other.
const MAX_COMPARED: usize = 200_000;

/// Cosine of the largest angle between a triangle and its neighbours that is drawn round, 45°.
const COS_CREASE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A closed, connected surface.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Surface {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// Unit normals of triangles.
    normals: Vec<DVec3>,
    /// Pseudonormals of the three edges and the three vertices of each triangle.
    pseudonormals: Vec<[[DVec3; 3]; 2]>,
    tree: Tree,
}

impl Surface {
    /// The surface of `triangles`, of which there is at least one, with corners among `vertices`, m.
    pub fn new(vertices: &[DVec3], triangles: Vec<[u32; 3]>) -> Self {
        let corners = |triangle: &[u32; 3]| triangle.map(|vertex| vertices[vertex as usize]);
        let normal = |triangle: &[u32; 3]| {
            let [a, b, c] = corners(triangle);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let normals: Vec<DVec3> = triangles.iter().map(normal).collect();
        let (mut of_edges, mut of_vertices) = (HashMap::new(), HashMap::new());
        for (triangle, &normal) in triangles.iter().zip(&normals) {
            let at = corners(triangle);
            for (k, [a, b]) in edges(triangle).into_iter().enumerate() {
                *of_edges.entry([a.min(b), a.max(b)]).or_insert(DVec3::ZERO) += normal;
                let [next, last] = [at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]];
                let angle = next.cross(last).length().atan2(next.dot(last));
                *of_vertices.entry(a).or_insert(DVec3::ZERO) += angle * normal;
            }
        }
        let pseudonormal = |triangle: &[u32; 3]| {
            [edges(triangle).map(|[a, b]| of_edges[&[a.min(b), a.max(b)]]), triangle.map(|vertex| of_vertices[&vertex])]
        };
        let boxes: Vec<[DVec3; 2]> = triangles.iter().map(|triangle| around(corners(triangle))).collect();
        let pseudonormals = triangles.iter().map(pseudonormal).collect();
        Self { vertices: vertices.to_vec(), normals, pseudonormals, tree: Tree::new(&boxes), triangles }
    }

    /// Surface next to `at`, m.
    pub fn nearest(&self, at: DVec3) -> Nearest {
        let mut best = (f64::INFINITY, DVec3::ZERO, 0, Feature::Face);
        self.tree.visit_near(at, |triangle| {
            let (foot, feature) = triangle::nearest(self.corners(triangle), at);
            let squared = at.distance_squared(foot);
            if squared < best.0 {
                best = (squared, foot, triangle as usize, feature);
            }
            best.0
        });
        let (_, foot, triangle, feature) = best;
        let [of_edges, of_vertices] = &self.pseudonormals[triangle];
        let outward = match feature {
            Feature::Face => self.normals[triangle],
            Feature::Edge(edge) => of_edges[edge],
            Feature::Vertex(vertex) => of_vertices[vertex],
        };
        let offset = at - foot;
        let side = if offset.dot(outward) < 0.0 { -1.0 } else { 1.0 };
        let normal = offset.try_normalize().map_or(outward.normalize_or(DVec3::Y), |direction| side * direction);
        Nearest { distance: side * offset.length(), normal }
    }

    /// Distance of `at` (m) from the box around the surface, m.
    pub fn box_distance(&self, at: DVec3) -> f64 {
        self.tree.box_distance_squared(at).sqrt()
    }

    /// Lowest and highest corner, m.
    pub fn bounds(&self) -> [DVec3; 2] {
        self.tree.bounds()
    }

    /// Number of triangles that cross another; 0 for more than [`MAX_COMPARED`], which would take too long.
    pub fn self_intersections(&self) -> usize {
        if self.triangles.len() > MAX_COMPARED {
            return 0;
        }
        sweep::sum(self.triangles.len(), |index| {
            let (corners, own) = (self.corners(index as u32), self.triangles[index]);
            let crosses = |other: u32| {
                let shares = self.triangles[other as usize].iter().any(|vertex| own.contains(vertex));
                !shares && triangle::cross(corners, self.corners(other))
            };
            usize::from(self.tree.any_overlapping(around(corners), crosses))
        })
    }

    /// The prism along z over its cut by the plane z = 0, without ends, which are too far away to matter; none where the plane
    /// misses it.
    pub fn cut(&self) -> Option<Self> {
        let [min, max] = self.bounds();
        let end = 10.0 * (max - min).element_sum();
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for triangle in 0..self.triangles.len() as u32 {
            let corners = self.corners(triangle);
            let mut crossings = Vec::new();
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                // On one side or the other; never on the plane, so that every crossing has two ends.
                if (from.z >= 0.0) != (to.z >= 0.0) {
                    // From the lower end, so that both triangles of an edge get the same point.
                    let (low, high) = if from.z < to.z { (from, to) } else { (to, from) };
                    crossings.push((low + low.z / (low.z - high.z) * (high - low)).with_z(0.0));
                }
            }
            let [a, b] = crossings[..] else { continue };
            // The outline runs so that the outside is on its right.
            let outward = self.normals[triangle as usize];
            let (a, b) = if (b - a).cross(DVec3::Z).dot(outward) < 0.0 { (b, a) } else { (a, b) };
            if a != b {
                let first = vertices.len() as u32;
                vertices.extend([a.with_z(-end), b.with_z(-end), b.with_z(end), a.with_z(end)]);
                triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
            }
        }
        let (vertices, triangles) = weld(&vertices, &triangles).ok()?;
        Some(Self::new(&vertices, triangles))
    }

    /// Corners (m) of each triangle, with the unit normal to be drawn: the mean of the triangles around, or the triangle's own at a crease.
    pub fn shaded(&self) -> impl Iterator<Item = [(DVec3, DVec3); 3]> {
        (0..self.triangles.len()).map(|triangle| {
            let (corners, own) = (self.corners(triangle as u32), self.normals[triangle]);
            let mean = self.pseudonormals[triangle][1].map(|normal| normal.normalize_or(own));
            std::array::from_fn(|k| (corners[k], if mean[k].dot(own) > COS_CREASE { mean[k] } else { own }))
        })
    }

    fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| self.vertices[vertex as usize])
    }
}

fn around(corners: [DVec3; 3]) -> [DVec3; 2] {
    [corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2])]
}
