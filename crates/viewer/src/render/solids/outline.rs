//! Outlines of solids: sharp edges, and the silhouette as seen from the camera; in two dimensions the contour.

use glam::Vec3;
use sph_core::{Pose, Solid, Triangulation};
use std::collections::BTreeMap;

/// Cosine of the angle between two triangles above which the edge between them is sharp: 30 degrees.
const SHARP: f32 = 0.866;
/// Squares along the longer side of the grid on which a contour is found.
const SQUARES: usize = 160;

/// Lines of a solid.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    edges: Vec<Edge>,
    /// Normal and a point of each triangle.
    faces: Vec<(Vec3, Vec3)>,
}

/// A line between two triangles, or where one or more than two end.
#[derive(Clone, Copy, Debug)]
struct Edge {
    ends: [Vec3; 2],
    faces: [Option<u32>; 2],
}

impl Outline {
    /// The outline of a surface.
    pub fn of(surface: &Triangulation) -> Self {
        // In order, so that the lines are the same in every run.
        let mut found: BTreeMap<[[u32; 3]; 2], (Edge, usize)> = BTreeMap::new();
        let mut faces = Vec::with_capacity(surface.triangles.len());
        for triangle in &surface.triangles {
            let corners = triangle.map(|index| surface.vertices[index as usize]);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            let face = faces.len() as u32;
            faces.push((normal, corners[0]));
            for side in 0..3 {
                let ends = [corners[side], corners[(side + 1) % 3]];
                // Vertices at a sharp edge are doubled: places tell which are the same.
                let mut key = ends.map(|end| end.to_array().map(f32::to_bits));
                key.sort_unstable();
                let (edge, count) = found.entry(key).or_insert((Edge { ends, faces: [None; 2] }, 0));
                match edge.faces.get_mut(*count) {
                    Some(free) => *free = Some(face),
                    // No silhouette of two faces decides where three meet: always a line.
                    None => edge.faces = [None; 2],
                }
                *count += 1;
            }
        }
        let edges = found.into_values().map(|(edge, _)| edge).filter(|edge| edge.ends[0] != edge.ends[1]).collect();
        Self { edges, faces }
    }

    /// The contour of `solid` in the plane z = 0, between two corners of a box around it, m.
    pub fn contour(solid: &Solid, min: Vec3, max: Vec3) -> Self {
        let extent = max - min;
        let side = extent.x.max(extent.y) / SQUARES as f32;
        if !(side > 0.0 && side.is_finite()) {
            return Self::default();
        }
        // A square more on each side, outside.
        let count = [extent.x, extent.y].map(|length| (length / side).ceil() as usize + 2);
        let place = |column: usize, row: usize| {
            Vec3::new(min.x - side, min.y - side, 0.0) + side * Vec3::new(column as f32, row as f32, 0.0)
        };
        let width = count[0] + 1;
        let distances: Vec<f32> =
            (0..width * (count[1] + 1)).map(|index| solid.signed_distance(place(index % width, index / width))).collect();
        let mut edges = Vec::new();
        for (row, column) in (0..count[1]).flat_map(|row| (0..count[0]).map(move |column| (row, column))) {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| (column + x, row + y));
            let at = corners.map(|(x, y)| (place(x, y), distances[y * width + x]));
            // Crossings of the border with the sides of the square, in order; in a saddle the first two belong together.
            let crossings = (0..4).filter_map(|side| {
                let ((from, a), (to, b)) = (at[side], at[(side + 1) % 4]);
                ((a < 0.0) != (b < 0.0)).then(|| from.lerp(to, a / (a - b)))
            });
            let crossings: Vec<Vec3> = crossings.collect();
            edges.extend(crossings.chunks_exact(2).map(|pair| Edge { ends: [pair[0], pair[1]], faces: [None; 2] }));
        }
        Self { edges, faces: Vec::new() }
    }

    /// Appends the lines in a pose as seen from `eye`, m.
    pub fn push(&self, pose: &Pose, eye: Vec3, lines: &mut Vec<[Vec3; 2]>) {
        let eye = pose.start(eye.as_dvec3()).as_vec3();
        let face = |index: u32| self.faces[index as usize];
        let is_towards = |(normal, point): (Vec3, Vec3)| normal.dot(eye - point) > 0.0;
        let is_line = |edge: &&Edge| match edge.faces {
            [Some(a), Some(b)] => face(a).0.dot(face(b).0) < SHARP || is_towards(face(a)) != is_towards(face(b)),
            _ => true,
        };
        let shown = self.edges.iter().filter(is_line);
        lines.extend(shown.map(|edge| edge.ends.map(|end| pose.point(end.as_dvec3()).as_vec3())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(outline: &Outline, eye: Vec3) -> Vec<[Vec3; 2]> {
        let mut lines = Vec::new();
        outline.push(&Pose::default(), eye, &mut lines);
        lines
    }

    #[test]
    fn a_box_has_its_twelve_edges_from_everywhere() {
        let outline = Outline::of(&Triangulation::of_box(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)));
        for eye in [Vec3::splat(9.0), Vec3::new(0.5, 0.5, 20.0), Vec3::splat(0.5)] {
            assert_eq!(lines(&outline, eye).len(), 12);
        }
    }

    /// A sphere of radius 1 seen from the distance d: the silhouette is a circle at 1/d from its middle towards the eye.
    #[test]
    fn a_sphere_has_its_silhouette() {
        let outline = Outline::of(&Triangulation::of_ellipsoid(Vec3::NEG_ONE, Vec3::ONE));
        let seen = lines(&outline, Vec3::new(0.0, 0.0, 4.0));
        assert!(seen.len() > 20);
        for point in seen.into_iter().flatten() {
            assert!((point.length() - 1.0).abs() < 1e-3 && (point.z - 0.25).abs() < 0.15, "{point}");
        }
    }

    #[test]
    fn the_contour_of_a_disc_is_a_circle() {
        let text = "format = 1\ndimensions = 2\nparticles.spacing = 0.05\n[[fluid.blocks]]\nmin = [-0.2, -0.2]\nmax = [0.2, 0.2]\n\
                    [[containers]]\nshape = 'cylinder'\naxis = 'z'\nmin = [-1, -1]\nmax = [1, 1]\n";
        let setup = sph_io::parse(text, "disc", &[]).unwrap_or_else(|error| panic!("{error}")).setup;
        let container = &setup.containers[0];
        let region = container.region.as_ref().expect("a disc is no box");
        let circle = lines(&Outline::contour(region, container.min, container.max), Vec3::Z);
        let length: f32 = circle.iter().map(|[from, to]| from.distance(*to)).sum();
        assert!((length / std::f32::consts::TAU - 1.0).abs() < 0.01, "{length}");
        assert!(circle.iter().flatten().all(|point| (point.length() - 1.0).abs() < 1e-3));
    }
}
