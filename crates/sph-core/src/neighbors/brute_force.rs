//! All pairs: the oracle that every other structure is tested against.

use super::{Candidates, NeighborSearch, Occupancy, TooManyCells};
use glam::{IVec3, Vec3};

/// Every point is a candidate of every query: O(n²) in all, and nothing to go wrong.
#[derive(Debug)]
pub struct BruteForce {
    radius: f32,
    ids: Vec<u32>,
    points: Vec<Vec3>,
}

/// Whether a query has been answered.
#[derive(Debug, Default)]
pub struct Collected(bool);

impl BruteForce {
    /// For neighbours within `radius`, m.
    pub fn new(radius: f32) -> Self {
        Self { radius, ids: Vec::new(), points: Vec::new() }
    }
}

impl NeighborSearch for BruteForce {
    type Cursor = Collected;

    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _names: &[u32]) -> Result<(), TooManyCells> {
        self.ids.clear();
        self.ids.extend(0..points.len() as u32);
        self.points.clear();
        self.points.extend_from_slice(points);
        Ok(())
    }

    fn collect(&self, _center: Vec3, cursor: &mut Collected, found: &mut Candidates) {
        if !std::mem::replace(&mut cursor.0, true) {
            found.clear();
            found.extend(&self.ids, &self.points);
        }
    }

    /// One cell that is all of space, in one bucket.
    fn occupancy(&self) -> Occupancy {
        let bytes = size_of_val(&*self.ids) + size_of_val(&*self.points);
        Occupancy::of_buckets(1, bytes, |_, cells| {
            cells.extend(self.ids.first().map(|_| IVec3::ZERO));
            self.ids.len()
        })
    }
}
