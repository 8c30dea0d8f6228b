//! Who is where, by name: what the incrementally updated structures remember from one update to the next.

use super::stencil::{self, CellBox, EMPTY};
use crate::memory::held;
use glam::Vec3;
use rayon::prelude::*;

/// Least points that a thread takes at once.
const GRAIN: usize = 4096;

/// The registered points by their stable names. Names are small: arrays are as long as the largest.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    /// Place in the caller's array, and in space (m): together, for queries want both.
    places: Vec<(u32, Vec3)>,
    /// The cells in which the name is registered; empty for names that are not.
    homes: Vec<CellBox>,
    /// The update in which the name was last called; 0 for a name that is not registered.
    called: Vec<u32>,
    update: u32,
    /// The registered names.
    present: Vec<u32>,
    moves: Vec<Move>,
    /// The cells of the points, in the caller's order.
    cells: Vec<CellBox>,
}

/// A name whose cells have changed. It appears from, and vanishes to, an empty box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub name: u32,
    pub from: CellBox,
    pub to: CellBox,
}

impl Roster {
    /// Takes over `points` (m) and their names, which belong into the cells that `home` says. [`Self::moves`] are then the names whose
    /// cells have changed, and the result is the box around all cells.
    ///
    /// What stays where it was costs one look at its old cells and is not hashed.
    pub fn call(&mut self, points: &[Vec3], names: &[u32], home: impl Fn(Vec3) -> CellBox + Sync) -> CellBox {
        let Self { places, homes, called, update, present, moves, cells } = self;
        points.par_iter().with_min_len(GRAIN).map(|&point| home(point)).collect_into_vec(cells);
        let length = names.iter().map(|&name| name as usize + 1).max().unwrap_or(0).max(called.len());
        places.resize(length, (0, Vec3::ZERO));
        homes.resize(length, EMPTY);
        called.resize(length, 0);
        // Every registered name was called in the update before, so that the numbers may start again from 1.
        *update = update.checked_add(1).unwrap_or(1);
        moves.clear();
        let mut stayed = 0;
        let mut bounds = EMPTY;
        for (index, ((&name, &point), &to)) in names.iter().zip(points).zip(&*cells).enumerate() {
            let slot = name as usize;
            stayed += usize::from(called[slot] != 0);
            called[slot] = *update;
            places[slot] = (index as u32, point);
            if homes[slot] != to {
                moves.push(Move { name, from: homes[slot], to });
                homes[slot] = to;
            }
            bounds = (bounds.0.min(to.0), bounds.1.max(to.1));
        }
        if stayed < present.len() {
            for &name in &*present {
                let slot = name as usize;
                if called[slot] == *update {
                    continue;
                }
                called[slot] = 0;
                moves.push(Move { name, from: std::mem::replace(&mut homes[slot], EMPTY), to: EMPTY });
            }
        }
        if stayed < present.len().max(names.len()) {
            present.clear();
            present.extend_from_slice(names);
        }
        bounds
    }

    /// The names whose cells the last call has changed.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Index and place of a registered name.
    #[inline]
    pub fn get(&self, name: u32) -> (u32, Vec3) {
        self.places[name as usize]
    }

    /// The cells in which each name is registered; empty for names that are not.
    pub fn homes(&self) -> &[CellBox] {
        &self.homes
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        self.homes.fill(EMPTY);
        self.called.fill(0);
        self.present.clear();
    }

    /// Bytes on the heap, room for more included.
    pub fn memory(&self) -> usize {
        let Self { places, homes, called, update: _, present, moves, cells } = self;
        held(places) + held(homes) + held(called) + held(present) + held(moves) + held(cells)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let Self { places, homes, called, present, cells, .. } = self;
        size_of_val(&**places)
            + size_of_val(&**homes)
            + size_of_val(&**called)
            + size_of_val(&**present)
            + size_of_val(&**cells)
    }
}

impl Move {
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
        let mut roster = Roster::default();
        let home = |point: Vec3| (point.as_ivec3(), point.as_ivec3());
        let cell = |x: i32| (IVec3::new(x, 0, 0), IVec3::new(x, 0, 0));
        let point = |x: f32| Vec3::new(x, 0.0, 0.0);
        let bounds = roster.call(&[point(1.5), point(4.0)], &[7, 2], home);
        assert_eq!(bounds, (IVec3::new(1, 0, 0), IVec3::new(4, 0, 0)));
        let appeared = [Move { name: 7, from: EMPTY, to: cell(1) }, Move { name: 2, from: EMPTY, to: cell(4) }];
        assert_eq!(roster.moves(), appeared);
        assert_eq!(roster.get(2), (1, point(4.0)));

        // In another order, and within their cells.
        roster.call(&[point(4.5), point(1.0)], &[2, 7], home);
        assert_eq!((roster.moves(), roster.get(7)), (&[][..], (1, point(1.0))));

        roster.call(&[point(5.0), point(0.0)], &[2, 0], home);
        let moves = [(2, cell(4), cell(5)), (0, EMPTY, cell(0)), (7, cell(1), EMPTY)];
        assert_eq!(roster.moves(), moves.map(|(name, from, to)| Move { name, from, to }));
        assert!(!roster.moves()[1].leaves() && !roster.moves()[2].arrives());

        assert_eq!(roster.call(&[], &[], home), EMPTY);
        assert_eq!(roster.moves().len(), 2);
        roster.call(&[point(5.0)], &[2], home);
        roster.clear();
        roster.call(&[point(5.0)], &[2], home);
        assert_eq!(roster.moves(), [Move { name: 2, from: EMPTY, to: cell(5) }]);
    }
}
