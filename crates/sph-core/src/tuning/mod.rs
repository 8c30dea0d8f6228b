//! Which grid costs a step least: every configuration of a plan tried on a frozen copy of the present state.
//!
//! A [`Sweep`] is driven from outside, one trial at a time, so that whoever drives it shows progress, lets steps go between, and stops
//! whenever it likes. A trial pays what a step pays: the structure is updated from the state, and the neighbour lists are filled.

mod measure;
mod plan;
mod results;
mod sample;

pub use plan::Plan;
pub use results::{Cost, Results, Trial, Verdict};
pub use sample::Sample;

use crate::neighbors::GridParameters;
use measure::{Bench, Effort};
use std::sync::Arc;

/// Configurations that are measured a second time, with the present one, when all have been tried: of hundreds the least time may be
/// luck.
const FINALISTS: usize = 4;

/// A series of trials: the present configuration, those of the plan, and at last the cheapest again, in one run with the present one.
#[derive(Debug)]
pub struct Sweep {
    bench: Bench,
    grids: Vec<GridParameters>,
    /// What is measured again, once it is known.
    finals: Vec<GridParameters>,
    results: Arc<Results>,
}

impl Sweep {
    /// Nothing tried yet. `present` is what the trials are compared with.
    pub fn new(sample: Sample, present: GridParameters, plan: Plan) -> Self {
        let grids = plan.grids();
        let results = Arc::new(Results {
            particles: sample.len(),
            support_radius: sample.radius,
            present,
            present_verdict: None,
            trials: Vec::with_capacity(grids.len()),
            finals: Vec::new(),
            total: 1 + grids.len() + FINALISTS.min(grids.len()) + 1,
            plan,
        });
        Self { bench: Bench::new(sample), grids, finals: Vec::new(), results }
    }

    /// What has been found so far.
    pub fn results(&self) -> &Arc<Results> {
        &self.results
    }

    /// Makes the next trial, on the rayon pool that this is called from; whether there was one to make.
    ///
    /// A trial takes a few steps' time. One that is going to take more than eight times the least so far, and over 50 ms, is found out by a
    /// part of its work and abandoned: [`Verdict::TooSlow`].
    pub fn next_trial(&mut self) -> bool {
        let Self { bench, grids, finals, results } = self;
        let rival = results.least();
        let results = Arc::make_mut(results);
        if results.present_verdict.is_none() {
            results.present_verdict = Some(bench.measure(&results.present, Effort::Thorough));
        } else if let Some(grid) = grids.get(results.trials.len()) {
            let verdict = bench.measure(grid, Effort::Brief { rival });
            results.trials.push(Trial { grid: *grid, verdict });
        } else {
            if results.finals.is_empty() {
                *finals = results.finalists(FINALISTS);
                // Where the present configuration is among the best, or few could be measured, there is less to repeat.
                results.total = 1 + grids.len() + finals.len();
            }
            let Some(grid) = finals.get(results.finals.len()) else { return false };
            results.finals.push(Trial { grid: *grid, verdict: bench.measure(grid, Effort::Thorough) });
        }
        true
    }
}
