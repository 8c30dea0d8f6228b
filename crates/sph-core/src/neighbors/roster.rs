//! Who is where, by name: what the incrementally updated structures remember from one update to the next.

use glam::Vec3;

/// The registered points by their stable names. Names are small: arrays are as long as the largest.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    /// Place in the caller's array.
    index_of: Vec<u32>,
    /// m.
    points: Vec<Vec3>,
    /// The update in which the name was last called; 0 for a name that is not registered.
    called: Vec<u64>,
    update: u64,
    /// The registered names.
    present: Vec<u32>,
}

/// What an update means for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It was not there before.
    Appears,
    /// It was there, wherever.
    Stays,
    /// It is there no more.
    Vanishes,
}

impl Roster {
    /// Takes over `points` (m) and their names, and says of every name, old and new, what becomes of it.
    pub fn call(&mut self, points: &[Vec3], names: &[u32], mut tell: impl FnMut(u32, Fate)) {
        let length = names.iter().map(|&name| name as usize + 1).max().unwrap_or(0).max(self.called.len());
        self.index_of.resize(length, 0);
        self.points.resize(length, Vec3::ZERO);
        self.called.resize(length, 0);
        self.update += 1;
        for (index, (&name, &point)) in names.iter().zip(points).enumerate() {
            let slot = name as usize;
            let fate = if self.called[slot] == 0 { Fate::Appears } else { Fate::Stays };
            self.called[slot] = self.update;
            self.index_of[slot] = index as u32;
            self.points[slot] = point;
            tell(name, fate);
        }
        for &name in &self.present {
            if self.called[name as usize] != self.update {
                self.called[name as usize] = 0;
                tell(name, Fate::Vanishes);
            }
        }
        self.present.clear();
        self.present.extend_from_slice(names);
    }

    /// Index and place of a registered name.
    #[inline]
    pub fn get(&self, name: u32) -> (u32, Vec3) {
        (self.index_of[name as usize], self.points[name as usize])
    }

    /// Forgets everybody.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.index_of) + size_of_val(&*self.points) + size_of_val(&*self.called) + size_of_val(&*self.present)
    }
}
