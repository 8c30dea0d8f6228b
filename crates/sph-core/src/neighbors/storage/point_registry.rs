//! Registry of points by stable id, kept by incrementally updated structures from one update to the next.

use crate::neighbors::grid::{CellBox, EMPTY, stencil};
use crate::report::held;
use glam::Vec3;
use rayon::prelude::*;

/// Smallest number of points per parallel task.
const GRAIN: usize = 4096;

/// The registered points by stable id. Arrays are as long as the largest id, so ids should be small.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointRegistry {
    /// Index in the caller's array, and position (m): side by side, because queries need both.
    locations: Vec<(u32, Vec3)>,
    /// Cells in which each id is registered; empty for ids that are not registered.
    cells: Vec<CellBox>,
    /// Number of the last update that contained the id; 0 for ids that are not registered.
    last_updates: Vec<u32>,
    update: u32,
    /// The registered ids.
    registered: Vec<u32>,
    changes: Vec<CellChange>,
    /// Cells of the points, in the caller's order.
    new_cells: Vec<CellBox>,
}

/// A point whose cells have changed: `from` is empty if it is new, `to` if it was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellChange {
    pub id: u32,
    pub from: CellBox,
    pub to: CellBox,
}

impl PointRegistry {
    /// Registers `points` (m) and their ids in the cells `cell_of(point)`, replacing those registered before. [`Self::changes`]
    /// are then the points whose cells have changed. Returns the bounding box of all cells.
    ///
    /// A point that stays in its cells costs one comparison and is not hashed.
    pub fn update(&mut self, points: &[Vec3], ids: &[u32], cell_of: impl Fn(Vec3) -> CellBox + Sync) -> CellBox {
        let Self { locations, cells, last_updates, update, registered, changes, new_cells } = self;
        points.par_iter().with_min_len(GRAIN).map(|&point| cell_of(point)).collect_into_vec(new_cells);
        let length = ids.iter().map(|&id| id as usize + 1).max().unwrap_or(0).max(last_updates.len());
        locations.resize(length, (0, Vec3::ZERO));
        cells.resize(length, EMPTY);
        last_updates.resize(length, 0);
        // Every registered id was in the previous update, so that numbering may restart at 1 after an overflow.
        *update = update.checked_add(1).unwrap_or(1);
        changes.clear();
        let mut stayed = 0;
        let mut bounds = EMPTY;
        for (index, ((&id, &point), &to)) in ids.iter().zip(points).zip(&*new_cells).enumerate() {
            let slot = id as usize;
            stayed += usize::from(last_updates[slot] != 0);
            last_updates[slot] = *update;
            locations[slot] = (index as u32, point);
            if cells[slot] != to {
                changes.push(CellChange { id, from: cells[slot], to });
                cells[slot] = to;
            }
            bounds = (bounds.0.min(to.0), bounds.1.max(to.1));
        }
        if stayed < registered.len() {
            for &id in &*registered {
                let slot = id as usize;
                if last_updates[slot] == *update {
                    continue;
                }
                last_updates[slot] = 0;
                changes.push(CellChange { id, from: std::mem::replace(&mut cells[slot], EMPTY), to: EMPTY });
            }
        }
        if stayed < registered.len().max(ids.len()) {
            registered.clear();
            registered.extend_from_slice(ids);
        }
        bounds
    }

    /// Points whose cells the last update has changed.
    pub fn changes(&self) -> &[CellChange] {
        &self.changes
    }

    /// Index and position (m) of a registered id.
    #[inline]
    pub fn get(&self, id: u32) -> (u32, Vec3) {
        self.locations[id as usize]
    }

    /// Cells in which each id is registered; empty for ids that are not registered.
    pub fn cells(&self) -> &[CellBox] {
        &self.cells
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        self.cells.fill(EMPTY);
        self.last_updates.fill(0);
        self.registered.clear();
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        let Self { locations, cells, last_updates, update: _, registered, changes, new_cells } = self;
        held(locations) + held(cells) + held(last_updates) + held(registered) + held(changes) + held(new_cells)
    }

    /// Memory of the contents, bytes.
    pub fn bytes(&self) -> usize {
        let Self { locations, cells, last_updates, registered, new_cells, .. } = self;
        size_of_val(&**locations)
            + size_of_val(&**cells)
            + size_of_val(&**last_updates)
            + size_of_val(&**registered)
            + size_of_val(&**new_cells)
    }
}

impl CellChange {
    /// True if the point was registered before.
    pub fn leaves(self) -> bool {
        !stencil::is_empty(self.from)
    }

    /// True if the point is registered now.
    pub fn arrives(self) -> bool {
        !stencil::is_empty(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;

    #[test]
    fn reports_points_that_appear_move_and_vanish() {
        let mut registry = PointRegistry::default();
        let cell_of = |point: Vec3| (point.as_ivec3(), point.as_ivec3());
        let cell = |x: i32| (IVec3::new(x, 0, 0), IVec3::new(x, 0, 0));
        let point = |x: f32| Vec3::new(x, 0.0, 0.0);
        let bounds = registry.update(&[point(1.5), point(4.0)], &[7, 2], cell_of);
        assert_eq!(bounds, (IVec3::new(1, 0, 0), IVec3::new(4, 0, 0)));
        let appeared = [CellChange { id: 7, from: EMPTY, to: cell(1) }, CellChange { id: 2, from: EMPTY, to: cell(4) }];
        assert_eq!(registry.changes(), appeared);
        assert_eq!(registry.get(2), (1, point(4.0)));

        // In another order, and moved within their cells.
        registry.update(&[point(4.5), point(1.0)], &[2, 7], cell_of);
        assert_eq!((registry.changes(), registry.get(7)), (&[][..], (1, point(1.0))));

        registry.update(&[point(5.0), point(0.0)], &[2, 0], cell_of);
        let changes = [(2, cell(4), cell(5)), (0, EMPTY, cell(0)), (7, cell(1), EMPTY)];
        assert_eq!(registry.changes(), changes.map(|(id, from, to)| CellChange { id, from, to }));
        assert!(!registry.changes()[1].leaves() && !registry.changes()[2].arrives());

        assert_eq!(registry.update(&[], &[], cell_of), EMPTY);
        assert_eq!(registry.changes().len(), 2);
        registry.update(&[point(5.0)], &[2], cell_of);
        registry.clear();
        registry.update(&[point(5.0)], &[2], cell_of);
        assert_eq!(registry.changes(), [CellChange { id: 2, from: EMPTY, to: cell(5) }]);
    }
}
