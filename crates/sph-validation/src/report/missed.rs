//! Rows of the table of missed criteria.

use crate::case::{Measure, Plan, PlanSlot, Setting};
use crate::verdict::{Run, Verdict};

/// Header of the table.
pub const HEADER: &str = "| Case | Measure | Run | Ours | Accepted | Reason |\n|---|---|---|---|---|---|\n";

/// A criterion and the runs that miss it.
struct Missed<'a> {
    measure: &'a str,
    accepted: String,
    reason: String,
    runs: Vec<&'a Run>,
    /// Our value in each run: the number to sort it by, and its text.
    ours: Vec<(f64, String)>,
}

/// Rows of the table: a case's failed runs and missed criteria. Runs of a matrix or of a list that miss the same criterion for
/// the same reason share a row.
pub fn rows(verdict: &Verdict) -> Vec<String> {
    let mut all: Vec<Missed<'_>> = Vec::new();
    for run in verdict.runs.iter().filter(|run| run.plan.place != PlanSlot::Variant) {
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
    let is_shared = run.plan.place != PlanSlot::Resolution;
    let same = |other: &&mut Missed<'_>| is_shared && other.criterion() == missed.criterion();
    match all.iter_mut().find(same) {
        Some(other) => {
            other.runs.extend(missed.runs);
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
        runs: vec![run],
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
        runs: vec![run],
        ours: vec![(0.0, first.trim_start_matches("the simulation ").to_owned())],
    })
}

/// Largest number of runs of a list that are named.
const NAMED: usize = 6;

/// Names of runs of a case; of a matrix by rows, without the columns if these are all.
fn names(plan: &Plan, runs: &[&Run]) -> String {
    let labels = |runs: &[&Run]| runs.iter().map(|run| run.plan.label.as_str()).collect::<Vec<_>>().join("; ");
    match plan {
        Plan::Resolutions { .. } => labels(runs),
        Plan::List(_) if runs.len() > NAMED => format!("{} runs", runs.len()),
        Plan::List(_) => labels(runs),
        Plan::Matrix { rows, columns, .. } => {
            let is_missed = |row, column| runs.iter().any(|run| run.plan.place == PlanSlot::Cell { row, column });
            let name = |(row, setting): (usize, &Setting)| {
                let missed = columns.iter().enumerate().filter(|(column, _)| is_missed(row, *column));
                let missed: Vec<&str> = missed.map(|(_, column)| column.label).collect();
                match missed.len() {
                    0 => None,
                    all if all == columns.len() => Some(setting.label.to_owned()),
                    _ => Some(format!("{} ({})", setting.label, missed.join(", "))),
                }
            };
            rows.iter().enumerate().filter_map(name).collect::<Vec<_>>().join("; ")
        }
    }
}

impl Missed<'_> {
    /// All that runs have in common which share a row.
    fn criterion(&self) -> [&str; 3] {
        [self.measure, &self.accepted, &self.reason]
    }

    fn write(&self, verdict: &Verdict) -> String {
        let Self { measure, accepted, reason, .. } = self;
        let case = verdict.case;
        let names = names(&case.plan, &self.runs);
        let low = self.ours.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let high = self.ours.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let ours = match (low, high) {
            (Some((_, low)), Some((_, high))) if low != high => format!("{low} to {high}"),
            (Some((_, one)), _) => one.clone(),
            _ => String::new(),
        };
        format!("| [{}](#{}) | {measure} | {names} | {ours} | {accepted} | {reason} |\n", case.title, case.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Criterion, Unit};
    use crate::cases;

    fn run(label: &str, place: PlanSlot, value: f64) -> Run {
        let size = Measure::new("size", value, Unit::Plain(1)).accept(Criterion::AtMost(1.0)).if_missed("it is hard");
        Run::example(label, place, 0.1, vec![size, Measure::new("shown", 9.0, Unit::Plain(1))])
    }

    fn rows_of(runs: Vec<Run>, of_plan: fn(&Plan) -> bool) -> Vec<String> {
        let case = cases::ALL.iter().find(|case| of_plan(&case.plan)).expect("a case");
        let link = format!("| [{}](#{}) | ", case.title, case.name);
        rows(&Verdict { case, runs }).iter().map(|row| row.strip_prefix(&link).expect("the case").to_owned()).collect()
    }

    #[test]
    fn each_resolution_has_its_row_and_variants_have_none() {
        let runs = vec![
            run("fine", PlanSlot::Resolution, 2.0),
            run("finer", PlanSlot::Resolution, 1.0),
            run("other", PlanSlot::Variant, 7.0),
        ];
        let rows = rows_of(runs, |plan| matches!(plan, Plan::Resolutions { .. }));
        let failed = |label: &str| {
            format!("completion of the run | {label} | failed at t = 0.5 s, in step 7 | reaches its end | too fast |\n")
        };
        assert_eq!(rows, [failed("fine"), "size | fine | 2.0 | ≤ 1.0 | it is hard |\n".to_owned(), failed("finer")]);
    }

    #[test]
    fn runs_of_a_list_share_a_row() {
        let is_list = |plan: &Plan| matches!(plan, Plan::List(_));
        let few = vec![run("a", PlanSlot::Item, 3.0), run("b", PlanSlot::Item, f64::NAN), run("c", PlanSlot::Item, 2.0)];
        assert_eq!(rows_of(few, is_list)[1], "size | a; b; c | 2.0 to no value | ≤ 1.0 | it is hard |\n");
        let many = (0..9).map(|_| run("x", PlanSlot::Item, 2.0)).collect();
        assert!(rows_of(many, is_list)[1].starts_with("size | 9 runs | 2.0 |"));
    }

    #[test]
    fn runs_of_a_matrix_are_named_by_rows() {
        let cell = |row, column| run("x", PlanSlot::Cell { row, column }, 2.0);
        let mut runs: Vec<Run> = (0..5).map(|column| cell(1, column)).collect();
        runs.extend([cell(0, 3), cell(0, 4)]);
        let rows = rows_of(runs, |plan| matches!(plan, Plan::Matrix { columns, .. } if columns.len() == 5));
        assert!(rows[1].starts_with("size | WCSPH (single_layer, analytic); DFSPH | 2.0 |"), "{rows:?}");
    }
}
