//! Edges of a mesh of triangles, and the vertices across them.

use super::{ClothError, ClothSetup};
use glam::Vec3;

/// A mesh that has been checked.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    /// Edges, ascending.
    pub edges: Vec<Edge>,
    /// Pairs of vertices across an edge of two triangles, in the order of the edges.
    pub across: Vec<Across>,
    /// Number of edges of more than two triangles.
    pub crowded_edges: usize,
    /// Edges of each triangle.
    pub triangle_edges: Vec<[u32; 3]>,
    /// Areas that belong to the vertices at rest, m²: a third of each of their triangles.
    pub areas: Vec<f32>,
}

/// An edge at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Its vertices, ascending.
    pub vertices: [u32; 2],
    /// Length at rest, m.
    pub length: f32,
}

/// The two vertices across an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    /// The edge.
    pub edge: u32,
    /// The vertices, ascending.
    pub vertices: [u32; 2],
    /// Their distance at rest, m.
    pub length: f32,
}

/// A side of a triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    vertices: [u32; 2],
    triangle: u32,
    opposite: u32,
}

impl Mesh {
    /// The mesh of a description whose vertices are finite.
    pub fn new(setup: &ClothSetup) -> Result<Self, ClothError> {
        let rest = setup.rest_positions();
        let mut areas = vec![0.0; rest.len()];
        let mut sides = Vec::with_capacity(3 * setup.triangles.len());
        for (triangle, &corners) in setup.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= rest.len()) {
                return Err(ClothError::NoSuchVertex { triangle, vertex, count: rest.len() });
            }
            let [a, b, c] = corners.map(|vertex| rest[vertex as usize]);
            let area = 0.5 * (b - a).cross(c - a).length();
            if area <= FLAT * (b - a).length_squared().max((c - a).length_squared()) {
                return Err(ClothError::FlatTriangle { triangle });
            }
            for k in 0..3 {
                let [from, to, opposite] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
                areas[corners[k] as usize] += area / 3.0;
                sides.push(Side { vertices: [from.min(to), from.max(to)], triangle: triangle as u32, opposite });
            }
        }
        if let Some(vertex) = areas.iter().position(|&area| area == 0.0) {
            return Err(ClothError::LooseVertex { vertex });
        }
        sides.sort_unstable();
        Ok(Self::from_sides(&sides, rest, areas, setup.triangles.len()))
    }

    fn from_sides(sides: &[Side], rest: &[Vec3], areas: Vec<f32>, triangles: usize) -> Self {
        let length = |[a, b]: [u32; 2]| rest[a as usize].distance(rest[b as usize]);
        let mut mesh = Self {
            edges: Vec::new(),
            across: Vec::new(),
            crowded_edges: 0,
            triangle_edges: vec![[u32::MAX; 3]; triangles],
            areas,
        };
        for same in sides.chunk_by(|a, b| a.vertices == b.vertices) {
            let edge = mesh.edges.len() as u32;
            let vertices = same[0].vertices;
            mesh.edges.push(Edge { vertices, length: length(vertices) });
            for side in same {
                let edges = &mut mesh.triangle_edges[side.triangle as usize];
                let free = edges.iter().position(|&edge| edge == u32::MAX).unwrap_or(2);
                edges[free] = edge;
            }
            match same {
                [first, second] => {
                    let (a, b) = (first.opposite, second.opposite);
                    let vertices = [a.min(b), a.max(b)];
                    let length = length(vertices);
                    // The same triangle given twice has one opposite vertex.
                    if length > 0.0 {
                        mesh.across.push(Across { edge, vertices, length });
                    }
                }
                [_] => {}
                _ => mesh.crowded_edges += 1,
            }
        }
        mesh
    }
}

/// Area of a triangle that counts as none, of its longest side squared.
const FLAT: f32 = 1e-6;
