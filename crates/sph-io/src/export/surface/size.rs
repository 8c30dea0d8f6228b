//! Memory that a surface will take, before it is made.

use glam::{IVec3, Vec3};
use std::collections::HashSet;

/// Most cubes along an axis: their places are computed in single precision.
const MAX_CUBES: f32 = (1 << 20) as f32;
/// Bytes for each particle: its densities, its neighbours, its place in the tree of the interpolation.
const BYTES_OF_PARTICLE: f64 = 500.0;
/// Bytes for each square of the surface with the side of a cube: vertices with their neighbours and triangles, in patches and as a whole.
const BYTES_OF_SQUARE: f64 = 300.0;

/// Size of a surface that is to be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Triangles.
    pub triangles: f64,
    /// Memory, bytes.
    pub bytes: f64,
}

/// The particles are so far apart that cubes between them cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooWide {
    /// Cubes along the longest axis.
    pub cubes: f32,
}

impl Estimate {
    /// Estimate for particles at finite `positions` (m) with kernels of `support_radius` (m), in cubes of `cube_size` (m).
    ///
    /// The area is that of the cells as wide as a support radius that hold particles, where the cell beside holds none.
    ///
    /// # Errors
    /// The particles are too far apart.
    pub fn new(positions: &[Vec3], support_radius: f32, cube_size: f32) -> Result<Self, TooWide> {
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = positions.iter().fold(start, |(low, high), &at| (low.min(at), high.max(at)));
        let extent = (high - low).max_element().max(0.0) + 2.0 * support_radius;
        let cubes = extent / cube_size;
        if cubes > MAX_CUBES {
            return Err(TooWide { cubes });
        }
        let cell = |at: &Vec3| ((at - low) / support_radius).as_ivec3();
        let cells: HashSet<IVec3> = positions.iter().map(cell).collect();
        let sides = IVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let faces: usize = sides.map(|side| cells.iter().filter(|&&cell| !cells.contains(&(cell + side))).count()).sum();
        let squares = faces as f64 * f64::from(support_radius / cube_size).powi(2);
        let bytes = BYTES_OF_PARTICLE * positions.len() as f64 + BYTES_OF_SQUARE * squares;
        Ok(Self { triangles: 2.0 * squares, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_has_six_sides() {
        let positions: Vec<_> = (0..1000).map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32)).collect();
        // Cells of 2 hold 2 particles along each axis: 5 cells.
        let estimate = Estimate::new(&positions, 2.0, 0.5).unwrap();
        assert_eq!(estimate.triangles, 2.0 * 6.0 * 25.0 * 16.0);
    }

    #[test]
    fn particles_far_apart_are_refused() {
        for far in [1e9, 1e30, f32::MAX] {
            let TooWide { cubes } = Estimate::new(&[Vec3::X * far, Vec3::X * -far], 2.0, 0.5).unwrap_err();
            assert!(cubes > far, "{cubes} cubes");
        }
        assert!(Estimate::new(&[Vec3::ZERO, Vec3::X * 5e5], 2.0, 0.5).is_ok());
    }
}
