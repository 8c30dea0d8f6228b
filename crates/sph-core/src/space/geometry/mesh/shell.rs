//! Shells: surfaces of triangles that enclose nothing, as solids of a given thickness.
//!
//! An open surface, or one whose triangles meet in threes, has no inside. A shell needs none: it is all that is closer to the surface than
//! half its thickness, on either side, so that its distance is the unsigned one less that half.

use super::surface::Surface;
use super::{MeshError, weld};
use crate::space::geometry::Nearest;
use glam::DVec3;

/// The solid around a surface of triangles, which may be open and may branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Shell {
    surface: Surface,
    half_thickness: f64,
}

impl Shell {
    /// The shell of a thickness (m) around triangles of `vertices` (m), which may face either side. Vertices at the same place are one.
    ///
    /// # Errors
    /// The mesh is empty or damaged.
    pub fn new(vertices: &[DVec3], triangles: &[[u32; 3]], thickness: f64) -> Result<Self, MeshError> {
        let (vertices, triangles) = weld(vertices, triangles)?;
        Ok(Self { surface: Surface::new(&vertices, triangles), half_thickness: 0.5 * thickness })
    }

    /// Its cut by the plane z = 0, as a prism along z: a shell of two dimensions; none where the plane misses it.
    #[must_use]
    pub fn cut(&self) -> Option<Self> {
        Some(Self { surface: self.surface.cut()?, half_thickness: self.half_thickness })
    }

    /// Corners (m) of each triangle of both sides, with the normals to be drawn.
    pub(in crate::space::geometry) fn shaded(&self) -> impl Iterator<Item = [(DVec3, DVec3); 3]> {
        let back = |[a, b, c]: [(DVec3, DVec3); 3]| [a, c, b].map(|(corner, normal)| (corner, -normal));
        self.surface.shaded().flat_map(move |front| [front, back(front)])
    }

    /// Surface next to `at`, m.
    pub(in crate::space::geometry) fn nearest(&self, at: DVec3) -> Nearest {
        let near = self.surface.nearest(at);
        let near = if near.distance < 0.0 { near.flipped() } else { near };
        Nearest { distance: near.distance - self.half_thickness, ..near }
    }

    /// Lowest and highest corner, m.
    pub(in crate::space::geometry) fn bounds(&self) -> [DVec3; 2] {
        let [min, max] = self.surface.bounds();
        [min - self.half_thickness, max + self.half_thickness]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::{Body, BoundaryParticles};
    use crate::parameters::{Dimensions, Discretization, WallSampling};
    use crate::space::geometry::{Shape, Solid};

    /// A square of 1 m in the plane y = 0, and a second one that stands on its diagonal: three triangles meet there.
    fn branching() -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.5, 1.0, 0.5]];
        (corners.map(DVec3::from_array).to_vec(), vec![[0, 1, 2], [0, 2, 3], [0, 2, 4]])
    }

    fn shell(thickness: f64) -> Shell {
        let (vertices, triangles) = branching();
        assert!(matches!(super::super::TriangleMesh::new(&vertices, &triangles), Err(MeshError::NotManifold { .. })));
        Shell::new(&vertices, &triangles, thickness).unwrap()
    }

    #[test]
    fn distances_are_those_of_the_nearer_side() {
        let shell = shell(0.1);
        let found = |at: [f64; 3]| shell.nearest(DVec3::from_array(at));
        for (side, normal) in [(0.3, DVec3::Y), (-0.3, DVec3::NEG_Y)] {
            let near = found([0.9, side, 0.1]);
            assert!((near.distance - 0.25).abs() < 1e-12 && near.normal.abs_diff_eq(normal, 1e-12), "{near:?}");
        }
        assert!((found([0.9, 0.01, 0.1]).distance + 0.04).abs() < 1e-12);
        assert_eq!(found([0.9, 0.0, 0.1]).distance, -0.05);
        // Beyond the edge.
        assert!((found([1.3, 0.4, 0.5]).distance - 0.45).abs() < 1e-12);
    }

    /// One layer of particles on the surface, whose volumes are the area times a spacing, whatever the sampling of walls.
    #[test]
    fn particles_lie_on_the_surface_and_share_its_area() {
        let spacing = 0.05f32;
        let solid = Solid::from(Shape::shell(shell(spacing.into())));
        for (sampling, support) in [(WallSampling::Layers, 2.0), (WallSampling::SingleLayer, 3.0)] {
            let mut discretization = Discretization::new(Dimensions::Three, spacing);
            discretization.support_radius = support * spacing;
            let mut particles = BoundaryParticles::default();
            let body = Body::solid(solid.clone());
            body.sample(&discretization, sampling, discretization.particle_volume(), &mut particles);
            let off = particles.positions.iter().map(|at| solid.nearest(at.as_dvec3()).distance + 0.5 * f64::from(spacing));
            assert!(off.fold(0.0, f64::max) < 0.03 * f64::from(spacing));
            // A square of 1 m², and a triangle on its diagonal with a height of 1 m.
            let area = 1.0 + 0.5 * 2f32.sqrt();
            let count = particles.positions.len() as f32 * spacing * spacing;
            assert!((count / area - 1.0).abs() < 0.2, "{count} of {area} m²");
            let volume: f32 = particles.volumes.iter().sum();
            // The rounded edges add their part.
            assert!((1.0..1.15).contains(&(volume / (area * spacing))), "{} of {}", volume, area * spacing);
            assert!(particles.positions.len() as u64 <= body.particle_count(&discretization));
        }
    }
}
