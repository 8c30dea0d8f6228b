//! Triangles of the surface where a signed distance is 0, by marching tetrahedra (Doi1991).

use glam::{DVec3, I64Vec3};
use std::collections::HashMap;

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
    use super::*;
    use std::f64::consts::PI;

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
