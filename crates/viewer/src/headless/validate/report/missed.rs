//! Rows of the table of missed criteria.

use crate::headless::validate::case::{Measure, Place};
use crate::headless::validate::verdict::{Run, Verdict};

/// Header of the table.
pub const HEADER: &str = "| Case | Measure | Run | Ours | Accepted | Reason |\n|---|---|---|---|---|---|\n";

/// A criterion and the runs that miss it.
struct Missed<'a> {
    measure: &'a str,
    accepted: String,
    reason: String,
    labels: Vec<&'a str>,
    /// Our value in each run: the number to sort it by, and its text.
    ours: Vec<(f64, String)>,
}

/// Rows of the table: a case's failed runs and missed criteria. Runs of a matrix or of a list that miss the same criterion share
/// a row.
pub fn rows(verdict: &Verdict) -> Vec<String> {
    let mut all: Vec<Missed<'_>> = Vec::new();
    for run in verdict.runs.iter().filter(|run| run.plan.place != Place::Variant) {
        if let Some(missed) = failure(run) {
            add(&mut all, missed, run);
        }
        let missed = run.measures.iter().filter(|measure| run.judged && measure.passes() == Some(false));
        for measure in missed {
            add(&mut all, criterion(measure, run), run);
        }
    }
    all.iter().map(|missed| missed.write(verdict)).collect()
}

/// Adds to the row that `missed` shares, if there is one.
fn add<'a>(all: &mut Vec<Missed<'a>>, missed: Missed<'a>, run: &Run) {
    let is_shared = run.plan.place != Place::Resolution;
    let same = |other: &&mut Missed<'_>| is_shared && (other.measure, &other.accepted) == (missed.measure, &missed.accepted);
    match all.iter_mut().find(same) {
        Some(other) => {
            other.labels.extend(missed.labels);
            other.ours.extend(missed.ours);
        }
        None => all.push(missed),
    }
}

fn criterion<'a>(measure: &'a Measure, run: &'a Run) -> Missed<'a> {
    Missed {
        measure: &measure.name,
        accepted: measure.accepted(),
        reason: if measure.reason.is_empty() { "not known".to_owned() } else { measure.reason.to_owned() },
        labels: vec![&run.plan.label],
        ours: vec![(measure.value, measure.ours())],
    }
}

/// The row of a run that failed: the first line of its message, and the simulation's reason.
fn failure(run: &Run) -> Option<Missed<'_>> {
    let report = run.record.as_ref().err()?.report(false);
    let first = report.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let reason = report.lines().find_map(|line| line.trim_start().strip_prefix("why:")).unwrap_or_default();
    Some(Missed {
        measure: "completion of the run",
        accepted: "reaches its end".to_owned(),
        reason: reason.trim().to_owned(),
        labels: vec![&run.plan.label],
        ours: vec![(0.0, first.trim_start_matches("the simulation ").to_owned())],
    })
}

/// Largest number of runs that are named.
const NAMED: usize = 6;

impl Missed<'_> {
    fn write(&self, verdict: &Verdict) -> String {
        let Self { measure, accepted, reason, .. } = self;
        let (case, count) = (verdict.case, self.labels.len());
        let labels = if count > NAMED { format!("{count} of {} runs", verdict.runs.len()) } else { self.labels.join("; ") };
        let low = self.ours.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let high = self.ours.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let ours = match (low, high) {
            (Some((_, low)), Some((_, high))) if low != high => format!("{low} to {high}"),
            (Some((_, one)), _) => one.clone(),
            _ => String::new(),
        };
        format!("| [{}](#{}) | {measure} | {labels} | {ours} | {accepted} | {reason} |\n", case.title, case.name)
    }
}
