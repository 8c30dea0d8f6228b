//! Tuning: finds the grid parameters with the cheapest search, by trials of a plan's configurations on a frozen copy of the
//! state.
//!
//! A [`Sweep`] makes one trial per call, so that its caller can show progress, make steps in between, and stop at any time. A
//! trial does the work of a step's phases *build* and *query*: it updates the structure from the state, and fills the neighbour lists.

mod measure;
mod results;

pub use measure::{Sample, expected_trial_time};
pub use results::{Cost, NOTICEABLE, Results, Trial, Verdict};

use std::sync::Arc;

use crate::parameters::{Dimensions, Discretization, GridParameters, MAX_TABLE_SIZE, Registration, Structure};
use crate::setup::Setup;
use crate::simulation::View;
use measure::{Bench, Effort};

/// A series of trials: the present configuration, those of the plan, and finally the best of each structure again, in turns
/// with the present one.
#[derive(Debug)]
pub struct Sweep {
    bench: Bench,
    grids: Vec<GridParameters>,
    /// Costs of each finalist in every round so far, ascending.
    rounds: Vec<Vec<Cost>>,
    results: Arc<Results>,
}

impl Sweep {
    /// A sweep without trials so far. `present` is the configuration that the trials are compared with.
    pub fn new(sample: Sample, present: GridParameters, plan: Plan) -> Self {
        let grids = plan.sequence();
        let results = Arc::new(Results {
            particles: sample.len(),
            support_radius: sample.radius,
            present,
            present_verdict: None,
            trials: Vec::with_capacity(grids.len()),
            finals: Vec::new(),
            final_times: Vec::new(),
            final_trials: 0,
            total: plan.trials(),
            plan,
        });
        Self { bench: Bench::new(sample), grids, rounds: Vec::new(), results }
    }

    /// A sweep of `structures` on the present state of a fluid with this `setup`, on its search or on that of the point sets that are searched with
    /// `set`; `None` if there is no such set.
    pub fn of(fluid: &View<'_>, setup: &Setup, set: Option<usize>, structures: Vec<Structure>) -> Option<Self> {
        let (sample, present) = match set {
            None => (Sample::of(fluid), fluid.parameters.grid),
            Some(set) => {
                let together = setup.points.as_ref()?.source().searched_with(set);
                (Sample::of_sets(fluid, together)?, *fluid.set_grids.get(set)?)
            }
        };
        let plan = Plan::of_search(&present, structures, set, sample.len(), setup);
        Some(Self::new(sample, present, plan))
    }

    /// Results so far.
    pub fn results(&self) -> &Arc<Results> {
        &self.results
    }

    /// Makes the next trial, on the rayon pool of the caller; false if none is left.
    ///
    /// A trial takes the time of a few steps. One that would take more than eight times the least so far, and over 50 ms, is
    /// predicted from a part of its work and abandoned: [`Verdict::TooSlow`].
    pub fn next_trial(&mut self) -> bool {
        let Self { bench, grids, rounds, results } = self;
        let best_so_far = results.best().map(|(_, cost)| cost.total_ms());
        let results = Arc::make_mut(results);
        if results.present_verdict.is_none() {
            results.present_verdict = Some(bench.measure(&results.present, Effort::Thorough));
        } else if let Some(grid) = grids.get(results.trials.len()) {
            let verdict = bench.measure(grid, Effort::Brief { best: best_so_far });
            results.trials.push(Trial { grid: *grid, verdict });
        } else {
            if results.finals.is_empty() {
                results.finals = results.finalists();
                results.total = Plan::trials_with(grids.len(), results.finals.len());
                rounds.resize(results.finals.len(), Vec::new());
                results.final_times.resize(results.finals.len(), Vec::new());
            }
            if results.is_complete() {
                return false;
            }
            let turn = results.final_trials % results.finals.len();
            let Trial { grid, verdict } = &mut results.finals[turn];
            let measured = bench.measure(grid, Effort::Thorough);
            results.final_times[turn].push(measured.cost().map_or(0.0, Cost::total_ms));
            if let Verdict::Measured(cost) = measured {
                rounds[turn].push(cost);
                rounds[turn].sort_by(|a, b| a.total_ms().total_cmp(&b.total_ms()));
                *verdict = Verdict::Measured(rounds[turn][(rounds[turn].len() - 1) / 2]);
            }
            results.final_trials += 1;
        }
        true
    }
}

// Plan of a sweep: the configurations that are tried.

/// Cell sizes that are tried, in support radii: finer near 1, where the best mostly is.
const CELL_SIZES: [f64; 9] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0];

/// Range of table sizes: numbers of powers of two below and above the first that is at least the number of points.
const POWERS: [u32; 2] = [4, 2];

/// Number of rounds in which the best of every structure and the present configuration are measured again, in turns, so that
/// other load of the machine slows all of them alike.
const ROUNDS: usize = 5;

/// Structures, with the table and cell sizes that each is tried with.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The structures.
    pub structures: Vec<Structure>,
    /// Numbers of buckets, ascending, for structures with a table.
    pub table_sizes: Vec<u32>,
    /// Cell sizes, m, ascending, for all structures but brute force, which has no cells.
    pub cell_sizes: Vec<f32>,
    /// Hash function and bucket capacity of all trials; also the table size and the cell size of structures that do not use
    /// one, so that applying such a structure keeps the values for the next structure. A capacity that is the usual one is so in each trial.
    pub base: GridParameters,
    /// Discretisation of the fluid, from which the usual capacities follow; `None` for a search of point sets, whose capacity stays.
    pub discretization: Option<Discretization>,
}

impl Plan {
    /// The plan for the search of the fluid of `setup`, or of its point sets that are searched with `set`, in which there are so many `points`.
    pub fn of_search(
        present: &GridParameters,
        structures: Vec<Structure>,
        set: Option<usize>,
        points: usize,
        setup: &Setup,
    ) -> Self {
        match set.zip(setup.points.as_ref()) {
            None => Self::around(present, structures, points, &setup.discretization),
            Some((set, sets)) => {
                let source = sets.source();
                let usual = source.grids().get(set).map_or(present.cell_size, |grid| grid.cell_size);
                Self::around_points(present, structures, points, (usual, source.cell_sizes(set)))
            }
        }
    }

    /// Tables of powers of two from about a sixteenth of `points` to four times as many, and cells from half to twice the support radius. The
    /// other parameters are as in `present`.
    pub fn around(
        present: &GridParameters,
        structures: Vec<Structure>,
        points: usize,
        discretization: &Discretization,
    ) -> Self {
        let radius = discretization.support_radius;
        let middle = points.clamp(1, MAX_TABLE_SIZE as usize).next_power_of_two().ilog2();
        let [below, above] = POWERS;
        let powers = middle.saturating_sub(below)..=(middle + above).min(MAX_TABLE_SIZE.ilog2());
        Self {
            structures,
            table_sizes: powers.map(|power| 1 << power).collect(),
            cell_sizes: CELL_SIZES.map(|ratio| rounded_up(ratio, radius)).into(),
            base: *present,
            discretization: Some(*discretization),
        }
    }

    /// The same for a search of so many `points` of sets, of which `usual` is the usual cell size and `range` the smallest and the largest, m: cells
    /// from half to twice the usual ones.
    pub fn around_points(
        present: &GridParameters,
        structures: Vec<Structure>,
        points: usize,
        (usual, [low, high]): (f32, [f32; 2]),
    ) -> Self {
        let scale = Discretization { support_radius: usual, ..Discretization::new(Dimensions::Three, usual) };
        let mut plan = Self { discretization: None, ..Self::around(present, structures, points, &scale) };
        plan.cell_sizes.iter_mut().for_each(|size| *size = size.clamp(low, high));
        plan.cell_sizes.dedup();
        plan
    }

    /// All structures and options that may be the fastest: neither brute force nor those that register a point in every cell in
    /// reach, which write in each step what others only read.
    pub fn promising() -> Vec<Structure> {
        let is_slow = |structure: &Structure| {
            matches!(structure, Structure::BruteForce | Structure::BucketHash(_, _, Registration::Everywhere))
        };
        Structure::all().into_iter().filter(|structure| !is_slow(structure)).collect()
    }

    /// Every configuration: structure by structure, then cell size by cell size, then table by table.
    pub fn grids(&self) -> Vec<GridParameters> {
        let mut grids = Vec::new();
        for &structure in &self.structures {
            for &cell_size in self.cell_sizes_of(structure) {
                let tables = self.table_sizes_of(structure).iter();
                grids.extend(tables.map(|&table_size| {
                    let grid = GridParameters { structure, table_size, cell_size, ..self.base };
                    match &self.discretization {
                        Some(discretization) => grid.adapted_from(&self.base, discretization),
                        None => {
                            let bucket_capacity = grid.bucket_capacity.min(grid.most_places_per_bucket());
                            GridParameters { bucket_capacity, ..grid }
                        }
                    }
                }));
            }
        }
        grids
    }

    /// The same in the order in which a sweep tries them: those that follow each other are far apart. Some structures and tables take much longer
    /// than others, and so any part of the trials tells how long all take.
    pub fn sequence(&self) -> Vec<GridParameters> {
        let grids = self.grids();
        let count = grids.len();
        // About the golden section of the whole, and without a common divisor, so that each is met once.
        let has_common_divisor = |stride: usize| {
            (2..=stride.min(count)).any(|divisor| stride.is_multiple_of(divisor) && count.is_multiple_of(divisor))
        };
        let mut stride = (count * 618 / 1000).max(1);
        while has_common_divisor(stride) {
            stride += 1;
        }
        (0..count).map(|number| grids[number * stride % count]).collect()
    }

    /// Number of trials: the present configuration, every other, and the finals.
    pub fn trials(&self) -> usize {
        let tried = |structure| self.table_sizes_of(structure).len() * self.cell_sizes_of(structure).len();
        let grids: usize = self.structures.iter().map(|&structure| tried(structure)).sum();
        Self::trials_with(grids, 1 + self.structures.len())
    }

    /// Number of trials with so many configurations besides the present one, and so many finalists.
    fn trials_with(grids: usize, finalists: usize) -> usize {
        1 + grids + ROUNDS * finalists
    }

    /// The table sizes that `structure` is tried with: the base's alone if it has no table.
    pub fn table_sizes_of(&self, structure: Structure) -> &[u32] {
        if structure.has_table() { &self.table_sizes } else { std::slice::from_ref(&self.base.table_size) }
    }

    /// The cell sizes that `structure` is tried with, m: the base's alone if it has no cells.
    pub fn cell_sizes_of(&self, structure: Structure) -> &[f32] {
        if structure == Structure::BruteForce { std::slice::from_ref(&self.base.cell_size) } else { &self.cell_sizes }
    }
}

/// `ratio` times `radius` with four significant digits, as a person would write it. Rounded up: a cell slightly smaller than
/// the radius would make queries look into one more layer of cells.
fn rounded_up(ratio: f64, radius: f32) -> f32 {
    // The decimal digits of `radius`, without those that the conversion from single precision adds.
    let exact = ratio * radius.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(radius));
    let scale = 10f64.powi(3 - exact.log10().floor() as i32);
    ((exact * scale - 1e-6).ceil() / scale) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_sizes_have_four_digits_and_are_rounded_up() {
        assert_eq!(
            [(1.0, 0.0325), (0.7, 0.08), (1.25, 0.08), (0.5, 0.03)].map(|(ratio, radius)| rounded_up(ratio, radius)),
            [0.0325, 0.056, 0.1, 0.015]
        );
        assert_eq!([rounded_up(1.0, 1.0 / 30.0), rounded_up(2.0, 12_345.678)], [0.033_34, 24_700.0]);
    }
}
