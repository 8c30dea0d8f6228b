//! Meshes of heights over a grid.

use glam::DVec3;

/// Least thickness of a heightfield, as a fraction of its box's height: a solid without thickness has no inside.
const LEAST_THICKNESS: f64 = 1e-4;

/// Heights over a grid in the plane of x and z.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// Number of heights along x, at least 2.
    pub columns: usize,
    /// Heights as fractions of the box's height, 0 at its bottom and 1 at its top; row after row, from the lowest z on.
    pub heights: Vec<f64>,
}

impl Heightfield {
    /// Vertices and triangles of the solid below the surface, in the box with half extents `half` (m) around the origin: the
    /// outermost heights are at the faces of the box. Each cell of the grid is two triangles; at least two rows make a mesh.
    pub fn triangles(&self, half: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (columns, rows) = (self.columns, self.heights.len() / self.columns);
        let along = |index: usize, count: usize| 2.0 * index as f64 / (count - 1) as f64 - 1.0;
        let vertex = |index: usize, height: f64| {
            half * DVec3::new(along(index % columns, columns), 2.0 * height - 1.0, along(index / columns, rows))
        };
        let count = columns * rows;
        let top = (0..count).map(|index| vertex(index, self.heights[index].max(LEAST_THICKNESS)));
        let vertices = top.chain((0..count).map(|index| vertex(index, 0.0))).collect();

        let mut triangles = Vec::new();
        let mut quad = |corners: [usize; 4]| {
            let [a, b, c, d] = corners.map(|corner| corner as u32);
            triangles.extend([[a, b, c], [a, c, d]]);
        };
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let first = row * columns + column;
                let [a, b, c, d] = [first, first + columns, first + columns + 1, first + 1];
                quad([a, b, c, d]);
                quad([a, d, c, b].map(|corner| corner + count));
            }
        }
        // The sides: the edge from `a` to `b` has the outside on its left, as seen from above.
        let mut side = |a: usize, b: usize| quad([a, b, b + count, a + count]);
        for column in 0..columns - 1 {
            side(column, column + 1);
            let last = (rows - 1) * columns + column;
            side(last + 1, last);
        }
        for row in 0..rows - 1 {
            let first = row * columns;
            side(first + columns, first);
            side(first + columns - 1, first + 2 * columns - 1);
        }
        (vertices, triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::super::signed_volume;
    use super::*;
    use crate::parameters::Dimensions;
    use crate::space::geometry::{Shape, Solid, TriangleMesh};

    fn solid(field: &Heightfield, half: DVec3) -> Solid {
        let (vertices, triangles) = field.triangles(half);
        let (mesh, diagnosis) = TriangleMesh::new(&vertices, &triangles).expect("a closed mesh");
        let found = (diagnosis.parts, diagnosis.cavities, diagnosis.is_inward, diagnosis.self_intersections);
        assert_eq!(found, (1, 0, false, 0));
        Shape::mesh(mesh).into()
    }

    /// A ramp from a fifth to four fifths of a box of 2 m by 1 m by 1 m: near its middle the surface is one plane.
    #[test]
    fn a_ramp_has_the_distance_of_its_plane() {
        let heights = (0..5 * 9).map(|index| 0.2 + 0.6 * f64::from(index % 9) / 8.0).collect();
        let ramp = solid(&Heightfield { columns: 9, heights }, DVec3::new(1.0, 0.5, 0.5));
        let normal = DVec3::new(-0.3, 1.0, 0.0).normalize();
        for k in 0..500u16 {
            let random = |factor: f64| 0.2 * (f64::from(k) * factor).fract() - 0.1;
            let at = DVec3::new(random(0.819_172_513_4), random(0.671_043_606_7), random(0.549_700_477_9));
            let near = ramp.nearest(at);
            assert!((near.distance - at.dot(normal)).abs() < 1e-9, "{at}: {near:?}");
            assert!((near.normal - normal).length() < 1e-6 || near.distance.abs() < 1e-9, "{at}: {near:?}");
        }
        let expected =
            [(DVec3::new(0.0, -0.7, 0.0), 0.2), (DVec3::new(1.4, -0.4, 0.0), 0.4), (DVec3::new(0.1, -0.4, -0.8), 0.3)];
        for (at, distance) in expected {
            assert!((ramp.nearest(at).distance - distance).abs() < 1e-9, "{at}");
        }
        assert!((ramp.volume(Dimensions::Three) - 1.0).abs() < 2e-3);
    }

    /// One height above flat ground of none.
    #[test]
    fn a_bump_has_its_volume_and_ground_without_height_is_below() {
        let mut heights = vec![0.0; 9];
        heights[4] = 1.0;
        let field = Heightfield { columns: 3, heights };
        let half = DVec3::new(1.0, 0.5, 1.0);
        // Of the four cells, two have their diagonal through the summit; in the others it cuts the summit's corner off: 2/3 + 2/6,
        // and three quarters of the ground at the least thickness.
        let (vertices, triangles) = field.triangles(half);
        let volume = signed_volume(&vertices, &triangles);
        assert!((volume - 1.0 - 3.0 * LEAST_THICKNESS).abs() < 1e-12, "{volume}");
        let bump = solid(&field, half);
        let above = bump.nearest(DVec3::new(-0.9, 0.1, 0.9));
        assert!(above.distance > 0.0 && above.normal.y > 0.0, "{above:?}");
        assert!((bump.nearest(DVec3::new(-0.9, -0.7, 0.9)).distance - 0.2).abs() < 1e-9);
    }
}
