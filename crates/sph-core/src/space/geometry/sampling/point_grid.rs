//! Grid of points, for those near a place.

use glam::{DVec3, IVec3};
use std::collections::HashMap;

/// Points by their cells. Unbounded, and filled point by point.
pub(crate) struct PointGrid {
    radius: f64,
    cells: HashMap<IVec3, Vec<(u32, DVec3)>>,
}

impl PointGrid {
    /// Empty grid for queries of at most `radius`, m.
    pub fn new(radius: f64) -> Self {
        Self { radius, cells: HashMap::new() }
    }

    /// Grid of `points`, m, which are called by their index.
    pub fn of(radius: f64, points: &[DVec3]) -> Self {
        let mut grid = Self::new(radius);
        points.iter().enumerate().for_each(|(index, &point)| grid.insert(index as u32, point));
        grid
    }

    pub fn insert(&mut self, index: u32, point: DVec3) {
        self.cells.entry(self.cell(point)).or_default().push((index, point));
    }

    /// Points closer than the radius to `at` (m), with their indices, in an order that depends on the points only.
    pub fn near(&self, at: DVec3) -> impl Iterator<Item = (u32, DVec3)> + '_ {
        let middle = self.cell(at);
        let around = (-1..=1).flat_map(|z| (-1..=1).flat_map(move |y| (-1..=1).map(move |x| IVec3::new(x, y, z))));
        let squared = self.radius * self.radius;
        around
            .filter_map(move |step| self.cells.get(&(middle + step)))
            .flatten()
            .copied()
            .filter(move |(_, point)| point.distance_squared(at) < squared)
    }

    fn cell(&self, point: DVec3) -> IVec3 {
        (point / self.radius).floor().as_ivec3()
    }
}
