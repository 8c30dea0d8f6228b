//! Runs of points that are adjacent in memory, mostly those of one cell.

use super::grid::{Cells, Table};
use crate::report::held;
use crate::simd::{Available, with_simd};
use glam::Vec3;
use rayon::prelude::*;
use std::ops::Range;

/// Positions from `start` to `end`, which is excluded, in an array of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub start: u32,
    pub end: u32,
}

impl Run {
    /// No position.
    pub const EMPTY: Self = Self { start: 0, end: 0 };

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    #[inline(always)]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Calls `visit` for each run of consecutive numbers among ascending `indices`.
#[inline(always)]
pub(crate) fn each_run(indices: impl IntoIterator<Item = u32>, mut visit: impl FnMut(Run)) {
    let mut run = Run::EMPTY;
    for index in indices {
        if index != run.end || run.is_empty() {
            if !run.is_empty() {
                visit(run);
            }
            run.start = index;
        }
        run.end = index + 1;
    }
    if !run.is_empty() {
        visit(run);
    }
}

/// Runs of successive points that lie in one cell, in the order of memory, each with the bucket of its cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellRuns {
    /// Number of runs.
    count: usize,
    /// The first point of each run, and the number of points; longer by what was written before runs were put together.
    starts: Vec<u32>,
    /// The bucket of each run; longer, as `starts`.
    buckets: Vec<u32>,
    /// Number of runs that each task has found.
    found: Vec<usize>,
}

/// Points per parallel task.
const GRAIN: usize = 4096;

impl CellRuns {
    /// Finds the runs of `points`, m.
    pub fn find(&mut self, cells: Cells, points: &[Vec3], table: Table) {
        let Self { count, starts, buckets, found } = self;
        starts.resize(points.len() + 1, 0);
        buckets.resize(points.len(), 0);
        let parts = starts[..points.len()].par_chunks_mut(GRAIN).zip(buckets.par_chunks_mut(GRAIN)).enumerate();
        parts
            .map(|(part, (starts, buckets))| {
                let first = part * GRAIN;
                let range = first..first + starts.len();
                with_simd!(
                    Available::best(),
                    (cells: Cells, points: &[Vec3], range: Range<usize>, table: Table, starts: &mut [u32], buckets: &mut [u32]) -> usize,
                    [],
                    {
                        let mut count = 0;
                        cells.each_change(points, range, |index, cell| {
                            (starts[count], buckets[count]) = (index as u32, table.bucket(cell));
                            count += 1;
                        });
                        count
                    }
                )
            })
            .collect_into_vec(found);
        *count = 0;
        for (part, &length) in found.iter().enumerate() {
            let written = part * GRAIN..part * GRAIN + length;
            starts.copy_within(written.clone(), *count);
            buckets.copy_within(written, *count);
            *count += length;
        }
        starts[*count] = points.len() as u32;
    }

    /// True if points mostly lie side by side with those of their cell, and few cells share one of `table_size` buckets. A query then reads
    /// whole rows of cells, in ascending order.
    pub fn are_long(&self, table_size: u32) -> bool {
        /// Least mean number of points in a run.
        const MIN_POINTS: usize = 4;
        /// Least number of buckets for each run.
        const MIN_BUCKETS: usize = 4;
        MIN_POINTS * self.count <= self.starts[self.count] as usize && MIN_BUCKETS * self.count <= table_size as usize
    }

    /// The bucket of each run.
    pub fn buckets(&self) -> &[u32] {
        &self.buckets[..self.count]
    }

    /// A run by its number.
    #[inline(always)]
    pub fn run(&self, number: usize) -> Run {
        Run { start: self.starts[number], end: self.starts[number + 1] }
    }

    /// Each run with its bucket.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Run, u32)> {
        self.buckets().iter().enumerate().map(|(number, &bucket)| (self.run(number), bucket))
    }

    /// Replaces `buckets` by the bucket of each point.
    pub fn put_buckets_of_points(&self, buckets: &mut Vec<u32>) {
        buckets.clear();
        self.iter().for_each(|(run, bucket)| buckets.resize(run.range().end, bucket));
    }

    /// Heap memory, bytes, including spare capacity.
    pub fn memory(&self) -> usize {
        held(&self.starts) + held(&self.buckets) + held(&self.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::HashFunction;

    #[test]
    fn indices_are_split_where_they_are_not_consecutive() {
        let mut found = Vec::new();
        each_run([0, 1, 2, 5, 7, 8], |run| found.push((run.start, run.end)));
        assert_eq!(found, [(0, 3), (5, 6), (7, 9)]);
        each_run([], |run| panic!("{run:?}"));
    }

    #[test]
    fn runs_are_the_points_of_one_cell_in_a_row() {
        let cells = Cells::new(0.5);
        let table = Table::new(97, HashFunction::Muller);
        let mut runs = CellRuns::default();
        for count in [0, 1, 100, 3 * GRAIN + 5, 40] {
            let points: Vec<Vec3> =
                (0..count).map(|k| Vec3::new((k / 7 % 50) as f32, (k / 700) as f32, (k % 2) as f32 * 0.1)).collect();
            runs.find(cells, &points, table);
            let expected: Vec<&[Vec3]> = points.chunk_by(|&a, &b| cells.of(a) == cells.of(b)).collect();
            let mut start = 0;
            assert_eq!(runs.buckets().len(), expected.len());
            for (number, part) in expected.iter().enumerate() {
                assert_eq!(runs.run(number), Run { start, end: start + part.len() as u32 });
                assert_eq!(runs.buckets()[number], table.bucket(cells.of(part[0])));
                start += part.len() as u32;
            }
            let mut buckets = vec![3; 5];
            runs.put_buckets_of_points(&mut buckets);
            assert!(points.iter().map(|&point| table.bucket(cells.of(point))).eq(buckets));
            assert_eq!(runs.are_long(97), 4 * expected.len() <= count.min(97));
        }
    }
}
