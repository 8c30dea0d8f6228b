//! One trial: what a step would pay for the neighbour search.

use super::sample::Moment;
use super::{Cost, Sample, Verdict};
use crate::boundary::WallNeighborLists;
use crate::neighbors::{NeighborLists, Pairing, Search, Tally, TooManyCells};
use crate::parameters::GridParameters;
use glam::Vec3;
use std::time::{Duration, Instant};

/// Repeats of a trial: at least the first number, and up to the second as long as they take less than [`WORTHWHILE`] together.
const REPEATS: [usize; 2] = [5, 25];
const WORTHWHILE: Duration = Duration::from_millis(15);

/// A brief trial that takes this many times the least so far cannot win: two repeats that agree are enough of it.
const OUT_OF_REACH: f64 = 1.3;

/// Repeats agree when half of them take less than this many times the least.
const AGREEMENT: f64 = 1.3;

/// No brief trial is dropped as too slow below this, ms, or below [`HOPELESS`] times the least so far.
const TOLERATED_MS: f64 = 50.0;
const HOPELESS: f64 = 8.0;

/// Longest time that is spent on repeats once there are two of them.
const PATIENCE: Duration = Duration::from_millis(400);

/// Queries that are answered to predict what all of them take, in runs of successive ones, as neighbouring queries share work.
const PROBED_RUNS: usize = 4;
const PROBED_RUN: usize = 64;

/// Points that are registered to predict what all of them take: one in this many, and at least the second number.
const PROBED_POINTS: [usize; 2] = [16, 512];

/// How much a trial may take.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    /// As little as shows whether it can beat `rival`, ms.
    Brief { rival: Option<f64> },
    /// As long as it takes.
    Thorough,
}

/// The sample, and memory that trials share as steps do.
#[derive(Debug)]
pub(super) struct Bench {
    sample: Sample,
    fluid: NeighborLists,
    walls: NeighborLists,
    wall_neighbors: WallNeighborLists,
}

impl Bench {
    pub fn new(sample: Sample) -> Self {
        let lists = NeighborLists::default;
        Self { sample, fluid: lists(), walls: lists(), wall_neighbors: WallNeighborLists::default() }
    }

    /// Tries `grid`.
    pub fn measure(&mut self, grid: &GridParameters, effort: Effort) -> Verdict {
        if let Err(error) = grid.validate(self.sample.radius) {
            return Verdict::Refused(error.to_string());
        }
        self.try_out(grid, effort).unwrap_or_else(|error| Verdict::Refused(error.to_string()))
    }

    fn try_out(&mut self, grid: &GridParameters, effort: Effort) -> Result<Verdict, TooManyCells> {
        let limit = match effort {
            Effort::Brief { rival } => (HOPELESS * rival.unwrap_or(0.0)).max(TOLERATED_MS),
            Effort::Thorough => f64::INFINITY,
        };
        if limit.is_finite() {
            let predicted_ms = self.predict_build(grid)?;
            if predicted_ms > limit {
                return Ok(Verdict::TooSlow { predicted_ms });
            }
        }
        let mut search = Search::new(grid, self.sample.radius);
        let mut wall_search = Search::new(grid, self.sample.radius);
        wall_search.update(&self.sample.walls.points, &self.sample.walls.names)?;
        // The first update allocates, and fills structures that later only follow.
        let [first, _] = &self.sample.moments;
        let warm_up = timed(|| search.update(&first.points, &first.names));
        warm_up.1?;
        if limit.is_finite() {
            let predicted_ms = self.predict_query(&search);
            if predicted_ms > limit {
                return Ok(Verdict::TooSlow { predicted_ms });
            }
        }
        self.repeat(&mut search, &wall_search, effort)
    }

    /// Updates and queries at both moments in turns until the medians are good enough.
    fn repeat(&mut self, search: &mut Search, walls: &Search, effort: Effort) -> Result<Verdict, TooManyCells> {
        let [least, most] = REPEATS;
        let rival = if let Effort::Brief { rival } = effort { rival } else { None };
        let started = Instant::now();
        let (mut builds, mut queries) = (Vec::new(), Vec::new());
        let mut tally = Tally::default();
        loop {
            let repeats = builds.len();
            let sum = median(&builds) + median(&queries);
            let elapsed = started.elapsed();
            // Times that differ widely tell of other programs, not of the grid: more of them are needed.
            let agreed = agree(builds.iter().zip(&queries).map(|(build, query)| build + query).collect());
            let reliable = repeats >= least && (agreed && elapsed > WORTHWHILE || repeats >= most);
            let beaten = repeats >= 2 && agreed && rival.is_some_and(|rival| sum > OUT_OF_REACH * rival);
            if reliable || beaten || repeats >= 2 && elapsed > PATIENCE {
                break;
            }
            let Self { sample, fluid, walls: wall_lists, wall_neighbors, .. } = self;
            let moment = &sample.moments[(repeats + 1) % 2];
            let Moment { points, names, sources } = moment;
            let (build, updated) = timed(|| search.update(points, names));
            updated?;
            let (query, found) = timed(|| {
                let (queries, solid) = (moment.queries(), &sample.walls);
                let tally = search.fill(fluid, queries, Pairing::Within);
                fluid.resolve_images(queries.len(), sources);
                walls.fill(wall_lists, queries, Pairing::Across);
                wall_lists.resolve_images(solid.queries().len(), &solid.sources);
                wall_neighbors.transpose(wall_lists, solid.queries().len());
                tally
            });
            tally = found;
            builds.push(build);
            queries.push(query);
        }
        let occupancy = search.occupancy();
        Ok(Verdict::Measured(Cost {
            build_ms: median(&builds),
            query_ms: median(&queries),
            repeats: builds.len() as u32,
            tally,
            load_factor: occupancy.load_factor(),
            spills: occupancy.spills,
            bytes: occupancy.bytes,
        }))
    }

    /// What registering all points would take, ms, from registering some.
    fn predict_build(&self, grid: &GridParameters) -> Result<f64, TooManyCells> {
        let points = &self.sample.moments[0].points;
        let [part, least] = PROBED_POINTS;
        let count = (points.len() / part).max(least).min(points.len());
        let mut search = Search::new(grid, self.sample.radius);
        let names: Vec<u32> = (0..count as u32).collect();
        let (ms, updated) = timed(|| search.update(&points[..count], &names));
        updated?;
        Ok(ms * points.len() as f64 / count.max(1) as f64)
    }

    /// What answering all queries would take, ms, from answering some.
    fn predict_query(&self, search: &Search) -> f64 {
        let points = self.sample.moments[0].queries();
        let stride = (points.len() / PROBED_RUNS).max(1);
        let queries: Vec<Vec3> =
            points.chunks(stride).flat_map(|run| run.iter().take(PROBED_RUN)).copied().take(PROBED_RUNS * PROBED_RUN).collect();
        // Lists of their own, so that the trial's are not cut short.
        let mut lists = NeighborLists::default();
        let (ms, _) = timed(|| search.fill(&mut lists, &queries, Pairing::Across));
        // The probe is one chunk of queries: one thread's work, which all threads share in a step.
        ms * points.len() as f64 / queries.len().max(1) as f64 / rayon::current_num_threads() as f64
    }
}

/// Runs `work`; its time in ms, and what it returned.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (1e3 * start.elapsed().as_secs_f64(), result)
}

/// Whether times can be trusted to be of the work alone.
fn agree(mut times: Vec<f64>) -> bool {
    times.sort_unstable_by(f64::total_cmp);
    times.first().is_none_or(|least| times[times.len() / 2] < AGREEMENT * least)
}

/// The lower median; 0 of nothing.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_differ_widely_do_not_agree() {
        assert!(agree(vec![]) && agree(vec![1.0, 1.2]) && agree(vec![1.0, 9.0, 1.1]));
        assert!(!agree(vec![1.0, 1.5]) && !agree(vec![1.0, 9.0, 2.0]));
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[9.0, 1.0]), 1.0);
        assert_eq!(median(&[9.0, 1.0, 2.0, 8.0, 3.0]), 3.0);
    }
}
