//! What the trials have shown.

use super::Plan;
use crate::neighbors::Tally;
use crate::parameters::{GridParameters, Structure};

/// Less of a gain than this many times is within what measurements scatter by.
pub const NOTICEABLE: f64 = 1.05;

/// What a configuration costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Median time of an update from one moment to the other, ms.
    pub build_ms: f64,
    /// Median time of filling the neighbour lists, the walls' included, ms.
    pub query_ms: f64,
    /// How often each was measured.
    pub repeats: u32,
    /// Candidates and neighbours of the points among themselves.
    pub tally: Tally,
    /// Occupied cells / table size.
    pub load_factor: f64,
    /// Points that did not fit into their buckets.
    pub spills: usize,
    /// Bytes that the structure holds for the points.
    pub bytes: usize,
}

impl Cost {
    /// Build and query, ms.
    pub fn total_ms(&self) -> f64 {
        self.build_ms + self.query_ms
    }

    /// Distances tested for each neighbour found; 0 when there was none.
    pub fn candidates_per_neighbor(&self) -> f64 {
        if self.tally.neighbors == 0 { 0.0 } else { self.tally.candidates as f64 / self.tally.neighbors as f64 }
    }
}

/// How a trial ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// With numbers.
    Measured(Cost),
    /// It was not worth finishing: build and query would take about this long, ms.
    TooSlow {
        /// Extrapolated from a part of the work.
        predicted_ms: f64,
    },
    /// The configuration is not possible here, for this reason.
    Refused(String),
}

impl Verdict {
    /// The numbers, if there are any.
    pub fn cost(&self) -> Option<&Cost> {
        if let Self::Measured(cost) = self { Some(cost) } else { None }
    }
}

/// A configuration and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The configuration.
    pub grid: GridParameters,
    /// How it went.
    pub verdict: Verdict,
}

impl Trial {
    /// The numbers, if there are any.
    pub fn cost(&self) -> Option<&Cost> {
        self.verdict.cost()
    }

    /// The configuration and its cost, if it was measured.
    fn measured(&self) -> Option<(GridParameters, Cost)> {
        self.cost().map(|&cost| (self.grid, cost))
    }
}

/// Everything that a sweep has found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Number of points, walls apart.
    pub particles: usize,
    /// The radius of the search, m.
    pub support_radius: f32,
    /// What is being tried.
    pub plan: Plan,
    /// The configuration that the others are compared with.
    pub present: GridParameters,
    /// What it costs, once that is known.
    pub present_verdict: Option<Verdict>,
    /// The trials of the plan so far, in the order of [`Plan::grids`].
    pub trials: Vec<Trial>,
    /// The present configuration and the best of each structure, measured again in turns: the median of the rounds so far.
    pub finals: Vec<Trial>,
    /// Trials made for them.
    pub final_trials: usize,
    /// Trials in all.
    pub total: usize,
}

impl Results {
    /// Trials made.
    pub fn done(&self) -> usize {
        usize::from(self.present_verdict.is_some()) + self.trials.len() + self.final_trials
    }

    /// Whether all trials have been made.
    pub fn is_complete(&self) -> bool {
        self.done() == self.total
    }

    /// Whether the best have all been measured again at least once, so that those numbers are what counts.
    pub fn has_finals(&self) -> bool {
        self.final_trials > 0 && self.final_trials >= self.finals.len()
    }

    /// What the present configuration costs: the latest measurement.
    pub fn present_cost(&self) -> Option<&Cost> {
        self.again(&self.present).and_then(Trial::cost).or_else(|| self.present_verdict.as_ref().and_then(Verdict::cost))
    }

    /// The configuration whose build and query take least, and its cost: of those measured again, if there are any, else of all. It is the
    /// present one when nothing is cheaper.
    pub fn best(&self) -> Option<(GridParameters, Cost)> {
        let present = self.present_cost().map(|&cost| (self.present, cost));
        let trials = if self.has_finals() { &self.finals } else { &self.trials };
        cheapest(present.into_iter().chain(trials.iter().filter_map(Trial::measured)))
    }

    /// The best of the plan's configurations with `structure`, and its cost: as measured again, if it has been.
    pub fn best_of(&self, structure: Structure) -> Option<(GridParameters, Cost)> {
        let (grid, cost) =
            cheapest(self.trials.iter().filter(|trial| trial.grid.structure == structure).filter_map(Trial::measured))?;
        Some((grid, self.again(&grid).and_then(Trial::cost).copied().unwrap_or(cost)))
    }

    /// The trial of the plan with this configuration, if it has been made: as measured again, if it has been.
    pub fn trial(&self, structure: Structure, table_size: u32, cell_size: f32) -> Option<&Trial> {
        let first = self.trials.iter().find(|trial| {
            let GridParameters { structure: its, table_size: table, cell_size: cell, .. } = trial.grid;
            its == structure && table == table_size && cell == cell_size
        })?;
        Some(self.again(&first.grid).unwrap_or(first))
    }

    /// The later trial of `grid`, if those count already.
    fn again(&self, grid: &GridParameters) -> Option<&Trial> {
        self.finals.iter().filter(|_| self.has_finals()).find(|trial| trial.grid == *grid)
    }

    /// How many times less the best takes than the present configuration; at least 1, and 1 while either is unknown.
    pub fn speed_up(&self) -> f64 {
        match (self.present_cost(), self.best()) {
            (Some(present), Some((_, best))) => (present.total_ms() / best.total_ms().max(1e-9)).max(1.0),
            _ => 1.0,
        }
    }

    /// The best and its cost, if it is [noticeably](NOTICEABLE) faster than the present configuration.
    pub fn improvement(&self) -> Option<(GridParameters, Cost)> {
        self.best().filter(|(grid, _)| *grid != self.present && self.speed_up() >= NOTICEABLE)
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

/// The first of the cheapest.
fn cheapest(trials: impl Iterator<Item = (GridParameters, Cost)>) -> Option<(GridParameters, Cost)> {
    trials.min_by(|(_, a), (_, b)| a.total_ms().total_cmp(&b.total_ms()))
}
