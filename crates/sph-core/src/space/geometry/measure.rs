//! Volumes of solids and of layers at their surfaces, as sums over cells.

use std::ops::RangeInclusive;

use super::sampling::centred_cells;
use crate::parameters::Dimensions;
use crate::passes::sweep;
use glam::{DMat3, DVec3, I64Vec3};

/// Number of cells of a sum, about.
const CELLS: f64 = 250_000.0;

/// Volume integrals of a solid of density 1 (areas in two dimensions).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    /// Volume, m³ (m²).
    pub volume: f64,
    /// Centre of volume, m.
    pub center: DVec3,
    /// Moments of inertia about the centre, m⁵ (m⁴).
    pub inertia: DMat3,
}

impl Moments {
    /// Integrals of the solid in the box `bounds` (m) with the signed distance `distance`, m.
    pub fn new(bounds: [DVec3; 2], dimensions: Dimensions, distance: impl Fn(DVec3) -> f64 + Sync) -> Self {
        let cells = Cells::new(bounds, dimensions);
        let parts = cells.values([0.0, 0.0], distance, |distance| cells.volume() * cells.part_behind(-distance));
        let mut centers = Vec::new();
        sweep::map(parts.len(), &mut centers, |cell| cells.center(cell));
        let sum = |value: &(dyn Fn(DVec3) -> f64 + Sync)| sweep::sum(parts.len(), |cell| parts[cell] * value(centers[cell]));
        let volume = sum(&|_| 1.0);
        let center = DVec3::from_array([0, 1, 2].map(|axis| sum(&|at| at[axis]))) / volume.max(f64::MIN_POSITIVE);
        let second = |a: usize, b: usize| sum(&|at| (at - center)[a] * (at - center)[b]);
        let [xx, yy, zz, xy, xz, yz] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|(a, b)| second(a, b));
        let inertia = DMat3::from_cols_array_2d(&[[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]]);
        Self { volume, center, inertia }
    }
}

/// Volume (m³; m² in two dimensions) between the depths `from` and `to` (m) behind a surface in the box `bounds` (m), where
/// `depth` is the depth of a point, m.
pub(super) fn layer_volume(
    bounds: [DVec3; 2],
    dimensions: Dimensions,
    [from, to]: [f64; 2],
    depth: impl Fn(DVec3) -> f64 + Sync,
) -> f64 {
    let cells = Cells::new(bounds, dimensions);
    let part = |depth| cells.part_behind(depth - from) - cells.part_behind(depth - to);
    let parts = cells.values([from, to], depth, part);
    cells.volume() * sweep::sum(parts.len(), |cell| parts[cell])
}

/// Cubic cells over a box; one layer at z = 0 in two dimensions.
struct Cells {
    grid: Grid,
    dimensions: Dimensions,
}

impl Cells {
    fn new([min, max]: [DVec3; 2], dimensions: Dimensions) -> Self {
        let DVec3 { x, y, z } = max - min;
        // In a thin box the cells are larger than it is thick; they are many enough along the other axes, and not too many.
        let pitch = match dimensions {
            Dimensions::Two => (x * y / CELLS).sqrt().max(x.max(y) / CELLS),
            Dimensions::Three => {
                let (face, edge) = ((x * y).max(y * z).max(z * x), x.max(y).max(z));
                (x * y * z / CELLS).cbrt().max((face / CELLS).sqrt()).max(edge / CELLS)
            }
        };
        let pitch = pitch.max(f64::MIN_POSITIVE);
        let (counts, min) = centred_cells(min, max, pitch, dimensions);
        Self { grid: Grid { min, counts, pitch }, dimensions }
    }

    /// The value of each cell by the distance of its centre, m; it is constant half a cell below and above the distances `band`, m.
    fn values(
        &self,
        [from, to]: [f64; 2],
        distance: impl Fn(DVec3) -> f64 + Sync,
        value: impl Fn(f64) -> f64 + Sync,
    ) -> Vec<f64> {
        let half = 0.5 * self.grid.pitch;
        self.grid.values(&(from - half..=to + half), distance, value)
    }

    /// Volume of a cell, m³ (m²).
    fn volume(&self) -> f64 {
        self.grid.pitch.powi(self.dimensions.count() as i32)
    }

    fn center(&self, cell: usize) -> DVec3 {
        let (cell, counts) = (cell as i64, self.grid.counts);
        self.grid.center(I64Vec3::new(cell % counts.x, cell / counts.x % counts.y, cell / (counts.x * counts.y)))
    }

    /// Part of a cell behind a surface, whose centre is `depth` (m) behind it: exact for a plane normal to an axis.
    fn part_behind(&self, depth: f64) -> f64 {
        (0.5 + depth / self.grid.pitch).clamp(0.0, 1.0)
    }
}

// Values of the cells of a grid that depend on the distance from a surface, and only near it: far from it whole boxes of cells are
// decided by one distance.

/// Cells along the side of a block, which one task computes.
const BLOCK: i64 = 8;

/// Part of a box's size by which it is taken for larger, as its corners and distances are rounded.
const ROUNDING: f64 = 1e-9;

/// A grid of `counts` cubic cells of size `pitch` (m) along each axis from the corner `min` (m).
struct Grid {
    pub min: DVec3,
    pub counts: I64Vec3,
    pub pitch: f64,
}

impl Grid {
    /// Centre of a cell, m.
    pub fn center(&self, cell: I64Vec3) -> DVec3 {
        self.min + self.pitch * (cell.as_dvec3() + 0.5)
    }

    /// The value of every cell, row by row. `distance` (m) is that of its centre; it differs between two places by no more than they
    /// are apart. Below and above the distances of `band` (m) the value is constant.
    pub fn values(
        &self,
        band: &RangeInclusive<f64>,
        distance: impl Fn(DVec3) -> f64 + Sync,
        value: impl Fn(f64) -> f64 + Sync,
    ) -> Vec<f64> {
        let blocks = (self.counts + BLOCK - 1) / BLOCK;
        let mut parts: Vec<Vec<Uniform>> = vec![Vec::new(); blocks.element_product() as usize];
        let corner = |block: usize| {
            let (block, row) = (block as i64, blocks.x);
            BLOCK * I64Vec3::new(block % row, block / row % blocks.y, block / (row * blocks.y))
        };
        sweep::update(&mut parts, |block, parts| {
            let first = corner(block);
            self.divide(first, (first + BLOCK).min(self.counts) - 1, band, &distance, parts);
        });
        let mut values = vec![0.0; self.counts.element_product() as usize];
        for Uniform { first, last, distance } in parts.into_iter().flatten() {
            let value = value(distance);
            for z in first.z..=last.z {
                for y in first.y..=last.y {
                    let row = (z * self.counts.y + y) * self.counts.x;
                    values[(row + first.x) as usize..=(row + last.x) as usize].fill(value);
                }
            }
        }
        values
    }

    /// Divides the box of cells from `first` to `last` into single cells and boxes beyond the band.
    fn divide(
        &self,
        first: I64Vec3,
        last: I64Vec3,
        band: &RangeInclusive<f64>,
        distance: &(impl Fn(DVec3) -> f64 + Sync),
        parts: &mut Vec<Uniform>,
    ) {
        let [low, high] = [first, last].map(|cell| self.center(cell));
        let at_middle = distance(0.5 * (low + high));
        let reach = (0.5 + ROUNDING) * low.distance(high);
        let is_beyond = at_middle + reach < *band.start() || at_middle - reach > *band.end();
        if first == last || is_beyond {
            return parts.push(Uniform { first, last, distance: at_middle });
        }
        let extent = last - first;
        let axis = (0..3).max_by_key(|&axis| extent[axis]).unwrap_or(0);
        let (mut below, mut above) = (last, first);
        below[axis] = first[axis] + extent[axis] / 2;
        above[axis] = below[axis] + 1;
        self.divide(first, below, band, distance, parts);
        self.divide(above, last, band, distance, parts);
    }
}

/// A box of cells, from the first to the last, with one value: that of a distance, m.
#[derive(Clone, Copy)]
struct Uniform {
    first: I64Vec3,
    last: I64Vec3,
    distance: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_and_long_boxes_have_few_cells() {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            for size in
                [DVec3::ONE, DVec3::new(1.0, 1.0, 1e-6), DVec3::new(1e19, 2.0, 2.0), DVec3::new(1.0, 0.0, 0.0), DVec3::ZERO]
            {
                let cells = Cells::new([DVec3::ZERO, size], dimensions).grid.counts.element_product();
                assert!((1..=8 * CELLS as i64).contains(&cells), "{size}: {cells}");
            }
        }
    }

    #[test]
    fn values_are_those_of_every_single_cell() {
        let (counts, pitch) = (I64Vec3::new(30, 9, 17), 0.1);
        let grid = Grid { min: DVec3::new(-1.5, -0.4, -0.9), counts, pitch };
        let distance = |at: DVec3| (at - DVec3::new(0.0, 0.1, -0.2)).length() - 0.7;
        let value = |distance: f64| (0.5 - distance / pitch).clamp(0.0, 1.0);
        let values = grid.values(&(-0.5 * pitch..=0.5 * pitch), distance, value);
        let row = |z, y| (0..counts.x).map(move |x| I64Vec3::new(x, y, z));
        let cells = (0..counts.z).flat_map(|z| (0..counts.y).flat_map(move |y| row(z, y)));
        for (cell, found) in cells.zip(values) {
            assert_eq!(found, value(distance(grid.center(cell))));
        }
    }
}
