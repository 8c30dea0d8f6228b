//! How points fill a structure, with one meaning for every structure.

use glam::IVec3;

/// Entries of a histogram of bucket lengths: lengths 0 to 30, and in the last all that are longer.
pub const HISTOGRAM_BINS: usize = 32;

/// How points fill a structure.
///
/// In a periodic domain the images beyond its faces are points as well. Cells and buckets are those in which points are *registered*: in the block map, and in the bucket hash where points are registered
/// everywhere, a point counts in every cell that it covers, and once in each bucket of these cells. The uniform grid has the cells of
/// its box for buckets; brute force has one cell in one bucket.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Occupancy {
    /// Number of buckets.
    pub table_size: usize,
    /// Cells in which a point is registered.
    pub occupied_cells: usize,
    /// Buckets that hold a point.
    pub occupied_buckets: usize,
    /// Occupied cells that share their bucket with another.
    pub cells_in_collision: usize,
    /// Pairs of occupied cells that share a bucket: three cells in one are three pairs.
    pub cell_pairs: u64,
    /// Points in the fullest bucket.
    pub longest_bucket: usize,
    /// Entry k: buckets with k points; the last entry: with that many or more.
    pub bucket_histogram: [usize; HISTOGRAM_BINS],
    /// Entry k: occupied cells with k points, 0 for none; the last entry: with that many or more.
    pub points_per_cell: [usize; HISTOGRAM_BINS],
    /// Points that did not fit into their buckets and were put into overflow lists, for each bucket that they did not fit into; 0 where
    /// buckets have no fixed capacity.
    pub spills: usize,
    /// Bytes that the structure holds.
    pub bytes: usize,
}

impl Occupancy {
    /// Adds a bucket that holds `length` points, and its occupied cells with the points of each.
    pub(crate) fn add_bucket(&mut self, length: usize, cells: &[(IVec3, u32)]) {
        self.bucket_histogram[length.min(HISTOGRAM_BINS - 1)] += 1;
        if length == 0 {
            return;
        }
        self.occupied_buckets += 1;
        self.occupied_cells += cells.len();
        if cells.len() > 1 {
            self.cells_in_collision += cells.len();
            self.cell_pairs += (cells.len() * (cells.len() - 1) / 2) as u64;
        }
        for &(_, points) in cells {
            self.points_per_cell[(points as usize).min(HISTOGRAM_BINS - 1)] += 1;
        }
        self.longest_bucket = self.longest_bucket.max(length);
    }

    /// What two parts of the buckets hold together.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.occupied_cells += other.occupied_cells;
        self.occupied_buckets += other.occupied_buckets;
        self.cells_in_collision += other.cells_in_collision;
        self.longest_bucket = self.longest_bucket.max(other.longest_bucket);
        self.cell_pairs += other.cell_pairs;
        for (sums, counts) in
            [(&mut self.bucket_histogram, other.bucket_histogram), (&mut self.points_per_cell, other.points_per_cell)]
        {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self
    }

    /// Occupied cells / table size.
    pub fn load_factor(&self) -> f64 {
        self.occupied_cells as f64 / self.table_size.max(1) as f64
    }
}
