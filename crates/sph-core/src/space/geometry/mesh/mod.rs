//! Triangle meshes as solids.

mod diagnosis;
mod heightfield;
mod surface;
mod tree;
mod triangle;
mod welding;

pub use diagnosis::{MeshDiagnosis, MeshError};
pub use heightfield::Heightfield;

use super::Nearest;
use diagnosis::Topology;
use glam::DVec3;
use surface::Surface;
use welding::weld;

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

#[cfg(test)]
mod tests;
