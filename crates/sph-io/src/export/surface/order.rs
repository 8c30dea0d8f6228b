//! The order of a mesh's vertices and triangles, which depends on the surface alone.

use splashsurf_lib::mesh::TriMesh3d;
use splashsurf_lib::nalgebra::Vector3;
use std::cmp::Ordering;

/// Brings vertices into the order of their coordinates and triangles into that of their vertices; vertices at the same place become one.
///
/// splashsurf makes a mesh of patches, in an order that depends on the threads. Vertices between two patches are computed alike in both.
pub(super) fn sort(mesh: TriMesh3d<f32>) -> TriMesh3d<f32> {
    let mut order: Vec<usize> = (0..mesh.vertices.len()).collect();
    order.sort_unstable_by(|&a, &b| compare(&mesh.vertices[a], &mesh.vertices[b]));
    let mut new_index = vec![0; order.len()];
    let mut vertices: Vec<Vector3<f32>> = Vec::with_capacity(order.len());
    for old in order {
        let vertex = mesh.vertices[old];
        if vertices.last() != Some(&vertex) {
            vertices.push(vertex);
        }
        new_index[old] = vertices.len() - 1;
    }
    let triangles = mesh.triangles.iter().map(|corners| first_least(corners.map(|corner| new_index[corner])));
    let mut triangles: Vec<_> = triangles.filter(|&[a, b, c]| a != b && b != c && c != a).collect();
    triangles.sort_unstable();
    TriMesh3d { vertices, triangles }
}

fn compare(a: &Vector3<f32>, b: &Vector3<f32>) -> Ordering {
    // -0 and 0 are the same place.
    let key = |vertex: &Vector3<f32>, axis: usize| vertex[axis] + 0.0;
    (0..3).map(|axis| key(a, axis).total_cmp(&key(b, axis))).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The same triangle from its least corner on.
fn first_least([a, b, c]: [usize; 3]) -> [usize; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_orders_of_a_mesh_are_one() {
        let at = |x: f32, y: f32| Vector3::new(x, y, 0.0);
        let first = TriMesh3d {
            vertices: vec![at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)],
            triangles: vec![[0, 1, 2], [2, 1, 3]],
        };
        // The shared edge is doubled, as patches have it.
        let vertices = vec![at(1.0, 1.0), at(0.0, 1.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(-0.0, 0.0)];
        let second = TriMesh3d { vertices, triangles: vec![[0, 1, 2], [4, 3, 5]] };
        let [first, second] = [first, second].map(sort);
        assert_eq!(first.vertices, second.vertices);
        assert_eq!(first.triangles, second.triangles);
        assert_eq!(first.triangles, [[0, 2, 1], [1, 2, 3]]);
    }
}
