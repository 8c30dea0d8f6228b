//! Order of balls in rows: by blocks of space, so that contacts of blocks that are not neighbours share no ball.
//!
//! A contact belongs to the block of its lower row. Blocks are as wide as two of the largest
//! search diameters: the contacts of two blocks that are not neighbours share no ball. Blocks have eight colours, by the parity of
//! their coordinates; those of one colour are not neighbours and are solved at the same time, one colour after the other.
//!
//! A greedy colouring of the contacts themselves would need as many colours as the largest ball has contacts, some hundreds for radii
//! of 1 : 20, and would take contacts that share balls far apart in memory. Blocks need eight whatever the radii. Only a few balls
//! much larger than all others would make blocks too wide: these come first, and their contacts are solved by one task.

use glam::{IVec3, Vec3};
use sph_core::neighbors::CellOrder;
use std::ops::Range;

/// Number of colours of blocks, and one group before them for the large balls.
pub(super) const GROUPS: usize = 9;

/// Largest part of the surface of all balls that belongs to those that count as large.
const LARGE_PART: f64 = 0.05;

/// Order of the balls in rows.
#[derive(Debug, Default)]
pub(super) struct RowOrder {
    cells: CellOrder,
    /// Ball of each row.
    pub balls: Vec<u32>,
    /// Ranges of rows that are blocks, with their groups, which ascend.
    pub blocks: Vec<Block>,
}

/// Rows of the balls in a cube of space.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub group: usize,
    pub rows: Range<usize>,
}

impl RowOrder {
    /// Sorts balls at `points` with `radii` and radii of search `reaches` ≥ radii, all in m.
    pub fn sort(&mut self, points: &[Vec3], radii: &[f32], reaches: &[f32]) {
        let limit = usual_radius(radii);
        let is_large = |ball: u32| radii[ball as usize] > limit;
        let usual = reaches.iter().zip(radii).filter(|(_, radius)| **radius <= limit);
        let widest = usual.map(|(reach, _)| *reach).fold(0.0, f32::max);
        // Rounding of cells must not bring blocks nearer; any width will do if all radii are 0 or none is a number.
        let width = (4.001 * widest).clamp(f32::MIN_POSITIVE, f32::MAX);
        let Self { cells, balls, blocks } = self;
        let order = cells.sort(points, width);
        let cell_of = |ball: u32| CellOrder::cell_of(points[ball as usize], width);
        let mut found: Vec<Vec<&[u32]>> = vec![Vec::new(); GROUPS - 1];
        for block in order.chunk_by(|&a, &b| cell_of(a) == cell_of(b)) {
            let parity = cell_of(block[0]) & IVec3::ONE;
            found[(parity.x + 2 * parity.y + 4 * parity.z) as usize].push(block);
        }
        balls.clear();
        blocks.clear();
        balls.extend(order.iter().copied().filter(|&ball| is_large(ball)));
        blocks.push(Block { group: 0, rows: 0..balls.len() });
        for (colour, found) in found.into_iter().enumerate() {
            for block in found {
                let start = balls.len();
                balls.extend(block.iter().copied().filter(|&ball| !is_large(ball)));
                blocks.push(Block { group: colour + 1, rows: start..balls.len() });
            }
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.cells.memory() + self.balls.capacity() * size_of::<u32>() + self.blocks.capacity() * size_of::<Block>()
    }
}

/// Radius beyond which balls count as large: as small as possible, with little of the surface, and so of the contacts, beyond.
fn usual_radius(radii: &[f32]) -> f32 {
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let surface = |limit: f32| -> f64 {
        radii.iter().filter(|&&radius| radius > limit).map(|&radius| f64::from(radius) * f64::from(radius)).sum()
    };
    let most = LARGE_PART * surface(0.0);
    let halves = (1..6).map(|k| largest * 0.5f32.powi(k));
    halves.take_while(|&limit| surface(limit) <= most).last().unwrap_or(largest)
}
