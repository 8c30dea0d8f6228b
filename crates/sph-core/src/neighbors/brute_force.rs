//! All pairs: the oracle that every other structure is tested against.

use super::{Candidates, NeighborSearch, Occupancy};
use glam::Vec3;
use std::ops::Range;

/// Every point is a candidate of every query: O(n²) in all, and nothing to go wrong.
#[derive(Debug, Default)]
pub struct BruteForce {
    ids: Vec<u32>,
    points: Vec<Vec3>,
}

impl NeighborSearch for BruteForce {
    type Cursor = [Range<u32>; 1];

    fn rebuild(&mut self, points: &[Vec3]) {
        self.ids.clear();
        self.ids.extend(0..points.len() as u32);
        self.points.clear();
        self.points.extend_from_slice(points);
    }

    fn candidates<'a>(&'a self, _center: Vec3, _radius: f32, cursor: &'a mut Self::Cursor) -> Candidates<'a> {
        let all = 0..self.ids.len() as u32;
        let changed = cursor[0] != all;
        cursor[0] = all;
        Candidates { ids: &self.ids, points: &self.points, ranges: cursor, changed }
    }

    /// One cell that is all of space, in one bucket.
    fn occupancy(&self) -> Occupancy {
        let cells = vec![glam::IVec3::ZERO; self.ids.len()];
        let bytes = size_of_val(&*self.ids) + size_of_val(&*self.points);
        Occupancy::of_buckets(1, bytes, |_| (&self.ids, &cells))
    }
}
