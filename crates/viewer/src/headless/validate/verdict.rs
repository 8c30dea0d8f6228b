//! Verdict on a case.

use super::case::{Case, Judged, Measure};
use super::record::RunRecord;
use crate::headless::Failure;

/// A case with its runs.
pub struct Verdict {
    /// The case.
    pub case: &'static Case,
    /// Its runs, the coarsest first.
    pub runs: Vec<Run>,
}

/// A run of a case.
pub struct Run {
    /// The resolution's label.
    pub label: &'static str,
    /// Record of the run, or its failure.
    pub record: Result<RunRecord, Failure>,
    /// Its measures; empty if it failed.
    pub measures: Vec<Measure>,
    /// True if its measures must meet their criteria.
    pub judged: bool,
}

/// Measures all runs. `results` are in the order of cases and resolutions.
pub fn judge(cases: &[&'static Case], results: Vec<(&'static Case, &'static str, Result<RunRecord, Failure>)>) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = cases.iter().map(|&case| Verdict { case, runs: Vec::new() }).collect();
    for (case, label, record) in results {
        let measures = record.as_ref().map_or_else(|_| Vec::new(), case.measure);
        if let Some(verdict) = verdicts.iter_mut().find(|verdict| verdict.case.name == case.name) {
            verdict.runs.push(Run { label, record, measures, judged: case.judged == Judged::Each });
        }
    }
    verdicts.retain(|verdict| !verdict.runs.is_empty());
    for verdict in &mut verdicts {
        if let Some(finest) = verdict.runs.last_mut() {
            finest.judged = true;
        }
    }
    verdicts
}

impl Verdict {
    /// The measures that must meet their criteria.
    pub fn judged(&self) -> impl Iterator<Item = &Measure> {
        self.runs.iter().filter(|run| run.judged).flat_map(|run| &run.measures)
    }

    /// True if every run finished and every criterion is met.
    pub fn passes(&self) -> bool {
        self.runs.iter().all(|run| run.record.is_ok()) && self.judged().all(Measure::passes)
    }
}
