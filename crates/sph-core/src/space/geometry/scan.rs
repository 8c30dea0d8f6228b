//! Points of a lattice that are near a surface or inside it.

use super::Solid;
use crate::passes::sweep;
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
    /// Its points whose signed distance from the surface of `solid` is in `wanted` (m), block by block.
    pub fn near(&self, solid: &Solid, wanted: &RangeInclusive<f64>) -> Vec<LatticePoint> {
        let blocks = (self.counts + BLOCK - 1) / BLOCK;
        let layer = (blocks.x * blocks.y) as usize;
        let mut found: Vec<Vec<LatticePoint>> = vec![Vec::new(); layer * blocks.z as usize];
        sweep::update(&mut found, |index, found| {
            let (z, row) = (index / layer, index % layer);
            let block = I64Vec3::new(row as i64 % blocks.x, row as i64 / blocks.x, z as i64);
            let (first, last) = (BLOCK * block, (BLOCK * (block + 1)).min(self.counts) - 1);
            let ends = [first, last].map(&self.position);
            let (middle, radius) = (0.5 * (ends[0] + ends[1]), 0.5 * ends[0].distance(ends[1]) + self.slant);
            // Distances differ by no more than places do.
            let distance = solid.nearest(middle).distance;
            if distance - radius > *wanted.end() || distance + radius < *wanted.start() {
                return;
            }
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
}
