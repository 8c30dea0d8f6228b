//! The boundary particles that fluid is in reach of, and which fluid: the fluid's lists turned around.

use crate::neighbors::NeighborLists;
use crate::passes::QUERIES_PER_CHUNK;
use crate::report::held;
use rayon::prelude::*;
use std::ops::Range;

/// Pairs below which one thread turns the lists around.
const LEAST: usize = 1 << 14;

/// Most parts that the walls are cut into. Each goes through all pairs.
const MOST_PARTS: usize = 8;

/// Chunks of lists that a thread takes at once.
const CHUNKS: usize = 8;

/// Rows that a thread takes at once.
const GRAIN: usize = 128;

/// One row for each boundary particle with fluid in reach. What is done row by row costs nothing for walls that no fluid is near, however
/// many there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallNeighborLists {
    /// The boundary particles, in ascending order.
    particles: Vec<u32>,
    /// `starts[row]..starts[row + 1]` is the row's range in `fluid`; one entry more than rows, or none.
    starts: Vec<u32>,
    /// Fluid particles, in ascending order within a row.
    fluid: Vec<u32>,
    /// Boundary and fluid particle of every pair, in the order of the fluid.
    pairs: Vec<(u32, u32)>,
    /// For every boundary particle there is, 0 between two uses.
    counts: Vec<u32>,
    /// What each thread finds.
    found: [Found; MOST_PARTS],
}

/// Rows of some successive boundary particles.
#[derive(Clone, Debug, Default)]
struct Found {
    particles: Vec<u32>,
    starts: Vec<u32>,
}

impl WallNeighborLists {
    /// Turns `lists` around, the boundary particles in reach of each fluid particle; `walls` counts all boundary particles.
    pub fn transpose(&mut self, lists: &NeighborLists, walls: usize) {
        let Self { particles, starts, fluid, pairs, counts, found } = self;
        let chunks = lists.len().div_ceil(QUERIES_PER_CHUNK);
        pairs.resize(entries(lists, 0..chunks), (0, 0));
        flatten(lists, 0..chunks, pairs);
        fluid.resize(pairs.len(), 0);
        counts.resize(walls, 0);
        let count = if pairs.len() < LEAST { 1 } else { rayon::current_num_threads().min(MOST_PARTS) };
        let mut parts = cut(pairs, counts, found, count);
        let (pairs, parts) = (&**pairs, &mut parts[..count]);
        parts.par_iter_mut().with_max_len(1).for_each(|part| part.count(pairs));
        let (mut rest, mut first) = (fluid.as_mut_slice(), 0);
        for part in &mut *parts {
            (part.fluid, rest) = std::mem::take(&mut rest).split_at_mut(part.total);
            part.first_place = first;
            first += part.total;
        }
        parts.par_iter_mut().with_max_len(1).for_each(|part| part.fill(pairs));
        particles.clear();
        starts.clear();
        for found in &found[..count] {
            particles.extend_from_slice(&found.particles);
            starts.extend_from_slice(&found.starts);
        }
        starts.push(pairs.len() as u32);
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { particles, starts, fluid, pairs, counts, found } = self;
        let found: usize = found.iter().map(|found| held(&found.particles) + held(&found.starts)).sum();
        found + held(particles) + held(starts) + held(fluid) + held(pairs) + held(counts)
    }

    /// The boundary particles with fluid in reach, one a row, in ascending order.
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }

    /// The boundary particle of a row and the fluid in its reach.
    #[inline]
    pub fn row(&self, row: usize) -> (usize, &[u32]) {
        (self.particles[row] as usize, &self.fluid[self.range(row)])
    }

    /// Where the pairs of a row are among all pairs.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The rows of those boundary particles that are in `particles`.
    pub fn rows_of(&self, particles: Range<usize>) -> Range<usize> {
        let row = |particle: usize| self.particles.partition_point(|&other| (other as usize) < particle);
        row(particles.start)..row(particles.end)
    }

    /// `change(row, &mut values[b])` for the boundary particle b of every row; `values` has an entry for each that there is.
    pub fn update<T: Send>(&self, values: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
        self.update_rows(0..self.particles.len(), 0, values, &change);
    }

    fn update_rows<T: Send>(
        &self,
        rows: Range<usize>,
        first: usize,
        values: &mut [T],
        change: &(dyn Fn(usize, &mut T) + Sync),
    ) {
        if rows.len() <= GRAIN {
            return rows.for_each(|row| change(row, &mut values[self.particles[row] as usize - first]));
        }
        let middle = rows.start + rows.len() / 2;
        let cut = self.particles[middle] as usize;
        let (low, high) = values.split_at_mut(cut - first);
        rayon::join(
            || self.update_rows(rows.start..middle, first, low, change),
            || self.update_rows(middle..rows.end, cut, high, change),
        );
    }

    /// `fill(row, values of its pairs)` for every row; afterwards `values` has an entry a pair.
    pub fn fill_pairs<T: Copy + Default + Send>(&self, values: &mut Vec<T>, fill: impl Fn(usize, &mut [T]) + Sync) {
        values.resize(self.fluid.len(), T::default());
        self.fill_rows(0..self.particles.len(), values, &fill);
    }

    fn fill_rows<T: Send>(&self, rows: Range<usize>, values: &mut [T], fill: &(dyn Fn(usize, &mut [T]) + Sync)) {
        let Some(first) = rows.clone().next().map(|row| self.starts[row] as usize) else { return };
        if rows.len() <= GRAIN {
            for row in rows {
                let range = self.range(row);
                fill(row, &mut values[range.start - first..range.end - first]);
            }
            return;
        }
        let middle = rows.start + rows.len() / 2;
        let (low, high) = values.split_at_mut(self.starts[middle] as usize - first);
        rayon::join(|| self.fill_rows(rows.start..middle, low, fill), || self.fill_rows(middle..rows.end, high, fill));
    }
}

/// Pairs in some chunks of `lists`.
fn entries(lists: &NeighborLists, chunks: Range<usize>) -> usize {
    chunks.map(|number| lists.entries_of_chunk(number)).sum()
}

/// The pairs of some chunks of `lists`, the other way round.
fn flatten(lists: &NeighborLists, chunks: Range<usize>, pairs: &mut [(u32, u32)]) {
    if pairs.is_empty() {
        return;
    }
    if chunks.len() > CHUNKS {
        let middle = chunks.start + chunks.len() / 2;
        let (low, high) = pairs.split_at_mut(entries(lists, chunks.start..middle));
        rayon::join(|| flatten(lists, chunks.start..middle, low), || flatten(lists, middle..chunks.end, high));
        return;
    }
    let queries = chunks.start * QUERIES_PER_CHUNK..lists.len().min(chunks.end * QUERIES_PER_CHUNK);
    let each = queries.flat_map(|query| lists.of(query).iter().map(move |&point| (point, query as u32)));
    pairs.iter_mut().zip(each).for_each(|(to, pair)| *to = pair);
}

/// Cuts the walls into parts, with as many pairs in each as a sample of them promises.
fn cut<'a>(
    pairs: &[(u32, u32)],
    counts: &'a mut [u32],
    found: &'a mut [Found; MOST_PARTS],
    count: usize,
) -> [Part<'a>; MOST_PARTS] {
    const SAMPLE: usize = 256;
    let mut sample: [u32; SAMPLE] = std::array::from_fn(|k| pairs.get(k * pairs.len() / SAMPLE).map_or(0, |&(wall, _)| wall));
    sample.sort_unstable();
    let (mut rest, mut first, mut number) = (counts, 0, 0);
    found.each_mut().map(|found| {
        number += 1;
        let end = if number >= count { first + rest.len() } else { sample[number * SAMPLE / count] as usize };
        let counts;
        (counts, rest) = std::mem::take(&mut rest).split_at_mut(end - first);
        Part { first: std::mem::replace(&mut first, end), counts, found, total: 0, first_place: 0, fluid: &mut [] }
    })
}

/// Some successive boundary particles, which one thread looks after.
struct Part<'a> {
    first: usize,
    counts: &'a mut [u32],
    /// Those with fluid in reach, in ascending order.
    found: &'a mut Found,
    /// How many pairs there are.
    total: usize,
    /// Where they lie among all.
    first_place: usize,
    fluid: &'a mut [u32],
}

impl Part<'_> {
    fn count(&mut self, pairs: &[(u32, u32)]) {
        let Self { first, counts, found: Found { particles, .. }, total, .. } = self;
        particles.clear();
        for &(wall, _) in pairs {
            if let Some(count) = counts.get_mut((wall as usize).wrapping_sub(*first)) {
                if *count == 0 {
                    particles.push(wall);
                }
                *count += 1;
                *total += 1;
            }
        }
        particles.sort_unstable();
    }

    fn fill(&mut self, pairs: &[(u32, u32)]) {
        let Self { first, counts, found: Found { particles, starts }, first_place, fluid, .. } = self;
        starts.clear();
        let mut place = 0;
        for &wall in &*particles {
            starts.push(*first_place as u32 + place);
            // From here on where the next of its pairs goes.
            place += std::mem::replace(&mut counts[wall as usize - *first], place);
        }
        for &(wall, query) in pairs {
            if let Some(place) = counts.get_mut((wall as usize).wrapping_sub(*first)) {
                fluid[*place as usize] = query;
                *place += 1;
            }
        }
        for &wall in &*particles {
            counts[wall as usize - *first] = 0;
        }
    }
}

#[cfg(test)]
mod tests;
