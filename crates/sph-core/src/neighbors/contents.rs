//! What a structure holds, cell by cell and bucket by bucket.

use glam::IVec3;

/// A cell that holds points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OccupiedCell {
    /// Its coordinates.
    pub cell: IVec3,
    /// Where it is kept: a slot of the table; in the uniform grid, its place.
    pub bucket: u32,
    /// Points registered in it.
    pub points: u32,
    /// Occupied cells in its bucket, itself included.
    pub sharing: u32,
}

/// What a structure holds. Where points are registered in every cell that they reach, a point counts in each of these cells, and once in
/// each of their buckets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Side of a cell, m; 0 for a structure without cells, which has all points in the one cell (0, 0, 0).
    pub cell_size: f32,
    /// By bucket, and within one by coordinates z, y, x.
    pub cells: Vec<OccupiedCell>,
    /// Points in each bucket.
    pub bucket_lengths: Vec<u32>,
}
