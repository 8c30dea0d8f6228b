//! Vertices that have moved farther than the search of all allowed for, searched again alone.

use super::block_pairs::BlockPairs;
use super::reach::Surroundings;
use glam::{Vec3, Vec4};
use sph_core::neighbors::{NeighborLists, Pairing, Search};

/// Part of the vertices, one in so many, that may stray before all are searched again.
const PART: usize = 16;

/// Largest number of strays: each is compared with all others.
const MOST: usize = 512;

/// Vertices that were searched again since the search of all.
#[derive(Clone, Debug, Default)]
pub(super) struct Strays {
    /// The vertices, ascending.
    vertices: Vec<u32>,
    /// Their positions when they were last searched, m, as if the common motion had ended with the search of all; last allowances, m.
    reaches: Vec<Vec4>,
    lists: NeighborLists,
    /// Memory of a search.
    centers: Vec<Vec3>,
}

/// What the last search of all has found.
pub(super) struct Known<'a> {
    /// Vertices in the order of the search.
    pub order: &'a [u32],
    /// Place of each vertex in that order.
    pub places: &'a [u32],
    /// Positions in that order, m, and last allowances, m.
    pub reaches: &'a [Vec4],
}

impl Strays {
    /// Forgets all: every vertex has been searched.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.reaches.clear();
    }

    /// True if there is room for `more`, some of which may be strays already, among `count` vertices.
    pub fn have_room_for(&self, more: &[usize], count: usize) -> bool {
        let is_new = |&&vertex: &&usize| self.vertices.binary_search(&(vertex as u32)).is_err();
        self.vertices.len() + more.iter().filter(is_new).count() <= (count / PART).min(MOST)
    }

    /// Adds a vertex, or replaces what is known of it.
    pub fn insert(&mut self, vertex: u32, reach: Vec4) {
        match self.vertices.binary_search(&vertex) {
            Ok(number) => self.reaches[number] = reach,
            Err(number) => {
                self.vertices.insert(number, vertex);
                self.reaches.insert(number, reach);
            }
        }
    }

    /// Position at the last search and allowance of a vertex, m, if it has strayed.
    #[cfg(test)]
    pub fn reach(&self, vertex: u32) -> Option<Vec4> {
        self.vertices.binary_search(&vertex).ok().map(|number| self.reaches[number])
    }

    /// Finds the pairs with strays that are not `known`, and puts them into the `pairs` of the block of their first vertex.
    pub fn search(&mut self, search: &Search, known: &Known<'_>, around: &Surroundings<'_>, pairs: &mut [BlockPairs]) {
        let Self { vertices, reaches, lists, centers } = self;
        centers.clear();
        centers.extend(reaches.iter().map(|reach| reach.truncate()));
        search.fill(lists, centers, Pairing::Across);
        let mut add = |a: u32, b: u32, [of_a, of_b]: [Vec4; 2]| {
            let (pair, reaches) = if a > b { ([a, b], [of_a, of_b]) } else { ([b, a], [of_b, of_a]) };
            let pair = pair.map(|vertex| vertex as usize);
            let before = pair.map(|vertex| known.reaches[known.places[vertex] as usize]);
            let is_known = || around.are_near(before[0], before[1]) && around.pair(pair, before).is_some();
            if around.are_near(of_a, of_b)
                && let Some(found) = around.pair(pair, reaches)
                && !is_known()
            {
                pairs[around.blocks.place(pair[0]).0 as usize].found.push(found);
            }
        };
        for (number, (&vertex, &reach)) in vertices.iter().zip(&*reaches).enumerate() {
            for &place in lists.of(number) {
                let other = known.order[place as usize];
                // The place of a stray in the table is an old one.
                if vertices.binary_search(&other).is_err() {
                    add(vertex, other, [reach, known.reaches[place as usize]]);
                }
            }
            for (&other, &of_other) in vertices[..number].iter().zip(&*reaches) {
                add(vertex, other, [reach, of_other]);
            }
        }
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<u32>()
            + self.reaches.capacity() * size_of::<Vec4>()
            + self.centers.capacity() * size_of::<Vec3>()
            + self.lists.memory()
    }
}
