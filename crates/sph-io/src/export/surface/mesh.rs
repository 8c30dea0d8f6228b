//! The triangle mesh of a surface.

use glam::Vec3;

/// A surface of fluid as triangles, counter-clockwise as seen from outside. Vertices ascend by x, then y, then z, and triangles by their
/// vertices, so that equal surfaces are equal files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceMesh {
    /// Vertices, m.
    pub vertices: Vec<Vec3>,
    /// Outward unit normals at the vertices.
    pub normals: Vec<Vec3>,
    /// Velocities of the fluid at the vertices, m/s; empty if the particles have none.
    pub velocities: Vec<Vec3>,
    /// Vertices of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

impl SurfaceMesh {
    /// Enclosed volume by the divergence theorem, m³.
    pub fn volume(&self) -> f64 {
        // About one of them, so that far from the origin nothing cancels.
        let origin = self.vertices.first().map_or(glam::DVec3::ZERO, |vertex| vertex.as_dvec3());
        let corner = |index: u32| self.vertices[index as usize].as_dvec3() - origin;
        self.triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0).sum()
    }
}

/// Unit normals at the vertices, each triangle's weighted by its area; those of no triangle point along y.
pub(super) fn vertex_normals(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; vertices.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|index| vertices[index as usize]);
        let normal = (b - a).cross(c - a);
        triangle.iter().for_each(|&index| sums[index as usize] += normal);
    }
    // Areas of tiny triangles are lost to underflow when they are squared, unless they are scaled.
    let scaled = |sum: Vec3| sum / sum.abs().max_element();
    sums.into_iter().map(|sum| scaled(sum).try_normalize().unwrap_or(Vec3::Y)).collect()
}
