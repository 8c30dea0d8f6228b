//! Contents of a structure: the occupied cells, and the lengths of the buckets.

use crate::neighbors::grid::Cells;
use glam::{IVec3, Vec3};

/// A cell that holds points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OccupiedCell {
    /// Coordinates of the cell.
    pub cell: IVec3,
    /// Bucket of the cell: slot of the table; in the uniform grid, index of the cell.
    pub bucket: u32,
    /// Number of points registered in the cell.
    pub points: u32,
    /// Number of occupied cells in the bucket, this one included.
    pub sharing: u32,
}

/// Contents of a structure. A point that is registered in several cells counts once in each of these cells, and once in each of
/// their buckets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Side of a cell, m; 0 for a structure without cells, whose points are all in the one cell (0, 0, 0).
    pub cell_size: f32,
    /// The occupied cells, sorted by bucket and then by coordinates z, y, x.
    pub cells: Vec<OccupiedCell>,
    /// Number of points in each bucket.
    pub bucket_lengths: Vec<u32>,
}

impl Contents {
    /// The cell that contains `point`, m, with the rounding of the structure itself; (0, 0, 0) without cells.
    pub fn cell_of(&self, point: Vec3) -> IVec3 {
        if self.cell_size > 0.0 { Cells::new(self.cell_size).of(point) } else { IVec3::ZERO }
    }

    /// The occupied cells of a bucket.
    pub fn cells_of(&self, bucket: u32) -> &[OccupiedCell] {
        let start = self.cells.partition_point(|cell| cell.bucket < bucket);
        let length = self.cells[start..].partition_point(|cell| cell.bucket == bucket);
        &self.cells[start..start + length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_a_bucket_are_found() {
        let cell = |x: i32, bucket| OccupiedCell { cell: IVec3::new(x, 0, 0), bucket, points: 1, sharing: 1 };
        let contents = Contents { cell_size: 1.0, cells: vec![cell(0, 1), cell(1, 1), cell(2, 4)], bucket_lengths: vec![0; 6] };
        let cells = |bucket| contents.cells_of(bucket).iter().map(|cell| cell.cell.x).collect::<Vec<_>>();
        assert_eq!([0, 1, 3, 4, 5].map(cells), [vec![], vec![0, 1], vec![], vec![2], vec![]]);
    }
}
