//! Shells: surfaces of triangles that enclose nothing, as solids of a given thickness.
//!
//! An open surface, or one whose triangles meet in threes, has no inside. A shell needs none: it is all that is closer to the surface than
//! half its thickness, on either side, so that its distance is the unsigned one less that half.

use std::collections::HashSet;

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

    /// Triangles of both sides and of the rim, as corners (m) with the normals to be drawn.
    pub(in crate::space::geometry) fn shaded(&self) -> Vec<[(DVec3, DVec3); 3]> {
        let fronts: Vec<[(DVec3, DVec3); 3]> = self.surface.shaded().collect();
        let ends = |front: &[(DVec3, DVec3); 3], k: usize| (front[k], front[(k + 1) % 3]);
        let bits = |(at, _): (DVec3, DVec3)| at.to_array().map(f64::to_bits);
        let edges = fronts.iter().flat_map(|front| [0, 1, 2].map(|k| ends(front, k)));
        let directed: HashSet<_> = edges.map(|(start, end)| [bits(start), bits(end)]).collect();
        let mut sides = Vec::new();
        for front in &fronts {
            let [a, b, c] = front.map(|(corner, normal)| (corner + self.half_thickness * normal, normal));
            let back = front.map(|(corner, normal)| (corner - self.half_thickness * normal, -normal));
            sides.extend([[a, b, c], [back[0], back[2], back[1]]]);
            for k in 0..3 {
                let (start, end) = ends(front, k);
                if directed.contains(&[bits(end), bits(start)]) {
                    continue;
                }
                // Counter-clockwise as seen from beyond the edge.
                let outward = (end.0 - start.0).cross(start.1 + end.1).normalize_or(DVec3::Y);
                let at = |(corner, normal): (DVec3, DVec3), side: f64| (corner + side * self.half_thickness * normal, outward);
                let corners = [at(start, -1.0), at(end, -1.0), at(end, 1.0), at(start, 1.0)];
                sides.extend([[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]);
            }
        }
        sides
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

    /// A square that is drawn is a plate of its thickness, closed all around.
    #[test]
    fn a_shell_is_drawn_as_a_plate() {
        let (vertices, triangles) = branching();
        let square = Shell::new(&vertices, &triangles[..2], 0.1).unwrap();
        let volume = |[(a, _), (b, _), (c, _)]: [(DVec3, DVec3); 3]| a.dot(b.cross(c)) / 6.0;
        let total: f64 = square.shaded().into_iter().map(volume).sum();
        assert!((total - 0.1).abs() < 1e-12, "{total}");
        assert_eq!(square.shaded().len(), 2 * 2 + 4 * 2);
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
