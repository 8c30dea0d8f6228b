//! Registry of points by stable id, kept by incrementally updated structures from one update to the next, and the growing lists that
//! such structures keep points in.

use std::ops::Range;

use crate::neighbors::grid::{CellBox, EMPTY};
use crate::neighbors::stencil;
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

/// Lists of `u32`. A list is allocated room for `capacity` entries with its first entry; a full list moves to a room of twice
/// the size. Freed rooms are used again.
#[derive(Clone, Debug)]
pub(crate) struct GrowingLists {
    capacity: u32,
    lists: Vec<Room>,
    values: Vec<u32>,
    /// Starts of free rooms for `capacity << k` entries, by k.
    free: Vec<Vec<u32>>,
}

/// The part of the array that belongs to a list.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    start: u32,
    length: u32,
    /// Number of entries that fit; 0 before the first entry.
    capacity: u32,
}

impl GrowingLists {
    /// `count` empty lists, each with an initial capacity of `capacity` ≥ 1.
    pub fn new(count: usize, capacity: u32) -> Self {
        Self { capacity, lists: vec![Room::default(); count], values: Vec::new(), free: Vec::new() }
    }

    /// Adds an empty list; returns its number.
    pub fn add(&mut self) -> u32 {
        self.lists.push(Room::default());
        self.lists.len() as u32 - 1
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// The entries of a list.
    #[inline]
    pub fn of(&self, list: u32) -> &[u32] {
        let Room { start, length, .. } = self.lists[list as usize];
        &self.values[start as usize..(start + length) as usize]
    }

    /// True if none of these lists has an entry.
    pub fn are_empty(&self, lists: Range<usize>) -> bool {
        // Blocks without a branch, which vector instructions read.
        self.lists[lists].chunks(64).all(|block| block.iter().fold(0, |any, list| any | list.length) == 0)
    }

    /// Appends to a list; returns the position of the entry in it.
    pub fn push(&mut self, list: u32, value: u32) -> u32 {
        let room = self.lists[list as usize];
        let room = if room.length == room.capacity { self.outgrow(room) } else { room };
        self.values[(room.start + room.length) as usize] = value;
        self.lists[list as usize] = Room { length: room.length + 1, ..room };
        room.length
    }

    /// Removes the entry at `position` from a list. The last entry takes its position and is returned, unless it is the removed
    /// one.
    pub fn swap_remove(&mut self, list: u32, position: u32) -> Option<u32> {
        let room = &mut self.lists[list as usize];
        room.length -= 1;
        let last = self.values[(room.start + room.length) as usize];
        self.values[(room.start + position) as usize] = last;
        (position != room.length).then_some(last)
    }

    /// Memory of the contents, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.lists) + size_of_val(&*self.values)
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        let free = held(&self.free) + self.free.iter().map(held).sum::<usize>();
        held(&self.lists) + held(&self.values) + free
    }

    fn outgrow(&mut self, room: Room) -> Room {
        let capacity = (2 * room.capacity).max(self.capacity);
        let class = (capacity / self.capacity).ilog2() as usize;
        self.free.resize_with(self.free.len().max(class + 1), Vec::new);
        let start = self.free[class].pop().unwrap_or_else(|| {
            let end = self.values.len();
            self.values.resize(end + capacity as usize, 0);
            end as u32
        });
        let old = room.start as usize..(room.start + room.length) as usize;
        self.values.copy_within(old, start as usize);
        if room.capacity > 0 {
            self.free[class - 1].push(room.start);
        }
        Room { start, length: room.length, capacity }
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
        assert_eq!(registry.changes(), [CellChange { id: 2, from: EMPTY, to: cell(5) }]);
    }

    #[test]
    fn lists_grow_shrink_and_stay_apart() {
        let mut lists = GrowingLists::new(2, 2);
        for value in 0..5 {
            lists.push(0, value);
            lists.push(1, 10 + value);
        }
        assert_eq!(lists.of(0), [0, 1, 2, 3, 4]);
        assert_eq!(lists.of(1), [10, 11, 12, 13, 14]);
        assert_eq!(lists.swap_remove(0, 1), Some(4));
        assert_eq!(lists.swap_remove(0, 3), None);
        assert_eq!(lists.of(0), [0, 4, 2]);
        let added = lists.add();
        lists.push(added, 99);
        assert_eq!((lists.of(added), lists.of(1)), (&[99][..], &[10, 11, 12, 13, 14][..]));
        // The rooms that the first two lists left were used again: 2 × (2 + 4 + 8) entries would be 28.
        assert_eq!(lists.values.len(), 2 * (2 + 4 + 8));
    }
}
