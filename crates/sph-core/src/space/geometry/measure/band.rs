//! Values of the cells of a grid that depend on the distance from a surface, and only near it: far from it whole boxes of cells are
//! decided by one distance.

use crate::passes::sweep;
use glam::{DVec3, I64Vec3};
use std::ops::RangeInclusive;

/// Cells along the side of a block, which one task computes.
const BLOCK: i64 = 8;

/// Part of a box's size by which it is taken for larger, as its corners and distances are rounded.
const ROUNDING: f64 = 1e-9;

/// A grid of `counts` cubic cells of size `pitch` (m) along each axis from the corner `min` (m).
pub(super) struct Grid {
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
