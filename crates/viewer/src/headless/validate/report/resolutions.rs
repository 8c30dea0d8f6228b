//! Tables of a case that is run at several resolutions: its measures, and those of its variants.

use super::{cost, order};
use crate::headless::validate::case::{Measure, Place};
use crate::headless::validate::verdict::Run;
use std::fmt::Write as _;

/// All tables of the runs.
pub fn tables(runs: &[Run]) -> String {
    let at = |place: Place| runs.iter().filter(move |run| run.plan.place == place).collect::<Vec<&Run>>();
    let variants = at(Place::Variant);
    let mut text = measures(&at(Place::Resolution));
    if !variants.is_empty() {
        text += "\nVariants, shown and not judged:\n\n";
        text += &shown(&variants);
    }
    text + &cost::table(runs)
}

/// Header of the table of measures at these resolutions.
pub fn header(labels: &[&str]) -> String {
    let columns = "---|".repeat(labels.len());
    let labels = labels.join(" | ");
    format!("| Measure | {labels} | Order | Accepted | Elsewhere | Result |\n|---|{columns}---|---|---|---|\n")
}

fn measures(runs: &[&Run]) -> String {
    let labels: Vec<&str> = runs.iter().map(|run| run.plan.label.as_str()).collect();
    let rows = longest(runs).iter().enumerate().map(|(index, measure)| row(runs, measure, index));
    header(&labels) + &rows.collect::<String>()
}

/// Table without judgement: a column per run.
fn shown(runs: &[&Run]) -> String {
    let labels: Vec<&str> = runs.iter().map(|run| run.plan.label.as_str()).collect();
    let mut text = format!("| Measure | {} |\n|---|{}\n", labels.join(" | "), "---|".repeat(runs.len()));
    for (index, measure) in longest(runs).iter().enumerate() {
        let values: Vec<String> = runs.iter().map(|run| value(run, index)).collect();
        let _ = writeln!(text, "| {} | {} |", measure.name, values.join(" | "));
    }
    text
}

/// The measures of a run that finished; empty if none did.
fn longest<'a>(runs: &[&'a Run]) -> &'a [Measure] {
    runs.iter().max_by_key(|run| run.measures.len()).map_or(&[], |run| &run.measures)
}

fn value(run: &Run, index: usize) -> String {
    run.measures.get(index).map_or("failed".to_owned(), Measure::ours)
}

/// A measure at every resolution; bold at those that must meet the criterion.
fn row(runs: &[&Run], measure: &Measure, index: usize) -> String {
    let of = |run: &&Run| run.measures.get(index).cloned();
    let judged: Vec<Measure> = runs.iter().filter(|run| run.judged).filter_map(of).collect();
    let bold = |run: &&Run| match of(run) {
        Some(Measure { criterion: Some(_), .. }) if run.judged => format!("**{}**", value(run, index)),
        _ => value(run, index),
    };
    let values: Vec<String> = runs.iter().map(bold).collect();
    let orders = measure.exact.map_or_else(Vec::new, |exact| {
        let error = |run: &&Run| of(run).map_or(f64::NAN, |measure| (measure.value - exact).abs());
        order::orders(&runs.iter().map(|run| (run.spacing, error(run))).collect::<Vec<_>>())
    });
    // Most measures have one criterion for all resolutions.
    let mut criteria: Vec<String> = judged.iter().map(Measure::accepted).collect();
    criteria.dedup();
    let passes: Option<Vec<bool>> = judged.iter().map(Measure::passes).collect();
    let result = match passes {
        None => "shown",
        Some(passes) if !passes.is_empty() && passes.iter().all(|passes| *passes) => "pass",
        Some(_) => "**fail**",
    };
    let (name, values, orders) = (&measure.name, values.join(" | "), order::write(&orders));
    format!("| {name} | {values} | {orders} | {} | {} | {result} |\n", criteria.join("; "), measure.elsewhere())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless::validate::case::{Criterion, Source, Unit};

    #[test]
    fn a_row_has_values_order_criteria_and_result() {
        let error = |value: f64| Measure::new("error", value, Unit::Percent).accept(Criterion::AtMost(0.05)).converges_to(0.0);
        let compared = |value| error(value).compare(Source::OwnPrototype("PBF"), 0.03);
        let volume = |value| Measure::new("volume", value, Unit::Plain(1));
        let run = |label, place, spacing, value| Run::example(label, place, spacing, vec![compared(value), volume(2.0)]);
        let coarse = Run { judged: false, ..run("1/10", Place::Resolution, 0.1, 0.08) };
        let variant = Run { judged: false, ..run("odd", Place::Variant, 0.1, 0.5) };
        let text = tables(&[coarse, run("1/20", Place::Resolution, 0.05, 0.02), variant]);
        let expected = "\
| Measure | 1/10 | 1/20 | Order | Accepted | Elsewhere | Result |
|---|---|---|---|---|---|---|
| error | 8.0 % | **2.0 %** | 2.0 | ≤ 5.0 % | 3.0 % (own prototype, PBF) | pass |
| volume | 2.0 | 2.0 | – | not judged |  | shown |

Variants, shown and not judged:

| Measure | odd |
|---|---|
| error | 50.0 % |
| volume | 2.0 |
";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn one_missed_criterion_fails_the_row() {
        let run = |label, spacing, value, most| {
            let measure = Measure::new("error", value, Unit::Plain(1)).accept(Criterion::AtMost(most));
            Run::example(label, Place::Resolution, spacing, vec![measure])
        };
        let text = tables(&[run("a", 0.1, 3.0, 2.0), run("b", 0.05, 1.0, 1.0)]);
        assert!(text.contains("| error | **3.0** | **1.0** | – | ≤ 2.0; ≤ 1.0 |  | **fail** |"), "{text}");
    }
}
