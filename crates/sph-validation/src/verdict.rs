//! Verdict on a case.

use crate::case::{Case, Judged, Measure, Plan, PlanSlot, PlannedRun};
use crate::runs::{Done, RunRecord};
use sph_commands::Failure;

/// A case with its runs.
pub struct Verdict {
    /// The case.
    pub case: &'static Case,
    /// Its runs, in the order of the plan.
    pub runs: Vec<Run>,
}

/// A run of a case.
pub struct Run {
    /// Label and place in the plan.
    pub plan: PlannedRun,
    /// Particle spacing, m.
    pub spacing: f64,
    /// Record of the run, or its failure.
    pub record: Result<RunRecord, Failure>,
    /// Its measures; empty if it failed.
    pub measures: Vec<Measure>,
    /// True if its measures must meet their criteria.
    pub judged: bool,
}

/// Measures and judges all runs. Cases without a run are left out.
pub fn judge(cases: &[&'static Case], done: Vec<Done>) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = cases.iter().map(|&case| Verdict { case, runs: Vec::new() }).collect();
    for Done { case, run: plan, spacing, record } in done {
        let measures = record.as_ref().map_or_else(|_| Vec::new(), case.measure);
        if let Some(verdict) = verdicts.iter_mut().find(|verdict| verdict.case.name == case.name) {
            verdict.runs.push(Run { plan, spacing, record, measures, judged: false });
        }
    }
    verdicts.retain(|verdict| !verdict.runs.is_empty());
    for Verdict { case, runs } in &mut verdicts {
        let places: Vec<(PlanSlot, f64)> = runs.iter().map(|run| (run.plan.place, run.spacing)).collect();
        for (run, judged) in runs.iter_mut().zip(are_judged(&case.plan, &places)) {
            run.judged = judged;
        }
    }
    verdicts
}

/// For each run, by place and spacing, true if it must meet the criteria.
fn are_judged(plan: &Plan, runs: &[(PlanSlot, f64)]) -> Vec<bool> {
    let resolutions = runs.iter().filter(|(place, _)| *place == PlanSlot::Resolution);
    let finest = resolutions.map(|(_, spacing)| *spacing).fold(f64::INFINITY, f64::min);
    let is_judged = |(place, spacing): &(PlanSlot, f64)| match plan {
        _ if *place == PlanSlot::Variant => false,
        Plan::Resolutions { judged: Judged::Finest, .. } => *spacing == finest,
        Plan::Resolutions { judged: Judged::Each, .. } | Plan::Matrix { .. } | Plan::List(_) => true,
    };
    runs.iter().map(is_judged).collect()
}

impl Verdict {
    /// Results of the judged measures: true for one that passes.
    fn results(&self) -> impl Iterator<Item = bool> {
        self.runs.iter().filter(|run| run.judged).flat_map(|run| run.measures.iter().filter_map(Measure::passes))
    }

    /// Number of criteria that are met, and of all.
    pub fn score(&self) -> (usize, usize) {
        (self.results().filter(|passes| *passes).count(), self.results().count())
    }

    /// Number of runs that failed, without variants.
    pub fn failures(&self) -> usize {
        self.runs.iter().filter(|run| run.plan.place != PlanSlot::Variant && run.record.is_err()).count()
    }

    /// True if every run, variants apart, finished and every criterion is met.
    pub fn passes(&self) -> bool {
        self.failures() == 0 && self.results().all(|passes| passes)
    }

    /// The runs at the resolutions that finished, for plots.
    pub fn resolutions(&self) -> Vec<&RunRecord> {
        let runs = self.runs.iter().filter(|run| run.plan.place == PlanSlot::Resolution);
        runs.filter_map(|run| run.record.as_ref().ok()).collect()
    }
}

#[cfg(test)]
impl Run {
    /// A judged run with these measures whose record is missing, as if it had failed: enough for tables.
    pub fn example(label: &str, place: PlanSlot, spacing: f64, measures: Vec<Measure>) -> Self {
        let failure = "the simulation failed at t = 0.5 s, in step 7\n  why: too fast\n  try: less";
        let plan = PlannedRun { label: label.to_owned(), set: Vec::new(), place, quick: false };
        Self { plan, spacing, record: Err(Failure::Run(failure.to_owned())), measures, judged: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn plan(judged: Judged) -> Plan {
        Plan::Resolutions { resolutions: &[], judged, variants: &[] }
    }

    #[test]
    fn the_finest_resolution_is_judged_whatever_the_order() {
        use PlanSlot::{Resolution, Variant};
        let finest = |runs: &[(PlanSlot, f64)]| are_judged(&plan(Judged::Finest), runs);
        assert_eq!(finest(&[(Resolution, 0.2), (Resolution, 0.1), (Variant, 0.05)]), [false, true, false]);
        assert_eq!(finest(&[(Resolution, 0.1), (Resolution, 0.2)]), [true, false]);
        // Two series, such as two solvers, end at the same spacing.
        let two = [(Resolution, 0.2), (Resolution, 0.1), (Resolution, 0.2), (Resolution, 0.1)];
        assert_eq!(finest(&two), [false, true, false, true]);
        assert_eq!(are_judged(&plan(Judged::Each), &[(Resolution, 0.2), (Variant, 0.2)]), [true, false]);
        assert_eq!(are_judged(&Plan::List(Vec::new), &[(PlanSlot::Item, 0.2), (PlanSlot::Item, 0.1)]), [true, true]);
    }
}
