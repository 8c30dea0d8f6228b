//! Occupancy: numbers of points per cell and per bucket, defined alike for every structure.

use glam::IVec3;

/// Number of bins in a histogram of bucket lengths: lengths 0 to 30, and one bin for all longer buckets.
pub const HISTOGRAM_BINS: usize = 32;

/// Occupancy of a structure.
///
/// Periodic images count as points. Cells and buckets are those in which points are *registered*: in the block map, and in the
/// bucket hash that registers points everywhere, a point counts in every cell that it covers, and once in each bucket of these
/// cells. The buckets of the uniform grid are the cells of its box; brute force has one cell in one bucket.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Occupancy {
    /// Number of buckets.
    pub table_size: usize,
    /// Number of cells in which a point is registered.
    pub occupied_cells: usize,
    /// Number of buckets that hold a point.
    pub occupied_buckets: usize,
    /// Number of occupied cells that share their bucket with another occupied cell.
    pub cells_in_collision: usize,
    /// Number of pairs of occupied cells in the same bucket: three cells in one bucket are three pairs.
    pub cell_pairs: u64,
    /// Number of points in the fullest bucket.
    pub longest_bucket: usize,
    /// Entry k: number of buckets with k points; last entry: with that many or more.
    pub bucket_histogram: [usize; HISTOGRAM_BINS],
    /// Entry k: number of occupied cells with k points, 0 for k = 0; last entry: with that many or more.
    pub points_per_cell: [usize; HISTOGRAM_BINS],
    /// Number of spills: points in the overflow list of a bucket, counted once per bucket; 0 unless buckets have a fixed
    /// capacity.
    pub spills: usize,
    /// Memory of the structure's contents, bytes.
    pub bytes: usize,
}

impl Occupancy {
    /// Adds a bucket of `length` ≥ 1 points, with its occupied cells and their numbers of points.
    pub(crate) fn add_bucket(&mut self, length: usize, cells: &[(IVec3, u32)]) {
        self.bucket_histogram[length.min(HISTOGRAM_BINS - 1)] += 1;
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

    /// Counts the buckets that were not added: those without points.
    pub(crate) fn add_empty_buckets(&mut self) {
        self.bucket_histogram[0] = self.table_size - self.occupied_buckets;
    }

    /// Joins the occupancies of two disjoint sets of buckets.
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

    /// Load factor: occupied cells / table size.
    pub fn load_factor(&self) -> f64 {
        self.occupied_cells as f64 / self.table_size.max(1) as f64
    }
}
