//! Diagnosis of meshes: closed or open, oriented, connected.

use std::collections::HashMap;

/// Reasons why a mesh is no solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// There is no triangle with three different corners.
    #[error("the mesh has no triangles")]
    Empty,
    /// A triangle has a vertex that is not there.
    #[error("a triangle of the mesh has a vertex that is not there")]
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
pub(super) struct Topology {
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
pub(super) fn edges(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
