//! Tuning: finds the grid parameters with the cheapest search, by trials of a plan's configurations on a frozen copy of the
//! state.
//!
//! A [`Sweep`] makes one trial per call, so that its caller can show progress, make steps in between, and stop at any time. A
//! trial does the work of a step: it updates the structure from the state, and fills the neighbour lists.

mod measure;
mod plan;
mod results;
mod sample;

pub use measure::expected_trial_time;
pub use plan::Plan;
pub use results::{Cost, NOTICEABLE, Results, Trial, Verdict};
pub use sample::Sample;

use crate::parameters::GridParameters;
use measure::{Bench, Effort};
use std::sync::Arc;

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
        let grids = plan.grids();
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
        let rival = results.best().map(|(_, cost)| cost.total_ms());
        let results = Arc::make_mut(results);
        if results.present_verdict.is_none() {
            results.present_verdict = Some(bench.measure(&results.present, Effort::Thorough));
        } else if let Some(grid) = grids.get(results.trials.len()) {
            let verdict = bench.measure(grid, Effort::Brief { rival });
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
