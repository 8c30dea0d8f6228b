//! All pairs: the oracle that every other structure is tested against.

use crate::neighbors::grid::{Cells, EMPTY, Stencil};
use crate::neighbors::query::Candidates;
use crate::neighbors::statistics::{Census, Entry, FilledCells, Question, Trace};
use crate::neighbors::{NeighborSearch, TooManyCells};
use crate::report::held;
use glam::{IVec3, Vec3};

/// Every point is a candidate of every query: O(n²) in all, and nothing to go wrong.
#[derive(Clone, Debug)]
pub struct BruteForce {
    radius: f32,
    ids: Vec<u32>,
    points: Vec<Vec3>,
}

impl BruteForce {
    /// For neighbours within `radius`, m.
    pub fn new(radius: f32) -> Self {
        Self { radius, ids: Vec::new(), points: Vec::new() }
    }
}

impl NeighborSearch for BruteForce {
    fn radius(&self) -> f32 {
        self.radius
    }

    fn update(&mut self, points: &[Vec3], _ids: &[u32]) -> Result<(), TooManyCells> {
        self.ids.clear();
        self.ids.extend(0..points.len() as u32);
        self.points.clear();
        self.points.extend_from_slice(points);
        Ok(())
    }

    fn collect(&self, _center: Vec3, cursor: &mut Stencil, found: &mut Candidates) {
        // All queries go to the same place.
        if cursor.moves_to(EMPTY) {
            found.clear();
            found.extend(&self.ids, &self.points);
        }
    }

    /// One cell that is all of space, in one bucket.
    fn census(&self) -> Census<impl Fn(u32, &mut FilledCells) -> usize + Sync> {
        let bytes = size_of_val(&*self.ids) + size_of_val(&*self.points);
        let bucket = |_, cells: &mut FilledCells| {
            cells.extend(self.ids.first().map(|_| (IVec3::ZERO, self.ids.len() as u32)));
            self.ids.len()
        };
        Census { table_size: 1, cell_size: 0.0, bytes, spills: 0, bucket }
    }

    fn memory(&self) -> usize {
        held(&self.ids) + held(&self.points)
    }

    fn trace(&self, question: Question) -> Trace {
        let everywhere = Cells::new(f32::INFINITY);
        question.follow(
            (everywhere, self.radius),
            (IVec3::ZERO, IVec3::ZERO),
            1,
            |_| 0,
            |_, _, meet| {
                self.ids.iter().copied().zip(self.points.iter().copied()).map(Entry::tested).for_each(meet);
            },
        )
    }
}
