//! Fluid neighbours of boundary particles: the transpose of the fluid's lists of boundary neighbours.

use std::ops::Range;

use crate::neighbors::NeighborLists;
use crate::passes::QUERIES_PER_CHUNK;
use crate::report::held;
use rayon::prelude::*;

/// Number of pairs below which a single thread transposes the lists.
const LEAST: usize = 1 << 14;

/// Largest number of parts that the walls are divided into. Every part reads all pairs.
const MOST_PARTS: usize = 8;

/// Chunks of lists in one task.
const CHUNKS: usize = 8;

/// Rows in one task.
const GRAIN: usize = 128;

/// Fluid neighbours of boundary particles, in compressed sparse rows: one row for each boundary particle with fluid in reach,
/// none for the others, so that dry walls cost nothing in a pass over the rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct WallNeighborLists {
    /// Boundary particle of each row, in ascending order.
    particles: Vec<u32>,
    /// Row pointers: `starts[row]..starts[row + 1]` is the row's range in `fluid`. One entry more than rows; empty before the
    /// first use.
    starts: Vec<u32>,
    /// Fluid particles, in ascending order within a row.
    fluid: Vec<u32>,
    /// Boundary and fluid particle of every pair, sorted by fluid particle.
    pairs: Vec<(u32, u32)>,
    /// Number of pairs of every boundary particle, dry ones included; all 0 between two uses.
    counts: Vec<u32>,
    /// Rows of each part.
    found: [Found; MOST_PARTS],
}

/// Rows of some successive boundary particles.
#[derive(Clone, Debug, Default)]
struct Found {
    particles: Vec<u32>,
    starts: Vec<u32>,
}

impl WallNeighborLists {
    /// Transposes `lists`, the boundary neighbours of each fluid particle; `walls` is the number of all boundary particles.
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
            part.first_pair = first;
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

    /// Boundary particles with fluid in reach, one for each row, in ascending order.
    pub fn particles(&self) -> &[u32] {
        &self.particles
    }

    /// Boundary particle of a row, and its fluid neighbours.
    #[inline]
    pub fn row(&self, row: usize) -> (usize, &[u32]) {
        (self.particles[row] as usize, &self.fluid[self.range(row)])
    }

    /// Range of a row's pairs among all pairs, as filled by [`WallNeighborLists::fill_pairs`].
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// Rows of the boundary particles in the range `particles`.
    pub fn rows_of(&self, particles: Range<usize>) -> Range<usize> {
        let row = |particle: usize| self.particles.partition_point(|&other| (other as usize) < particle);
        row(particles.start)..row(particles.end)
    }

    /// Calls `change(row, &mut values[b])` for the boundary particle b of every row; `values` has an entry for every boundary
    /// particle.
    pub fn update<T: Send>(&self, values: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
        self.update_rows(0..self.particles.len(), 0, values, &change);
    }

    /// The same for the boundary particles in the range `particles` alone, to which `values` belong.
    pub fn update_of<T: Send>(&self, particles: Range<usize>, values: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
        self.update_rows(self.rows_of(particles.clone()), particles.start, values, &change);
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

    /// Resizes `values` to one entry for each pair, and calls `fill(row, entries of its pairs)` for every row.
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

/// Number of pairs in some chunks of `lists`.
fn entries(lists: &NeighborLists, chunks: Range<usize>) -> usize {
    chunks.map(|number| lists.entries_of_chunk(number)).sum()
}

/// Writes the pairs of some chunks of `lists`, boundary particle first.
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

/// Divides the boundary particles into `count` parts of about as many pairs each, estimated from a sample.
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
        Part { first: std::mem::replace(&mut first, end), counts, found, total: 0, first_pair: 0, fluid: &mut [] }
    })
}

/// Successive boundary particles, processed by one thread.
struct Part<'a> {
    /// The first boundary particle.
    first: usize,
    counts: &'a mut [u32],
    /// Rows of the part.
    found: &'a mut Found,
    /// Number of pairs.
    total: usize,
    /// Index of the part's first pair among all pairs.
    first_pair: usize,
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
        let Self { first, counts, found: Found { particles, starts }, first_pair, fluid, .. } = self;
        starts.clear();
        let mut sum = 0;
        for &wall in &*particles {
            starts.push(*first_pair as u32 + sum);
            // The count becomes the index at which the row's next pair is written.
            sum += std::mem::replace(&mut counts[wall as usize - *first], sum);
        }
        for &(wall, query) in pairs {
            if let Some(next) = counts.get_mut((wall as usize).wrapping_sub(*first)) {
                fluid[*next as usize] = query;
                *next += 1;
            }
        }
        for &wall in &*particles {
            counts[wall as usize - *first] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::neighbors::{BruteForce, NeighborSearch, Pairing};
    use glam::Vec3;

    // Transposed lists against their definition, and the rows that passes visit.

    /// A plane of `n`² boundary particles 0.1 m apart, and `far` ones without fluid in reach.
    fn plane(n: u16, far: usize) -> Vec<Vec3> {
        let near = (0..n).flat_map(|x| (0..n).map(move |z| 0.1 * Vec3::new(f32::from(x), 0.0, f32::from(z))));
        let far = (0..far).map(|k| Vec3::new(0.1 * k as f32, -50.0, 0.0));
        // Indices of the far ones lie in the middle.
        let mut positions: Vec<Vec3> = near.collect();
        let middle = positions.len() / 2;
        positions.splice(middle..middle, far);
        positions
    }

    /// `count` fluid particles at random positions above part of the plane.
    fn fluid(count: u16) -> Vec<Vec3> {
        let random = |n: u16, factor: f32| (f32::from(n) * factor).fract();
        (0..count).map(|n| Vec3::new(3.0 * random(n, 0.819_17), 0.5 * random(n, 0.671_04), 2.0 * random(n, 0.549_7))).collect()
    }

    fn lists(fluid: &[Vec3], walls: &[Vec3]) -> NeighborLists {
        let mut search = BruteForce::new(0.25);
        search.update(walls, &(0..walls.len() as u32).collect::<Vec<_>>()).expect("an unbounded structure");
        let mut lists = NeighborLists::default();
        lists.fill(&search, fluid, Pairing::Across);
        lists
    }

    #[test]
    fn rows_agree_with_the_definition_for_any_number_of_threads() {
        let walls = plane(40, 100);
        // Reused for more and for fewer pairs.
        let mut wall_neighbors = WallNeighborLists::default();
        for (count, threads) in [(7000, 1), (3, 1), (7000, 2), (5000, 5), (0, 2), (7000, 8)] {
            let lists = lists(&fluid(count), &walls);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| wall_neighbors.transpose(&lists, walls.len()));
            let mut expected = vec![Vec::new(); walls.len()];
            for query in 0..lists.len() {
                lists.of(query).iter().for_each(|&wall| expected[wall as usize].push(query as u32));
            }
            if count == 7000 {
                assert!(expected.iter().map(Vec::len).sum::<usize>() > LEAST, "enough for several threads");
            }
            let expected: Vec<_> = expected.iter().enumerate().filter(|(_, fluid)| !fluid.is_empty()).collect();
            let found: Vec<_> = (0..wall_neighbors.particles().len()).map(|row| wall_neighbors.row(row)).collect();
            assert!(found.len() == expected.len(), "{count} particles, {threads} threads");
            let same = found.iter().zip(&expected).all(|((wall, fluid), (expected, list))| wall == expected && fluid == list);
            assert!(same, "{count} particles, {threads} threads");
        }
    }

    #[test]
    fn walls_far_from_the_fluid_are_not_visited() {
        let fluid = fluid(500);
        let visited = [0, 3000].map(|far| {
            let walls = plane(40, far);
            let mut wall_neighbors = WallNeighborLists::default();
            wall_neighbors.transpose(&lists(&fluid, &walls), walls.len());
            let (particles, pairs) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut values = vec![0; walls.len()];
            wall_neighbors.update(&mut values, |row, value| {
                *value = wall_neighbors.row(row).0;
                particles.fetch_add(1, Ordering::Relaxed);
            });
            let mut of_pairs: Vec<usize> = Vec::new();
            wall_neighbors.fill_pairs(&mut of_pairs, |row, values| {
                assert_eq!(values.len(), wall_neighbors.row(row).1.len());
                pairs.fetch_add(values.len(), Ordering::Relaxed);
            });
            // Each call of `change` got the value of its own boundary particle.
            assert!(values.iter().enumerate().all(|(b, &value)| value == 0 || value == b));
            assert!(walls.iter().zip(&values).all(|(position, &value)| position.y == 0.0 || value == 0), "far away");
            [particles, pairs].map(AtomicUsize::into_inner)
        });
        assert_eq!(visited[0], visited[1]);
        assert!(visited[0][0] > 400 && visited[0][1] > 1000, "{visited:?}");
    }

    #[test]
    fn rows_of_some_particles() {
        let walls = plane(40, 100);
        let mut wall_neighbors = WallNeighborLists::default();
        wall_neighbors.transpose(&lists(&fluid(500), &walls), walls.len());
        for range in [0..0, 0..walls.len(), 13..700, 790..1200] {
            let rows = wall_neighbors.rows_of(range.clone());
            let inside = wall_neighbors.particles().iter().filter(|&&b| range.contains(&(b as usize))).count();
            assert_eq!(rows.len(), inside);
            assert!(rows.into_iter().all(|row| range.contains(&wall_neighbors.row(row).0)));
        }
    }
}
