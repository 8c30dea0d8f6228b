//! Welding of vertices at the same place.

use super::diagnosis::MeshError;
use glam::DVec3;
use std::collections::HashMap;

/// Vertices without repetitions, and the triangles that have three different ones.
pub(super) fn weld(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), MeshError> {
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
