//! One trial: the cost of the neighbour search in a step, on a frozen copy of the state.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::{Cost, Verdict};
use crate::neighbors::{CellOrder, NeighborLists, Occupancy, Pairing, Search, SphereSearch, Tally, TooManyCells};
use crate::parameters::GridParameters;
use crate::probes::SearchedPoints;
use crate::simulation::View;
use crate::space::{Domain, Images};
use glam::Vec3;

/// Smallest and largest number of repeats of a trial. In between, it is repeated while its times disagree or sum to less than
/// [`MIN_MEASURED`].
const REPEATS: [usize; 2] = [5, 25];
const MIN_MEASURED: Duration = Duration::from_millis(15);

/// A brief trial that takes this many times the least so far cannot win: it ends after two repeats that agree.
const BEATEN_RATIO: f64 = 1.3;

/// Repeats agree if the upper median is less than this many times the least.
const AGREEMENT_RATIO: f64 = 1.3;

/// A brief trial is abandoned if it would take longer than this, ms, and longer than [`ABANDONED_RATIO`] times the least so
/// far.
const ABANDONED_MS: f64 = 50.0;
const ABANDONED_RATIO: f64 = 8.0;

/// Time after which a trial ends once it has two repeats.
const MAX_MEASURED: Duration = Duration::from_millis(400);

/// Time that a trial takes, about, if one search takes `search`: two searches prepare it.
pub fn expected_trial_time(search: Duration) -> Duration {
    (search * (REPEATS[0] as u32 + 2)).clamp(MIN_MEASURED, MAX_MEASURED)
}

/// Queries that are answered to predict the time of all: this many runs of successive queries, because these share work.
const PROBED_RUNS: usize = 4;
const PROBED_RUN: usize = 64;

/// Points that are registered to predict the time of all: one in this many, and at least the second number.
const PROBED_POINTS: [usize; 2] = [16, 512];

/// Effort of a trial.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    /// A few repeats, enough to see if the configuration can beat `best`, ms.
    Brief { best: Option<f64> },
    /// As many repeats as a reliable median needs.
    Thorough,
}

/// The sample, and images and neighbour lists that trials reuse as steps do.
#[derive(Debug)]
pub(super) struct Bench {
    sample: Sample,
    images: Images,
    lists: NeighborLists,
}

impl Bench {
    pub fn new(sample: Sample) -> Self {
        Self { sample, images: Images::default(), lists: NeighborLists::default() }
    }

    /// Makes a trial of `grid`.
    pub fn measure(&mut self, grid: &GridParameters, effort: Effort) -> Verdict {
        // Cells of point sets have a range of their own, which the plan keeps.
        let scale = if self.sample.is_of_fluid { self.sample.radius } else { grid.cell_size };
        if let Err(error) = grid.validate(scale) {
            return Verdict::Refused(error.to_string());
        }
        let are_spheres = !self.sample.moments[0].radii.is_empty();
        let tried = if are_spheres { self.try_out_spheres(grid, effort) } else { self.try_out(grid, effort) };
        tried.unwrap_or_else(|error| Verdict::Refused(error.to_string()))
    }

    fn try_out(&mut self, grid: &GridParameters, effort: Effort) -> Result<Verdict, TooManyCells> {
        let limit = effort.limit();
        if limit.is_finite() {
            let predicted_ms = self.predict_build(grid)?;
            if predicted_ms > limit {
                return Ok(Verdict::TooSlow { predicted_ms });
            }
        }
        let mut search = Search::new(grid, self.sample.radius);
        // The first update allocates, and fills structures that later updates only change.
        self.register(&mut search, 0)?;
        if limit.is_finite() {
            let predicted_ms = self.predict_query(&search);
            if predicted_ms > limit {
                return Ok(Verdict::TooSlow { predicted_ms });
            }
        }
        let measured = repeat(effort, |number| {
            let (build, registered) = timed(|| self.register(&mut search, number));
            registered?;
            let Self { sample, images, lists } = &mut *self;
            let queries = &sample.moments[number % 2].points;
            let (query, tally) = timed(|| {
                let tally = search.fill(lists, queries, Pairing::Within);
                lists.resolve_images(queries.len(), images.sources());
                tally
            });
            Ok((build, query, tally))
        })?;
        Ok(measured.verdict(&search.occupancy()))
    }

    /// Registers the points of moment `number`, as a step does: with their periodic images.
    fn register(&mut self, search: &mut Search, number: usize) -> Result<(), TooManyCells> {
        let Self { sample: Sample { moments, domain, radius, .. }, images, .. } = self;
        let Moment { points, ids, .. } = &moments[number % 2];
        let (points, ids) = images.behind(domain, *radius, points, ids);
        search.update(points, ids)
    }

    /// Makes a trial of the search for spheres that touch.
    fn try_out_spheres(&mut self, grid: &GridParameters, effort: Effort) -> Result<Verdict, TooManyCells> {
        let moments = &self.sample.moments;
        let mut search = SphereSearch::new(grid);
        let mut find = |number: usize| {
            let Moment { points, ids, radii, .. } = &moments[number % 2];
            search.find(points, radii, ids)?;
            let (build, query, tally) = search.cost();
            Ok((1e3 * build.as_secs_f64(), 1e3 * query.as_secs_f64(), tally))
        };
        // The first one allocates. Pairs are found all at once: a part of the work would not predict the rest.
        let (build, query, _) = find(0)?;
        if build + query > effort.limit() {
            return Ok(Verdict::TooSlow { predicted_ms: build + query });
        }
        let measured = repeat(effort, find)?;
        Ok(measured.verdict(&search.stats().occupancy))
    }

    /// Predicted time of registering all points, ms, from registering some.
    fn predict_build(&self, grid: &GridParameters) -> Result<f64, TooManyCells> {
        let points = &self.sample.moments[0].points;
        let [part, least] = PROBED_POINTS;
        let count = (points.len() / part).max(least).min(points.len());
        let mut search = Search::new(grid, self.sample.radius);
        let ids: Vec<u32> = (0..count as u32).collect();
        let (ms, updated) = timed(|| search.update(&points[..count], &ids));
        updated?;
        Ok(ms * points.len() as f64 / count.max(1) as f64)
    }

    /// Predicted time of answering all queries, ms, from answering some.
    fn predict_query(&self, search: &Search) -> f64 {
        let points = &self.sample.moments[0].points;
        let stride = (points.len() / PROBED_RUNS).max(1);
        let queries: Vec<Vec3> =
            points.chunks(stride).flat_map(|run| run.iter().take(PROBED_RUN)).copied().take(PROBED_RUNS * PROBED_RUN).collect();
        // Separate lists, so that those of the trial keep their length.
        let mut lists = NeighborLists::default();
        let (ms, _) = timed(|| search.fill(&mut lists, &queries, Pairing::Across));
        // The probe is one chunk of queries, the work of one thread; in a step all threads share the work.
        ms * points.len() as f64 / queries.len().max(1) as f64 / rayon::current_num_threads() as f64
    }
}

impl Effort {
    /// Time above which a trial is abandoned, ms.
    fn limit(self) -> f64 {
        match self {
            Self::Brief { best } => (ABANDONED_RATIO * best.unwrap_or(0.0)).max(ABANDONED_MS),
            Self::Thorough => f64::INFINITY,
        }
    }
}

/// Times of a trial, ms, and its counts.
#[derive(Default)]
struct Measured {
    builds: Vec<f64>,
    queries: Vec<f64>,
    tally: Tally,
}

impl Measured {
    /// The verdict on a structure that is filled like this.
    fn verdict(self, occupancy: &Occupancy) -> Verdict {
        Verdict::Measured(Cost {
            build_ms: median(&self.builds),
            query_ms: median(&self.queries),
            repeats: self.builds.len() as u32,
            tally: self.tally,
            load_factor: occupancy.load_factor(),
            spills: occupancy.spills,
            bytes: occupancy.bytes,
        })
    }
}

/// Repeats a search, of which `search` makes number 1, 2, 3 …, until the medians of its times of build and query (ms) are reliable.
fn repeat(
    effort: Effort,
    mut search: impl FnMut(usize) -> Result<(f64, f64, Tally), TooManyCells>,
) -> Result<Measured, TooManyCells> {
    let [least, most] = REPEATS;
    let best = if let Effort::Brief { best } = effort { best } else { None };
    let started = Instant::now();
    let mut measured = Measured::default();
    loop {
        let Measured { builds, queries, tally } = &mut measured;
        let repeats = builds.len();
        let sum = median(builds) + median(queries);
        let elapsed = started.elapsed();
        // Times that differ widely are those of other programs: more repeats are needed.
        let agreed = agree(builds.iter().zip(&*queries).map(|(build, query)| build + query).collect());
        let reliable = repeats >= least && (agreed && elapsed > MIN_MEASURED || repeats >= most);
        let beaten = repeats >= 2 && agreed && best.is_some_and(|best| sum > BEATEN_RATIO * best);
        if reliable || beaten || repeats >= 2 && elapsed > MAX_MEASURED {
            return Ok(measured);
        }
        let (build, query, found) = search(repeats + 1)?;
        builds.push(build);
        queries.push(query);
        *tally = found;
    }
}

/// Runs `work`; returns its time in ms and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (1e3 * start.elapsed().as_secs_f64(), result)
}

/// True if times agree well enough to be of the work alone.
fn agree(mut times: Vec<f64>) -> bool {
    times.sort_unstable_by(f64::total_cmp);
    times.first().is_none_or(|least| times[times.len() / 2] < AGREEMENT_RATIO * least)
}

/// Lower median; 0 without values.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

// The frozen state that trials run on.

/// Points at two moments one step apart. Trials alternate between the two moments, so that as many points change their cells in an update
/// as in a step. Walls are no part of it: a step searches them apart, in the same way whatever the grid is.
#[derive(Clone, Debug)]
pub struct Sample {
    pub(super) moments: [Moment; 2],
    domain: Domain,
    /// Search radius, m.
    pub(super) radius: f32,
    is_of_fluid: bool,
}

/// Positions of all points, in the order in memory during a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// Positions, m.
    pub points: Vec<Vec3>,
    /// Stable ids, all different.
    pub ids: Vec<u32>,
    /// Radii of points that are searched as spheres, m; none of others.
    pub radii: Vec<f32>,
}

impl Sample {
    /// A sample of `points` and of `next`, their positions one step later, with `ids` that are all different. Positions and the search radius
    /// `radius` in m.
    pub fn new(points: &[Vec3], next: &[Vec3], ids: &[u32], radius: f32) -> Self {
        Self::inside(Domain::default(), [points, next], ids, radius)
    }

    fn inside(domain: Domain, moments: [&[Vec3]; 2], ids: &[u32], radius: f32) -> Self {
        let mut order = CellOrder::default();
        let moments = moments.map(|points| {
            let order = order.sort(points, radius);
            let points: Vec<Vec3> = order.iter().map(|&index| points[index as usize]).collect();
            let ids: Vec<u32> = order.iter().map(|&index| ids[index as usize]).collect();
            Moment { points, ids, radii: Vec::new() }
        });
        Self { moments, domain, radius, is_of_fluid: true }
    }

    /// A sample of the points of `sets`, which are searched together; `None` if there are no such sets. The second moment is later by the length
    /// of the last step.
    pub fn of_sets(view: &View<'_>, sets: Range<usize>) -> Option<Self> {
        let found = view.sets.get(sets.clone())?;
        let mut searched = SearchedPoints::default();
        let are_spheres = searched.read(view, sets.clone(), found);
        let radius = searched.search_radius(view, sets.start, are_spheres);
        let SearchedPoints { positions, reaches, ids } = searched;
        let velocities = found.iter().flat_map(|set| &set.velocities);
        let next: Vec<Vec3> = positions.iter().zip(velocities).map(|(&x, &v)| x + view.last_dt * v).collect();
        let mut sample = Self::new(&positions, &next, &ids, radius);
        sample.is_of_fluid = false;
        if are_spheres {
            // The ids are the numbers of the points.
            sample
                .moments
                .iter_mut()
                .for_each(|moment| moment.radii = moment.ids.iter().map(|&id| reaches[id as usize]).collect());
        }
        Some(sample)
    }

    /// A sample of the present state of `fluid`; the second moment is later by the length of its last step. Before the first
    /// step nothing moves.
    pub fn of(fluid: &View<'_>) -> Self {
        let &View { domain, particles, last_dt: dt, .. } = fluid;
        let moved = |(&x, &v): (&Vec3, &Vec3)| domain.wrap(x + dt * v);
        let next: Vec<Vec3> = particles.positions.iter().zip(&particles.velocities).map(moved).collect();
        Self::inside(*domain, [&particles.positions, &next], &particles.ids, fluid.search_radius())
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.moments[0].points.len()
    }

    /// True if the sample has no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
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
    fn lower_medians() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[9.0, 1.0]), 1.0);
        assert_eq!(median(&[9.0, 1.0, 2.0, 8.0, 3.0]), 3.0);
    }
}
