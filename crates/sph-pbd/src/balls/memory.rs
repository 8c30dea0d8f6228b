//! Forces of contacts that last, from step to step, in columns of the sets.
//!
//! A contact begins a substep with the impulse that it had in the last one. Without this memory each substep would let all balls fall by
//! g Δt², and one pass over the contacts would lift them by the overlaps that remain: under N layers of equal balls these are 2 N g Δt²,
//! and between balls of different sizes more by the ratio of their masses. With it they vanish as a pile comes to rest.

use glam::Vec3;
use sph_core::point_sets::{ColumnValues, PointSet, SolidId};
use std::hint::black_box;
use std::ops::Range;

/// Column of the partners of contacts: three numbers each, the id of the ball, the set of its partner and the id of the partner in it.
pub const CONTACTS: &str = "contacts";

/// Column of the forces of contacts, N: on the partner if it is a ball, on the ball if it is a solid.
pub const CONTACT_FORCES: &str = "contact forces";

/// Set that stands for the containers, whose indices are then the ids.
const CONTAINERS: u32 = u32::MAX;

/// Set that stands for the bodies.
const BODIES: u32 = u32::MAX - 1;

/// Impulses of contacts that last. Balls are numbered through all sets.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Contacts of balls, by the lower ball.
    pairs: Vec<KeptPair>,
    /// `starts[a]..starts[a + 1]` is the range of the contacts whose lower ball is a.
    starts: Vec<u32>,
    /// Contacts with solids, by ball.
    walls: Vec<KeptWall>,
}

/// Contact of two balls that lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeptPair {
    pub a: u32,
    /// Partner, b > a.
    pub b: u32,
    /// Impulse on b, N s.
    pub impulse: Vec3,
}

/// Contact of a ball with a solid that lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeptWall {
    pub ball: u32,
    pub solid: SolidId,
    /// Impulse on the ball, N s.
    pub impulse: Vec3,
}

impl KeptPair {
    /// The contact of balls `a` and `b`, in any order, with `impulse` on b.
    pub fn new(a: u32, b: u32, impulse: Vec3) -> Self {
        if a < b { Self { a, b, impulse } } else { Self { a: b, b: a, impulse: -impulse } }
    }
}

impl Memory {
    /// Replaces the contents by contacts among `count` balls; `walls` by ball.
    pub fn put(&mut self, count: usize, pairs: Vec<KeptPair>, walls: impl Iterator<Item = KeptWall>) {
        let Self { pairs: kept, starts, walls: kept_walls } = self;
        // Counting sort by the lower ball.
        starts.clear();
        starts.resize(count + 2, 0);
        pairs.iter().for_each(|pair| starts[pair.a as usize + 2] += 1);
        for ball in 2..starts.len() {
            starts[ball] += starts[ball - 1];
        }
        if pairs.is_sorted_by_key(|pair| pair.a) {
            // As they were written.
            starts.remove(0);
            *kept = pairs;
        } else {
            kept.clear();
            kept.resize(pairs.len(), KeptPair { a: 0, b: 0, impulse: Vec3::ZERO });
            for pair in &pairs {
                let place = &mut starts[pair.a as usize + 1];
                kept[*place as usize] = *pair;
                *place += 1;
            }
        }
        kept_walls.clear();
        kept_walls.extend(walls);
        kept_walls.sort_by_key(|wall| wall.ball);
    }

    /// Impulse on ball `b` of its contact with ball `a`, N s; zero if they did not touch.
    #[inline]
    pub fn pair(&self, a: usize, b: usize) -> Vec3 {
        let (low, high) = (a.min(b), a.max(b));
        let here = &self.pairs[self.starts[low] as usize..self.starts[low + 1] as usize];
        let impulse = here.iter().find(|pair| pair.b as usize == high).map_or(Vec3::ZERO, |pair| pair.impulse);
        if a < b { impulse } else { -impulse }
    }

    /// Reads the first contact of each of `balls`: the processor waits for many of them from memory at a time, but only for one if each is
    /// worked on before the next is read.
    pub fn glance(&self, balls: &[u32]) {
        let first = |ball: u32| self.pairs.get(self.starts[ball as usize] as usize).map_or(0, |pair| pair.b);
        black_box(balls.iter().fold(0, |all, &ball| all ^ first(ball)));
    }

    /// Contacts of a ball with solids.
    pub fn walls(&self, ball: usize) -> &[KeptWall] {
        let first = self.walls.partition_point(|wall| (wall.ball as usize) < ball);
        let length = self.walls[first..].iter().take_while(|wall| wall.ball as usize == ball).count();
        &self.walls[first..first + length]
    }

    /// Reads the columns of `sets`, whose balls have the numbers `ranges`, as impulses of a substep of `dt`, s.
    pub fn read(&mut self, sets: &[&PointSet], ranges: &[Range<usize>], dt: f32) {
        let number = |set: usize, id: u32| {
            let (set, range) = (sets.get(set)?, ranges.get(set)?);
            let guess = (set.ids.get(id as usize) == Some(&id)).then_some(id as usize);
            Some((range.start + guess.or_else(|| set.ids.binary_search(&id).ok())?) as u32)
        };
        let (mut pairs, mut walls) = (Vec::new(), Vec::new());
        for (own, set) in sets.iter().enumerate() {
            let (Some(ColumnValues::Integers(contacts)), Some(ColumnValues::Vectors(forces))) =
                (set.column(CONTACTS), set.column(CONTACT_FORCES))
            else {
                continue;
            };
            for (&[id, partner_set, partner], &force) in contacts.as_chunks::<3>().0.iter().zip(forces) {
                let Some(a) = number(own, id) else { continue };
                let impulse = force * dt;
                let solid = match partner_set {
                    CONTAINERS => SolidId::Container(partner as usize),
                    BODIES => SolidId::Body(partner as usize),
                    _ => {
                        let b = number(partner_set as usize, partner).filter(|b| *b != a);
                        pairs.extend(b.map(|b| KeptPair::new(a, b, impulse)));
                        continue;
                    }
                };
                walls.push(KeptWall { ball: a, solid, impulse });
            }
        }
        let count = ranges.last().map_or(0, |range| range.end);
        self.put(count, pairs, walls.into_iter());
    }

    /// Writes the columns of `set`, which is number `own`. The balls of all sets have the numbers `ranges` and these `ids` in their sets.
    /// Impulses were those of a substep of `dt`, s.
    pub fn write(&self, set: &mut PointSet, own: usize, ids: &[u32], ranges: &[Range<usize>], dt: f32) {
        let range = &ranges[own];
        let id = |ball: u32| ids[ball as usize];
        let pairs = &self.pairs[self.starts[range.start] as usize..self.starts[range.end] as usize];
        let walls = self.walls.iter().filter(|wall| range.contains(&(wall.ball as usize)));
        let mut contacts = Vec::with_capacity(3 * pairs.len());
        let mut forces = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let partner_set = ranges.partition_point(|range| range.end <= pair.b as usize);
            contacts.extend([id(pair.a), partner_set as u32, id(pair.b)]);
            forces.push(pair.impulse / dt);
        }
        for wall in walls {
            let (partner_set, partner) = match wall.solid {
                SolidId::Container(index) => (CONTAINERS, index),
                SolidId::Body(index) => (BODIES, index),
                // Balls meet no points as solids.
                SolidId::Point { .. } => continue,
            };
            contacts.extend([id(wall.ball), partner_set, partner as u32]);
            forces.push(wall.impulse / dt);
        }
        set.set_column(CONTACTS, "", ColumnValues::Integers(contacts));
        set.set_column(CONTACT_FORCES, "N", ColumnValues::Vectors(forces));
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.pairs.capacity() * size_of::<KeptPair>()
            + self.starts.capacity() * size_of::<u32>()
            + self.walls.capacity() * size_of::<KeptWall>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of two and three balls.
    fn sets() -> [PointSet; 2] {
        [vec![0, 1], vec![2, 5, 9]].map(|ids: Vec<u32>| PointSet {
            positions: vec![Vec3::ZERO; ids.len()],
            ids,
            ..PointSet::default()
        })
    }

    #[test]
    fn forces_are_read_as_they_were_written() {
        let mut sets = sets();
        let ranges = [0..2, 2..5];
        let pair = |a, b| KeptPair::new(a, b, Vec3::new(a as f32, b as f32, 1.0));
        let wall = |ball, solid| KeptWall { ball, solid, impulse: Vec3::splat(ball as f32 + 1.0) };
        let mut memory = Memory::default();
        let walls = [wall(4, SolidId::Body(1)), wall(1, SolidId::Container(0))];
        memory.put(5, vec![pair(3, 2), pair(0, 1), pair(4, 1)], walls.into_iter());
        let ids: Vec<u32> = sets.iter().flat_map(|set| set.ids.clone()).collect();
        sets.iter_mut().enumerate().for_each(|(own, set)| memory.write(set, own, &ids, &ranges, 0.5));
        assert_eq!(sets[1].column(CONTACTS), Some(&ColumnValues::Integers(vec![2, 1, 5, 9, BODIES, 1])));

        let mut read = Memory::default();
        read.read(&[&sets[0], &sets[1]], &ranges, 0.5);
        for (a, b) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            assert_eq!(read.pair(a, b), memory.pair(a, b));
            assert_eq!(read.pair(a, b), -read.pair(b, a));
        }
        assert_eq!(read.pair(2, 3), Vec3::new(-3.0, -2.0, -1.0));
        assert_eq!(read.walls(1), [wall(1, SolidId::Container(0))]);
        assert_eq!(read.walls(4), [wall(4, SolidId::Body(1))]);
        // A step of twice the length has twice the impulses.
        read.read(&[&sets[0], &sets[1]], &ranges, 1.0);
        assert_eq!(read.pair(0, 1), 2.0 * memory.pair(0, 1));
    }

    /// Whatever a file holds.
    #[test]
    fn contacts_of_balls_that_are_not_there_are_ignored() {
        let mut sets = sets();
        let contacts = vec![7, 0, 1, 0, 0, 0, 0, 1, 3, 0, 8, 0, 1, 1, 5, 4];
        sets[0].set_column(CONTACTS, "", ColumnValues::Integers(contacts));
        sets[0].set_column(CONTACT_FORCES, "N", ColumnValues::Vectors(vec![Vec3::ONE; 9]));
        let mut memory = Memory::default();
        memory.read(&[&sets[0], &sets[1]], &[0..2, 2..5], 1.0);
        assert_eq!(memory.pairs, [KeptPair { a: 1, b: 3, impulse: Vec3::ONE }]);
    }
}
