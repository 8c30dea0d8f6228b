//! Results of a sweep.

use super::Plan;
use crate::neighbors::Tally;
use crate::parameters::{GridParameters, Structure};

/// Smallest speed-up that counts: less is within the scatter of measurements.
pub const NOTICEABLE: f64 = 1.05;

/// Cost of a configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Median time of an update between the two moments of the sample, ms: the phase *build* of a step.
    pub build_ms: f64,
    /// Median time of filling the neighbour lists, ms: the phase *query* of a step.
    pub query_ms: f64,
    /// Number of measurements of each time.
    pub repeats: u32,
    /// Candidates and neighbours of the points among themselves.
    pub tally: Tally,
    /// Load factor: occupied cells / table size.
    pub load_factor: f64,
    /// Number of points that did not fit into their buckets.
    pub spills: usize,
    /// Memory of the structure with the points, bytes.
    pub bytes: usize,
}

impl Cost {
    /// Time of build and query together, ms.
    pub fn total_ms(&self) -> f64 {
        self.build_ms + self.query_ms
    }

    /// Distances tested per neighbour found; 0 without neighbours.
    pub fn candidates_per_neighbor(&self) -> f64 {
        if self.tally.neighbors == 0 { 0.0 } else { self.tally.candidates as f64 / self.tally.neighbors as f64 }
    }
}

/// Outcome of a trial.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Finished, with this cost.
    Measured(Cost),
    /// Abandoned: build and query would take too long.
    TooSlow {
        /// Time of build and query, ms, extrapolated from a part of the work.
        predicted_ms: f64,
    },
    /// Not possible: the reason.
    Refused(String),
}

impl Verdict {
    /// The cost, if it was measured.
    pub fn cost(&self) -> Option<&Cost> {
        if let Self::Measured(cost) = self { Some(cost) } else { None }
    }
}

/// A configuration and the outcome of its trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The configuration.
    pub grid: GridParameters,
    /// Outcome of the trial.
    pub verdict: Verdict,
}

impl Trial {
    /// The cost, if it was measured.
    pub fn cost(&self) -> Option<&Cost> {
        self.verdict.cost()
    }

    /// The configuration and its cost, if it was measured.
    fn measured(&self) -> Option<(GridParameters, Cost)> {
        self.cost().map(|&cost| (self.grid, cost))
    }
}

/// Results of a sweep so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Number of points.
    pub particles: usize,
    /// Search radius, m.
    pub support_radius: f32,
    /// Plan of the sweep.
    pub plan: Plan,
    /// The configuration that the others are compared with.
    pub present: GridParameters,
    /// Outcome for the present configuration; `None` before its trial.
    pub present_verdict: Option<Verdict>,
    /// The trials of the plan so far, in the order of [`Plan::grids`].
    pub trials: Vec<Trial>,
    /// The present configuration and the best of each structure, measured again in turns: the median cost of the rounds so far.
    pub finals: Vec<Trial>,
    /// Times of build and query of each of `finals` in the rounds so far, ms; 0 where a round gave none.
    pub final_times: Vec<Vec<f64>>,
    /// Number of trials made for `finals`.
    pub final_trials: usize,
    /// Number of trials in all.
    pub total: usize,
}

impl Results {
    /// Number of trials made.
    pub fn done(&self) -> usize {
        usize::from(self.present_verdict.is_some()) + self.trials.len() + self.final_trials
    }

    /// True if all trials have been made.
    pub fn is_complete(&self) -> bool {
        self.done() == self.total
    }

    /// True if every finalist has been measured again at least once, so that `finals` replace the first measurements.
    pub fn has_finals(&self) -> bool {
        self.final_trials > 0 && self.final_trials >= self.finals.len()
    }

    /// Cost of the present configuration by the latest measurement.
    pub fn present_cost(&self) -> Option<&Cost> {
        self.again(&self.present).and_then(Trial::cost).or_else(|| self.present_verdict.as_ref().and_then(Verdict::cost))
    }

    /// The configuration with the least time of build and query, and its cost: among the finalists if they have been measured,
    /// else among all. The present one if none is cheaper.
    pub fn best(&self) -> Option<(GridParameters, Cost)> {
        let present = self.present_cost().map(|&cost| (self.present, cost));
        let trials = if self.has_finals() { &self.finals } else { &self.trials };
        cheapest(present.into_iter().chain(trials.iter().filter_map(Trial::measured)))
    }

    /// The best of the plan's configurations with `structure`, and its cost by the latest measurement.
    pub fn best_of(&self, structure: Structure) -> Option<(GridParameters, Cost)> {
        let (grid, cost) =
            cheapest(self.trials.iter().filter(|trial| trial.grid.structure == structure).filter_map(Trial::measured))?;
        Some((grid, self.again(&grid).and_then(Trial::cost).copied().unwrap_or(cost)))
    }

    /// The trial of the plan's configuration with these values, if it has been made, by the latest measurement.
    pub fn trial(&self, structure: Structure, table_size: u32, cell_size: f32) -> Option<&Trial> {
        let first = self.trials.iter().find(|trial| {
            let GridParameters { structure: its, table_size: table, cell_size: cell, .. } = trial.grid;
            its == structure && table == table_size && cell == cell_size
        })?;
        Some(self.again(&first.grid).unwrap_or(first))
    }

    /// The trial of `grid` among the finalists, if these have been measured.
    fn again(&self, grid: &GridParameters) -> Option<&Trial> {
        self.finals.iter().filter(|_| self.has_finals()).find(|trial| trial.grid == *grid)
    }

    /// Speed-up: time of the present configuration / time of the best, at least 1; 1 while either is unknown.
    pub fn speed_up(&self) -> f64 {
        match (self.present_cost(), self.best()) {
            (Some(present), Some((_, best))) => (present.total_ms() / best.total_ms().max(1e-9)).max(1.0),
            _ => 1.0,
        }
    }

    /// Least and greatest speed-up of the best over the present configuration among the rounds, in each of which both were measured
    /// shortly after one another; `None` before the first round, or if the present one is the best.
    pub fn speed_up_range(&self) -> Option<[f64; 2]> {
        let times_of = |grid: GridParameters| {
            let place = self.finals.iter().position(|trial| trial.grid == grid)?;
            self.final_times.get(place)
        };
        let (best, _) = self.best().filter(|(grid, _)| *grid != self.present)?;
        let rounds =
            times_of(self.present)?.iter().zip(times_of(best)?).filter(|(present, best)| **present > 0.0 && **best > 0.0);
        let ratios = rounds.map(|(present, best)| present / best);
        ratios.fold(None, |range, ratio| {
            Some(range.map_or([ratio; 2], |[least, most]: [f64; 2]| [least.min(ratio), most.max(ratio)]))
        })
    }

    /// True if the best was faster than the present configuration in every round: a machine with other work makes either faster by
    /// chance.
    pub fn is_clear(&self) -> bool {
        self.speed_up_range().is_none_or(|[least, _]| least > 1.0)
    }

    /// The best and its cost, if it is [noticeably](NOTICEABLE) and clearly faster than the present configuration.
    pub fn improvement(&self) -> Option<(GridParameters, Cost)> {
        self.best().filter(|(grid, _)| *grid != self.present && self.speed_up() >= NOTICEABLE && self.is_clear())
    }

    /// The present configuration, and the best of each structure that was measured.
    pub(super) fn finalists(&self) -> Vec<Trial> {
        let present = self.present_verdict.clone().map(|verdict| Trial { grid: self.present, verdict });
        let best = self.plan.structures.iter().filter_map(|&structure| self.best_of(structure));
        let others = best.filter(|(grid, _)| *grid != self.present);
        let others = others.map(|(grid, cost)| Trial { grid, verdict: Verdict::Measured(cost) });
        present.into_iter().chain(others).collect()
    }
}

/// The cheapest trial; the first of several.
fn cheapest(trials: impl Iterator<Item = (GridParameters, Cost)>) -> Option<(GridParameters, Cost)> {
    trials.min_by(|(_, a), (_, b)| a.total_ms().total_cmp(&b.total_ms()))
}
