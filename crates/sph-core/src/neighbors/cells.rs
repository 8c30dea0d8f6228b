//! Integer cells of space.

use glam::{IVec3, Vec3};
use rayon::prelude::*;

/// A partition of space into cubes of side `cell_size`, the first corner of cell (0, 0, 0) at the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    size: f32,
    per_metre: f32,
}

impl Cells {
    /// Cubes of side `cell_size`, m, which is positive.
    pub fn new(cell_size: f32) -> Self {
        Self { size: cell_size, per_metre: cell_size.recip() }
    }

    /// Side of a cell, m.
    pub fn size(self) -> f32 {
        self.size
    }

    /// The cell of `point`: `floor(point / cell_size)`, computed with the rounded reciprocal, saturating at the ends of `i32`; NaN falls into 0.
    ///
    /// The result never decreases when a coordinate grows. [`Self::touched_by_cube`] rests on that, not on exact arithmetic.
    pub fn of(self, point: Vec3) -> IVec3 {
        (point * self.per_metre).to_array().map(floor).into()
    }

    /// The lowest and highest cell, both included, that the cube of half-side `reach` (m) around `center` touches.
    ///
    /// A point p with |p − center| < reach per axis, as computed in `f32`, has p < center + reach exactly, hence p ≤ the rounded sum,
    /// and by monotonicity its cell is not beyond the cell of that sum; likewise below.
    pub fn touched_by_cube(self, center: Vec3, reach: f32) -> (IVec3, IVec3) {
        (self.of(center - reach), self.of(center + reach))
    }

    /// The smallest box of cells that holds all of `points`; without points, one that is empty along every axis.
    pub fn bounds(self, points: &[Vec3]) -> (IVec3, IVec3) {
        let cells = points.par_iter().with_min_len(GRAIN).map(|&point| (self.of(point), self.of(point)));
        cells.reduce(|| (IVec3::MAX, IVec3::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// Least points that a thread takes at once.
const GRAIN: usize = 4096;

/// Largest integer not above `x`. Without SSE 4.1, which not every x86-64 processor has, `f32::floor` is a call into the C library.
fn floor(x: f32) -> i32 {
    let truncated = x as i32;
    // Above x only where x is negative and has a fraction; saturating for what lies below every i32.
    truncated.saturating_sub(i32::from(truncated as f32 > x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_toward_minus_infinity() {
        let cells = Cells::new(0.5);
        assert_eq!(cells.of(Vec3::new(-0.1, 0.0, 0.49)), IVec3::new(-1, 0, 0));
        assert_eq!(cells.of(Vec3::new(-0.5, -0.51, 0.5)), IVec3::new(-1, -2, 1));
    }

    #[test]
    fn survives_what_is_not_a_coordinate() {
        let cells = Cells::new(1e-3);
        assert_eq!(cells.of(Vec3::new(f32::INFINITY, f32::NEG_INFINITY, f32::NAN)), IVec3::new(i32::MAX, i32::MIN, 0));
    }

    #[test]
    fn agrees_with_the_standard_floor() {
        let magnitudes =
            [0.0, 1e-30, 0.5, 0.999_999_94, 1.0, 1.5, 8_388_607.5, 16_777_216.0, 2_147_483_520.0, 3e9, f32::MAX, f32::INFINITY];
        for x in magnitudes.into_iter().flat_map(|x| [x, -x]) {
            assert_eq!(floor(x), x.floor() as i32, "{x}");
        }
        assert_eq!(floor(f32::NAN), 0);
    }
}
