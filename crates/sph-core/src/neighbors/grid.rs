//! The grid: cells of space with integer coordinates.

pub use super::stencil::Stencil;

pub(super) use super::stencil::{CellBox, EMPTY};
pub(super) use super::table::Table;

use crate::simd::{Available, with_simd};
use glam::{IVec3, Vec3, Vec3A};
use rayon::prelude::*;
use std::ops::Range;

/// A partition of space into cubes of side `cell_size`, the lowest corner of cell (0, 0, 0) at the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    size: f32,
    per_metre: f32,
}

impl Cells {
    /// Cubes of side `cell_size` > 0, m.
    pub fn new(cell_size: f32) -> Self {
        Self { size: cell_size, per_metre: cell_size.recip() }
    }

    /// Side of a cell, m.
    pub fn size(self) -> f32 {
        self.size
    }

    /// The cell of `point`: `floor(point / cell_size)`, computed with the rounded reciprocal, saturating at the ends of `i32`;
    /// 0 for NaN.
    ///
    /// The result never decreases when a coordinate grows. [`Self::touched_by_cube`] relies on that, not on exact arithmetic.
    #[inline]
    pub fn of(self, point: Vec3) -> IVec3 {
        (point * self.per_metre).to_array().map(floor).into()
    }

    /// The lowest and highest cell, both included, that the cube of half-side `reach` (m) around `center` touches.
    ///
    /// A point p with |p − center| < reach per axis, as computed in `f32`, has p < center + reach exactly, hence p ≤ the
    /// rounded sum, and by monotonicity its cell is not beyond the cell of that sum; likewise below.
    pub fn touched_by_cube(self, center: Vec3, reach: f32) -> (IVec3, IVec3) {
        (self.of(center - reach), self.of(center + reach))
    }

    /// True if [`Self::touched_by_cube`] is certainly `touched`, computed without conversion to integers. False for NaN.
    #[inline(always)]
    pub fn touches(self, touched: Touched, center: Vec3, reach: f32) -> bool {
        let Touched { low, high } = touched;
        let coordinates = |corner: Vec3| Vec3A::from(corner * self.per_metre);
        let (first, last) = (coordinates(center - reach), coordinates(center + reach));
        // `&` and not `&&`: one branch.
        (first.cmpge(low) & first.cmplt(low + 1.0) & last.cmpge(high) & last.cmplt(high + 1.0)).all()
    }

    /// The bounding box of the cells of `points`; without points, a box that is empty along every axis.
    pub fn bounds(self, points: &[Vec3]) -> (IVec3, IVec3) {
        // The cell of the lowest coordinates is the lowest cell, since `of` never decreases when a coordinate grows.
        let part = |points: &[Vec3]| {
            let (low, high) = extremes(points);
            (self.of(low), self.of(high))
        };
        points.par_chunks(GRAIN).map(part).reduce(|| (IVec3::MAX, IVec3::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Writes `key(cell)` for the cell of each of `points` to `keys`.
    pub fn map_into(self, points: &[Vec3], key: impl Fn(IVec3) -> u32 + Sync, keys: &mut Vec<u32>) {
        keys.resize(points.len(), 0);
        points.par_chunks(GRAIN).zip(keys.par_chunks_mut(GRAIN)).for_each(|(points, keys)| {
            let (cells, key) = (self, &key);
            with_simd!(
                Available::best(),
                (cells: Cells, points: &[Vec3], key: &F, keys: &mut [u32]),
                [F: Fn(IVec3) -> u32],
                points.iter().zip(keys).for_each(|(&point, to)| *to = key(cells.of(point)))
            );
        });
    }

    /// Calls `visit(index, cell)` for each of `points` in `range` that lies in another cell than the point before it, and for the very
    /// first point.
    #[inline(always)]
    pub fn each_change(self, points: &[Vec3], range: Range<usize>, mut visit: impl FnMut(usize, IVec3)) {
        /// Points whose cells are computed side by side.
        const BLOCK: usize = 32;
        let mut first = range.start;
        let mut last = first.checked_sub(1).map(|before| self.of(points[before]));
        for points in points[range].chunks(BLOCK) {
            let mut here = [IVec3::ZERO; BLOCK];
            here.iter_mut().zip(points).for_each(|(cell, &point)| *cell = self.of(point));
            for (index, &cell) in (first..).zip(&here[..points.len()]) {
                if last != Some(cell) {
                    last = Some(cell);
                    visit(index, cell);
                }
            }
            first += points.len();
        }
    }
}

/// Cells touched by a cube, as floats that unrounded cell coordinates are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    low: Vec3A,
    high: Vec3A,
}

impl Touched {
    /// `None` where f32 does not represent every integer.
    pub fn new((low, high): (IVec3, IVec3)) -> Option<Self> {
        let exact = |cell: IVec3| cell.cmpgt(IVec3::splat(-MAX_EXACT)).all() && cell.cmplt(IVec3::splat(MAX_EXACT)).all();
        (exact(low) && exact(high)).then(|| Self { low: low.as_vec3a(), high: high.as_vec3a() })
    }
}

/// Integers of a smaller magnitude are exact in f32.
const MAX_EXACT: i32 = 1 << 24;

/// Lowest and highest coordinate along each axis, m; NaN counts as 0, as in [`Cells::of`].
fn extremes(points: &[Vec3]) -> (Vec3, Vec3) {
    with_simd!(Available::best(), (points: &[Vec3]) -> (Vec3, Vec3), [], {
        let (mut low, mut high) = ([f32::INFINITY; 12], [f32::NEG_INFINITY; 12]);
        let (fours, rest) = points.as_chunks::<4>();
        // The points that are left, some of them twice, which changes no extreme.
        let first = rest.first().copied().unwrap_or(points[0]);
        let last = [first, points[points.len() - 1], points[points.len().saturating_sub(2)], points[0]];
        for four in fours.iter().chain([&last]) {
            let [a, b, c, d] = four.map(|point| point.to_array());
            let coordinates = [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2]];
            for lane in 0..12 {
                let value = if coordinates[lane].is_nan() { 0.0 } else { coordinates[lane] };
                low[lane] = if value < low[lane] { value } else { low[lane] };
                high[lane] = if value > high[lane] { value } else { high[lane] };
            }
        }
        let each = |lanes: [f32; 12]| (0..4).map(move |point| Vec3::from_slice(&lanes[3 * point..3 * point + 3]));
        (each(low).fold(Vec3::INFINITY, Vec3::min), each(high).fold(Vec3::NEG_INFINITY, Vec3::max))
    })
}

/// Points per parallel task.
const GRAIN: usize = 4096;

/// Largest integer not above `x`. Without SSE 4.1, which not every x86-64 processor has, `f32::floor` is a call of the C
/// library.
#[inline]
fn floor(x: f32) -> i32 {
    let truncated = x as i32;
    // Truncation exceeds x only if x is negative and no integer; saturates below the range of i32.
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
    fn saturates_infinities_and_maps_nan_to_zero() {
        let cells = Cells::new(1e-3);
        assert_eq!(cells.of(Vec3::new(f32::INFINITY, f32::NEG_INFINITY, f32::NAN)), IVec3::new(i32::MAX, i32::MIN, 0));
    }

    #[test]
    fn bounds_are_the_smallest_box() {
        let cells = Cells::new(0.3);
        let points: Vec<Vec3> =
            (0..9000).map(|k| Vec3::new((k * 37 % 101) as f32, -((k * 53 % 97) as f32), 0.1 * k as f32)).collect();
        for count in [1, 2, 3, 4, 5, 6, 7, 4097, 9000] {
            let mut points = points[9000 - count..].to_vec();
            for special in [None, Some(Vec3::NAN), Some(Vec3::new(f32::INFINITY, f32::NEG_INFINITY, f32::NAN))] {
                points[count / 2] = special.unwrap_or(points[count / 2]);
                let all = points.iter().map(|&point| cells.of(point));
                let expected = all.fold((IVec3::MAX, IVec3::MIN), |(low, high), cell| (low.min(cell), high.max(cell)));
                assert_eq!(cells.bounds(&points), expected, "{count} points, {special:?}");
            }
        }
        assert_eq!(cells.bounds(&[]), (IVec3::MAX, IVec3::MIN));
    }

    #[test]
    fn cubes_that_touch_the_same_cells_are_recognised() {
        let cells = Cells::new(0.3);
        let at = |k: u32| Vec3::new((k * 37 % 101) as f32, -((k * 53 % 97) as f32), k as f32) * 0.01;
        let touched_by = |center| cells.touched_by_cube(center, 0.25);
        for (center, other) in (0..400).flat_map(|k| (0..40).map(move |n| (at(k), at(k + n)))) {
            let touched = Touched::new(touched_by(center)).expect("cells near the origin");
            assert_eq!(cells.touches(touched, other, 0.25), touched_by(other) == touched_by(center), "{center}, {other}");
            assert!(!cells.touches(touched, Vec3::NAN, 0.25));
        }
        assert!(Touched::new(touched_by(Vec3::splat(1e7))).is_none());
        assert!(Touched::new(touched_by(Vec3::NEG_INFINITY)).is_none());
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
