//! The table for the terminal.

use crate::headless::validate::case::Place;
use crate::headless::validate::verdict::Verdict;
use std::fmt::Write as _;

/// Table with one line per measure that must meet its criterion, and per run that failed.
pub fn table(verdicts: &[Verdict]) -> String {
    let mut text = format!("{:<16}{:<58}{:>10}  {:<18}{:<6}{:>8}\n", "case", "measure", "ours", "accepted", "", "time");
    for verdict in verdicts {
        for run in verdict.runs.iter().filter(|run| run.plan.place != Place::Variant) {
            let (case, label) = (verdict.case.name, &run.plan.label);
            let time = run.record.as_ref().map_or(0.0, |record| record.time.as_secs_f64());
            if let Err(failure) = &run.record {
                let _ = writeln!(text, "{case:<16}{label}: the run failed");
                let _ = writeln!(text, "{}", failure.report(false));
            }
            for measure in run.measures.iter().filter(|_| run.judged) {
                let Some(passes) = measure.passes() else { continue };
                let name = format!("{} ({label})", measure.name);
                let result = if passes { "pass" } else { "FAIL" };
                let (ours, accepted) = (measure.ours(), measure.accepted());
                let _ = writeln!(text, "{case:<16}{name:<58}{ours:>10}  {accepted:<18}{result:<6}{time:>6.0} s");
            }
        }
    }
    text
}
