//! The structures, one per file, and brute force, against which all are tested. All implement
//! [`NeighborSearch`](super::NeighborSearch).

mod block_map;
mod bucket_hash;
mod cell_hash;
mod moving_bucket_hash;
mod moving_cell_hash;
mod sorted_cells;
mod spatial_hash;
mod uniform_grid;

pub use block_map::BlockMap;
pub use bucket_hash::{BucketHash, BucketHashOptions};
pub use cell_hash::CellHash;
pub use moving_bucket_hash::MovingBucketHash;
pub use moving_cell_hash::MovingCellHash;
pub use sorted_cells::SortedCells;
pub use spatial_hash::SpatialHash;
pub use uniform_grid::{MAX_GRID_CELLS, UniformGrid};

use std::ops::Range;

use super::grid::{Cells, EMPTY, Stencil};
use super::statistics::{Census, Entry, FilledCells, Trace, TracedQuery};
use super::{Candidates, NeighborSearch, TooManyCells};
use crate::report::held;
use glam::{IVec3, Vec3};

// Brute force: all pairs, the reference that every other structure is tested against.

/// A list of points, all of them candidates of every query: O(n²) distance tests.
#[derive(Clone, Debug)]
pub struct BruteForce {
    radius: f32,
    indices: Vec<u32>,
    points: Vec<Vec3>,
}

impl BruteForce {
    /// An empty list, for neighbours within `radius`, m.
    pub fn new(radius: f32) -> Self {
        Self { radius, indices: Vec::new(), points: Vec::new() }
    }
}

impl NeighborSearch for BruteForce {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        self.indices.clear();
        self.indices.extend(0..points.len() as u32);
        self.points.clear();
        self.points.extend_from_slice(points);
        Ok(())
    }

    fn collect(&self, _center: Vec3, _radius: f32, cursor: &mut Stencil, found: &mut Candidates) {
        // All queries have the same candidates.
        if cursor.moves_to(EMPTY) {
            found.clear();
            found.extend(&self.indices, &self.points);
        }
    }

    /// One cell, all of space, in one bucket.
    fn census(
        &self,
        _needs_cells: bool,
    ) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync, impl Fn(Range<usize>) -> bool + Sync> {
        let bytes = size_of_val(&*self.indices) + size_of_val(&*self.points);
        let bucket = |_, cells: &mut FilledCells| {
            cells.extend(self.indices.first().map(|_| (IVec3::ZERO, self.indices.len() as u32)));
            self.indices.len()
        };
        let are_empty = |_: Range<usize>| self.indices.is_empty();
        Census { table_size: 1, cell_size: 0.0, bytes, spills: 0, bucket, are_empty }
    }

    fn memory(&self) -> usize {
        held(&self.indices) + held(&self.points)
    }

    fn trace(&self, query: TracedQuery<'_>) -> Trace {
        let everywhere = Cells::new(f32::INFINITY);
        query.follow(
            everywhere,
            (IVec3::ZERO, IVec3::ZERO),
            1,
            |_| 0,
            |_, _, visit| {
                self.indices.iter().copied().zip(self.points.iter().copied()).map(Entry::tested).for_each(visit);
            },
        )
    }
}
