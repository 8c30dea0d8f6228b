//! Points of a lattice that are near a surface or inside it.

use crate::passes::sweep;
use crate::space::geometry::Solid;
use glam::{DVec3, I64Vec3};
use std::ops::RangeInclusive;

/// Lattice points along the side of a block that is looked at or skipped as a whole.
const BLOCK: i64 = 8;

/// Point of a lattice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticePoint {
    pub index: I64Vec3,
    /// Position, m.
    pub position: DVec3,
    /// Signed distance from the surface, m.
    pub distance: f64,
}

/// A lattice over a box: `counts` points along each axis, where `position` (m) is that of each index, at most `slant` (m) from
/// where a lattice of equal steps would have it.
pub(crate) struct Lattice<P> {
    pub counts: I64Vec3,
    pub position: P,
    pub slant: f64,
}

impl<P: Fn(I64Vec3) -> DVec3 + Sync> Lattice<P> {
    /// Its points whose signed distance from the surface of `solid` is in `wanted` (m), block by block; time and memory grow with their
    /// number.
    pub fn near(&self, solid: &Solid, wanted: &RangeInclusive<f64>) -> Vec<LatticePoint> {
        let blocks = (self.counts + BLOCK - 1) / BLOCK;
        let mut near = Vec::new();
        self.divide((I64Vec3::ZERO, blocks - 1), solid, wanted, &mut near);
        near.sort_unstable_by_key(|block| (block.z, block.y, block.x));
        let mut found: Vec<Vec<LatticePoint>> = vec![Vec::new(); near.len()];
        sweep::update(&mut found, |index, found| {
            let [first, last] = self.points_of(near[index], near[index]);
            for z in first.z..=last.z {
                for y in first.y..=last.y {
                    for x in first.x..=last.x {
                        let index = I64Vec3::new(x, y, z);
                        let position = (self.position)(index);
                        let distance = solid.nearest(position).distance;
                        if wanted.contains(&distance) {
                            found.push(LatticePoint { index, position, distance });
                        }
                    }
                }
            }
        });
        found.concat()
    }

    /// Divides the box of blocks from `first` to `last` into single blocks, and adds those to `near` that may have a distance in `wanted`
    /// (m): not all blocks, of which there are too many if two small parts are far apart.
    fn divide(&self, (first, last): (I64Vec3, I64Vec3), solid: &Solid, wanted: &RangeInclusive<f64>, near: &mut Vec<I64Vec3>) {
        let ends = self.points_of(first, last).map(&self.position);
        let (middle, radius) = (0.5 * (ends[0] + ends[1]), 0.5 * ends[0].distance(ends[1]) + self.slant);
        // Distances differ by no more than places do.
        let distance = solid.nearest(middle).distance;
        if distance - radius > *wanted.end() || distance + radius < *wanted.start() {
            return;
        }
        if first == last {
            return near.push(first);
        }
        let extent = last - first;
        let axis = (0..3).max_by_key(|&axis| extent[axis]).unwrap_or(0);
        let (mut below, mut above) = (last, first);
        below[axis] = first[axis] + extent[axis] / 2;
        above[axis] = below[axis] + 1;
        self.divide((first, below), solid, wanted, near);
        self.divide((above, last), solid, wanted, near);
    }

    /// The first and the last point of the blocks from `first` to `last`.
    fn points_of(&self, first: I64Vec3, last: I64Vec3) -> [I64Vec3; 2] {
        [BLOCK * first, (BLOCK * (last + 1)).min(self.counts) - 1]
    }
}
