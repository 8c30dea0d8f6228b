//! Runs of points that are adjacent in memory: what a query finds in its buckets, put into ascending order once for all queries
//! of a cell.

use rayon::prelude::*;
use std::ops::Range;

/// Positions from `start` to `end`, which is excluded, in an array of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Least mean number of successive points in one bucket for which points are read in runs.
const MIN_RUN: usize = 4;

/// Least number of buckets for each such run.
const MIN_BUCKETS: usize = 4;

/// Points per parallel task.
const GRAIN: usize = 4096;

/// True if points, whose buckets are given in their order, mostly lie side by side with those of their bucket: in memory in the order of
/// cells, few cells sharing one of the `buckets`. A query then reads whole rows of cells, in ascending order.
pub(crate) fn lie_in_runs(bucket_of: &[u32], buckets: u32) -> bool {
    let starts = |part: &[u32]| part.array_windows().filter(|[a, b]| a != b).count();
    let runs: usize = bucket_of.par_chunks(GRAIN).map(starts).sum();
    MIN_RUN * runs <= bucket_of.len() && MIN_BUCKETS * runs <= buckets as usize
}

/// Largest number of runs that are put in order by insertion; more are sorted.
const MOST_INSERTED: usize = 64;

/// Runs in ascending order.
///
/// Points of a cell are one run if they lie in memory in the order of cells, and cells of a row are one run. To order these few is
/// much less work than to order all points.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    /// True if runs may be out of order or overlap.
    disordered: bool,
}

impl Runs {
    /// Removes all runs.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.runs.clear();
        self.disordered = false;
    }

    /// Adds a run that is not empty; it may overlap others.
    #[inline(always)]
    pub fn add(&mut self, run: Run) {
        let in_order = self.runs.last().is_none_or(|last| last.end <= run.start);
        self.runs.push(run);
        if !in_order {
            self.insert_last();
        }
    }

    /// Moves the last run to its place.
    #[inline(always)]
    fn insert_last(&mut self) {
        let Self { runs, disordered } = self;
        let mut place = runs.len() - 1;
        if place > MOST_INSERTED {
            *disordered = true;
            return;
        }
        let run = runs[place];
        while place > 0 && runs[place - 1].start > run.start {
            runs[place] = runs[place - 1];
            place -= 1;
        }
        runs[place] = run;
        let overlaps = |a: Option<&Run>, b: Option<&Run>| a.zip(b).is_some_and(|(a, b)| a.end > b.start);
        *disordered |= place > 0 && overlaps(runs.get(place - 1), Some(&run)) || overlaps(Some(&run), runs.get(place + 1));
    }

    /// The union of all runs, in ascending order.
    #[inline(always)]
    pub fn ascending(&mut self) -> impl Iterator<Item = Range<usize>> {
        if self.disordered {
            self.unite();
        }
        self.runs.iter().map(|run| run.start as usize..run.end as usize)
    }

    /// Orders the runs and joins those that overlap or adjoin.
    fn unite(&mut self) {
        let Self { runs, disordered } = self;
        runs.sort_unstable_by_key(|run| run.start);
        let mut kept = 0;
        for index in 1..runs.len() {
            let run = runs[index];
            let last = &mut runs[kept];
            if run.start <= last.end {
                last.end = last.end.max(run.end);
            } else {
                kept += 1;
                runs[kept] = run;
            }
        }
        runs.truncate(kept + 1);
        *disordered = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ascending union of the numbers in `ranges`, by a set.
    fn expected(ranges: &[(u32, u32)]) -> Vec<usize> {
        let numbers = ranges.iter().flat_map(|&(start, end)| start as usize..end as usize);
        numbers.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    #[test]
    fn runs_in_any_order_become_their_ascending_union() {
        let mut runs = Runs::default();
        let mut state = 1u32;
        for count in (0..300).chain([1000]) {
            let ranges: Vec<(u32, u32)> = (0..count)
                .map(|_| {
                    state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                    (state >> 20, (state >> 20) + 1 + (state >> 8) % 24)
                })
                .collect();
            runs.clear();
            ranges.iter().for_each(|&(start, end)| runs.add(Run { start, end }));
            assert_eq!(runs.ascending().flatten().collect::<Vec<_>>(), expected(&ranges), "{count} runs");
        }
    }

    #[test]
    fn indices_are_split_where_they_are_not_consecutive() {
        let mut found = Vec::new();
        each_run([0, 1, 2, 5, 7, 8], |run| found.push((run.start, run.end)));
        assert_eq!(found, [(0, 3), (5, 6), (7, 9)]);
        each_run([], |run| panic!("{run:?}"));
    }
}
