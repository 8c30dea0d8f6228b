//! What a structure holds and what its queries cost, with one meaning for every structure.

use super::{GridParameters, Tally};
use glam::IVec3;

/// Entries of a histogram of bucket lengths: lengths 0 to 30, and in the last all that are longer.
pub const HISTOGRAM_BINS: usize = 32;

/// How points fill a structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Occupancy {
    /// Number of buckets.
    pub table_size: usize,
    /// Cells that hold a point.
    pub occupied_cells: usize,
    /// Buckets that hold a point.
    pub occupied_buckets: usize,
    /// Occupied cells that share their bucket with another.
    pub cells_in_collision: usize,
    /// Points in the fullest bucket.
    pub longest_bucket: usize,
    /// Entry k: buckets with k points; the last entry: with that many or more.
    pub bucket_histogram: [usize; HISTOGRAM_BINS],
    /// Points that did not fit into their buckets and were put into overflow lists; 0 where buckets have no fixed capacity.
    pub spills: usize,
    /// Bytes that the structure holds.
    pub bytes: usize,
}

impl Occupancy {
    /// Adds a bucket that holds `length` points, and its occupied cells with the points of each.
    pub(super) fn add_bucket(&mut self, length: usize, cells: &[(IVec3, u32)]) {
        self.bucket_histogram[length.min(HISTOGRAM_BINS - 1)] += 1;
        if length == 0 {
            return;
        }
        self.occupied_buckets += 1;
        self.occupied_cells += cells.len();
        if cells.len() > 1 {
            self.cells_in_collision += cells.len();
        }
        self.longest_bucket = self.longest_bucket.max(length);
    }

    /// What two parts of the buckets hold together.
    pub(super) fn merge(mut self, other: Self) -> Self {
        self.occupied_cells += other.occupied_cells;
        self.occupied_buckets += other.occupied_buckets;
        self.cells_in_collision += other.cells_in_collision;
        self.longest_bucket = self.longest_bucket.max(other.longest_bucket);
        for (sum, count) in self.bucket_histogram.iter_mut().zip(other.bucket_histogram) {
            *sum += count;
        }
        self
    }

    /// Occupied cells / table size.
    pub fn load_factor(&self) -> f64 {
        self.occupied_cells as f64 / self.table_size.max(1) as f64
    }
}

/// A bounded structure met a domain that it cannot cover.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the uniform grid would need {needed} cells to cover {:.3} × {:.3} × {:.3} m, and {limit} are possible: \
     choose a larger cell spacing, or a structure that is not bounded",
    extent.x, extent.y, extent.z
)]
pub struct TooManyCells {
    /// Cells that the domain would need; saturates.
    pub needed: u64,
    /// The most possible.
    pub limit: u64,
    /// Size of the domain, m.
    pub extent: glam::Vec3,
}

/// What the neighbour search of the fluid particles did in one step. Boundary particles are searched apart and not counted.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchStats {
    /// The parameters in force during the step.
    pub parameters: GridParameters,
    /// How the particles filled the structure.
    pub occupancy: Occupancy,
    /// Distances tested, and neighbours found.
    pub tally: Tally,
}

impl SearchStats {
    /// Distances tested for each neighbour found; 0 when there was none.
    pub fn candidates_per_neighbor(&self) -> f64 {
        let Tally { candidates, neighbors } = self.tally;
        if neighbors == 0 { 0.0 } else { candidates as f64 / neighbors as f64 }
    }
}
