//! Many short lists in one array, each with room to grow, and moved when it is full.

use crate::report::held;
use std::ops::Range;

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
