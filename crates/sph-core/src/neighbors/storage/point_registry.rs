//! Who is where, by name: what the incrementally updated structures remember from one update to the next.

use crate::neighbors::grid::{CellBox, EMPTY, stencil};
use crate::report::held;
use glam::Vec3;
use rayon::prelude::*;

/// Least points that a thread takes at once.
const GRAIN: usize = 4096;

/// The registered points by their stable names. Names are small: arrays are as long as the largest.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointRegistry {
    /// Place in the caller's array, and in space (m): together, for queries want both.
    places: Vec<(u32, Vec3)>,
    /// The cells in which the name is registered; empty for names that are not.
    cells: Vec<CellBox>,
    /// The update in which the name was last called; 0 for a name that is not registered.
    last_updates: Vec<u32>,
    update: u32,
    /// The registered names.
    registered: Vec<u32>,
    changes: Vec<CellChange>,
    /// The cells of the points, in the caller's order.
    new_cells: Vec<CellBox>,
}

/// A name whose cells have changed. It appears from, and vanishes to, an empty box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellChange {
    pub id: u32,
    pub from: CellBox,
    pub to: CellBox,
}

impl PointRegistry {
    /// Takes over `points` (m) and their names, which belong into the cells that `cell_of` says. [`Self::changes`] are then the names whose
    /// cells have changed, and the result is the box around all cells.
    ///
    /// What stays where it was costs one look at its old cells and is not hashed.
    pub fn update(&mut self, points: &[Vec3], ids: &[u32], cell_of: impl Fn(Vec3) -> CellBox + Sync) -> CellBox {
        let Self { places, cells, last_updates, update, registered, changes, new_cells } = self;
        points.par_iter().with_min_len(GRAIN).map(|&point| cell_of(point)).collect_into_vec(new_cells);
        let length = ids.iter().map(|&id| id as usize + 1).max().unwrap_or(0).max(last_updates.len());
        places.resize(length, (0, Vec3::ZERO));
        cells.resize(length, EMPTY);
        last_updates.resize(length, 0);
        // Every registered name was called in the update before, so that the numbers may start again from 1.
        *update = update.checked_add(1).unwrap_or(1);
        changes.clear();
        let mut stayed = 0;
        let mut bounds = EMPTY;
        for (index, ((&id, &point), &to)) in ids.iter().zip(points).zip(&*new_cells).enumerate() {
            let slot = id as usize;
            stayed += usize::from(last_updates[slot] != 0);
            last_updates[slot] = *update;
            places[slot] = (index as u32, point);
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

    /// The names whose cells the last call has changed.
    pub fn changes(&self) -> &[CellChange] {
        &self.changes
    }

    /// Index and place of a registered name.
    #[inline]
    pub fn get(&self, id: u32) -> (u32, Vec3) {
        self.places[id as usize]
    }

    /// The cells in which each name is registered; empty for names that are not.
    pub fn cells(&self) -> &[CellBox] {
        &self.cells
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.cells.fill(EMPTY);
        self.last_updates.fill(0);
        self.registered.clear();
    }

    /// Bytes on the heap, room for more included.
    pub fn memory(&self) -> usize {
        let Self { places, cells, last_updates, update: _, registered, changes, new_cells } = self;
        held(places) + held(cells) + held(last_updates) + held(registered) + held(changes) + held(new_cells)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let Self { places, cells, last_updates, registered, new_cells, .. } = self;
        size_of_val(&**places)
            + size_of_val(&**cells)
            + size_of_val(&**last_updates)
            + size_of_val(&**registered)
            + size_of_val(&**new_cells)
    }
}

impl CellChange {
    /// Whether the name was registered before.
    pub fn leaves(self) -> bool {
        !stencil::is_empty(self.from)
    }

    /// Whether the name is registered now.
    pub fn arrives(self) -> bool {
        !stencil::is_empty(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::IVec3;

    #[test]
    fn tells_who_appears_moves_and_vanishes_and_only_that() {
        let mut registry = PointRegistry::default();
        let cell_of = |point: Vec3| (point.as_ivec3(), point.as_ivec3());
        let cell = |x: i32| (IVec3::new(x, 0, 0), IVec3::new(x, 0, 0));
        let point = |x: f32| Vec3::new(x, 0.0, 0.0);
        let bounds = registry.update(&[point(1.5), point(4.0)], &[7, 2], cell_of);
        assert_eq!(bounds, (IVec3::new(1, 0, 0), IVec3::new(4, 0, 0)));
        let appeared = [CellChange { id: 7, from: EMPTY, to: cell(1) }, CellChange { id: 2, from: EMPTY, to: cell(4) }];
        assert_eq!(registry.changes(), appeared);
        assert_eq!(registry.get(2), (1, point(4.0)));

        // In another order, and within their cells.
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
