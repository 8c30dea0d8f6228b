//! Gauss–Seidel in parallel: each constraint sees what those before it have moved, in an order that threads do not change.
//!
//! Vertices are cut into *blocks* of successive ones. Constraints form *groups*: those within a block, and those between the same two blocks.
//! Groups without a common block are independent; they form a *phase* and are solved side by side, each with its blocks to itself. So nothing is
//! locked, vertices of a group stay in the cache, and the order is a property of the mesh (of the pairs, for contacts).

use super::vertices::{PARALLEL_FROM, Vertex};
use rayon::prelude::*;
use std::ops::Range;

/// Largest number of vertices in a block.
pub(super) const BLOCK: usize = 512;

/// Blocks of the vertices of all sheets; none has vertices of two.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    ranges: Vec<Range<usize>>,
    /// Sheet of each block.
    sheets: Vec<usize>,
    /// Block of each vertex.
    of_vertex: Vec<u32>,
}

impl Blocks {
    /// Blocks of sheets with these numbers of vertices.
    pub fn new(counts: impl IntoIterator<Item = usize>) -> Self {
        let mut blocks = Self::default();
        let mut start = 0;
        for (sheet, count) in counts.into_iter().enumerate() {
            let end = start + count;
            while start < end {
                let range = start..(start + BLOCK).min(end);
                blocks.of_vertex.resize(range.end, blocks.ranges.len() as u32);
                start = range.end;
                blocks.ranges.push(range);
                blocks.sheets.push(sheet);
            }
        }
        blocks
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.of_vertex.len()
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Vertices of a block.
    pub fn range(&self, block: usize) -> Range<usize> {
        self.ranges[block].clone()
    }

    /// Sheet of a block.
    pub fn sheet(&self, block: usize) -> usize {
        self.sheets[block]
    }

    /// Block of a vertex, and its place there.
    pub fn place(&self, vertex: usize) -> (u32, u16) {
        let block = self.of_vertex[vertex];
        // Blocks are shorter than 2¹⁶.
        (block, (vertex - self.ranges[block as usize].start) as u16)
    }

    /// Heap memory, bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&self.ranges[..]) + size_of_val(&self.sheets[..]) + size_of_val(&self.of_vertex[..])
    }
}

/// Groups of constraints in phases.
#[derive(Clone, Debug)]
pub(super) struct Phases<G> {
    phases: Vec<Vec<(Blocked, G)>>,
}

impl<G> Default for Phases<G> {
    fn default() -> Self {
        Self { phases: Vec::new() }
    }
}

/// The blocks of a group; equal if it is within one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocked {
    /// Block of the first vertices of the constraints, not before that of the second.
    pub first: u32,
    /// Block of the second vertices.
    pub second: u32,
}

/// Vertices of the two blocks of a group, or of its only one.
pub(super) enum Sides<'a> {
    /// Those of its only block.
    One(&'a mut [Vertex]),
    /// Those of its first and of its second block.
    Two(&'a mut [Vertex], &'a mut [Vertex]),
}

impl<G: Send> Phases<G> {
    /// Puts each of `groups` into the first phase in which its blocks are free.
    pub fn refill(&mut self, groups: impl IntoIterator<Item = (Blocked, G)>, blocks: usize) {
        self.phases.iter_mut().for_each(Vec::clear);
        // The phases in which each block is taken.
        let mut taken: Vec<Vec<bool>> = vec![Vec::new(); blocks];
        for (blocked, group) in groups {
            let (first, second) = (blocked.first as usize, blocked.second as usize);
            let free = |block: usize, phase: usize| !taken[block].get(phase).copied().unwrap_or(false);
            let phase = (0..).find(|&phase| free(first, phase) && free(second, phase)).unwrap_or(0);
            for block in [first, second] {
                let row = &mut taken[block];
                row.resize(row.len().max(phase + 1), false);
                row[phase] = true;
            }
            if self.phases.len() <= phase {
                self.phases.resize_with(phase + 1, Vec::new);
            }
            self.phases[phase].push((blocked, group));
        }
    }

    /// Calls `work` for each group with the vertices of its blocks: phase after phase, side by side within one.
    pub fn each(&mut self, blocks: &Blocks, vertices: &mut [Vertex], work: impl Fn(&mut G, Sides<'_>) + Sync) {
        if vertices.len() < PARALLEL_FROM || rayon::current_num_threads() == 1 {
            for (blocked, group) in self.phases.iter_mut().flatten() {
                serve(*blocked, group, blocks, vertices, &work);
            }
            return;
        }
        for phase in &mut self.phases {
            if let [(blocked, group)] = &mut phase[..] {
                serve(*blocked, group, blocks, vertices, &work);
                continue;
            }
            let mut parts = split(blocks, vertices);
            let mut take = |block: u32| parts[block as usize].take();
            let tasks: Vec<(&mut G, Sides<'_>)> = phase
                .iter_mut()
                .filter_map(|(Blocked { first, second }, group)| {
                    let sides = if first == second {
                        Sides::One(take(*first)?)
                    } else {
                        let second = take(*second)?;
                        Sides::Two(take(*first)?, second)
                    };
                    Some((group, sides))
                })
                .collect();
            tasks.into_par_iter().for_each(|(group, sides)| work(group, sides));
        }
    }

    /// All groups.
    pub fn groups(&self) -> impl Iterator<Item = &G> {
        self.phases.iter().flatten().map(|(_, group)| group)
    }

    /// All groups with their blocks.
    #[cfg(test)]
    pub fn each_group(&self) -> impl Iterator<Item = (Blocked, &G)> {
        self.phases.iter().flatten().map(|(blocked, group)| (*blocked, group))
    }

    /// Heap memory, bytes, without what groups hold.
    pub fn memory(&self) -> usize {
        self.phases.iter().map(|phase| size_of_val(&phase[..])).sum()
    }
}

/// Vertices of each block.
fn split<'a>(blocks: &Blocks, mut vertices: &'a mut [Vertex]) -> Vec<Option<&'a mut [Vertex]>> {
    let mut parts = Vec::with_capacity(blocks.len());
    for range in &blocks.ranges {
        let (part, rest) = vertices.split_at_mut(range.len());
        parts.push(Some(part));
        vertices = rest;
    }
    parts
}

fn serve<G>(blocked: Blocked, group: &mut G, blocks: &Blocks, vertices: &mut [Vertex], work: impl Fn(&mut G, Sides<'_>)) {
    let (first, second) = (blocks.range(blocked.first as usize), blocks.range(blocked.second as usize));
    if first == second {
        work(group, Sides::One(&mut vertices[first]));
    } else {
        // The first block is behind the second.
        let (low, high) = vertices.split_at_mut(first.start);
        work(group, Sides::Two(&mut high[..first.len()], &mut low[second]));
    }
}
