//! What a structure holds, cell by cell and bucket by bucket.

use crate::neighbors::grid::Cells;
use glam::{IVec3, Vec3};

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

impl Contents {
    /// The cell in which `point`, m, lies, as the structure itself computes it; (0, 0, 0) without cells.
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
    fn a_bucket_has_its_cells() {
        let cell = |x: i32, bucket| OccupiedCell { cell: IVec3::new(x, 0, 0), bucket, points: 1, sharing: 1 };
        let contents = Contents { cell_size: 1.0, cells: vec![cell(0, 1), cell(1, 1), cell(2, 4)], bucket_lengths: vec![0; 6] };
        let cells = |bucket| contents.cells_of(bucket).iter().map(|cell| cell.cell.x).collect::<Vec<_>>();
        assert_eq!([0, 1, 3, 4, 5].map(cells), [vec![], vec![0, 1], vec![], vec![2], vec![]]);
    }
}
