//! Tables of the report: of a case at several resolutions, of a matrix of settings, of a list of runs; their cost, and the observed
//! order of convergence.

use std::fmt::Write as _;

use crate::case::{Measure, PlanSlot, Setting};
use crate::runs::RunRecord;
use crate::verdict::Run;

// Tables of a case that is run at several resolutions: its measures, and those of its variants.

/// All tables of the runs.
pub fn resolution_tables(runs: &[Run]) -> String {
    let at = |place: PlanSlot| runs.iter().filter(move |run| run.plan.place == place).collect::<Vec<&Run>>();
    let variants = at(PlanSlot::Variant);
    let mut text = measures(&at(PlanSlot::Resolution));
    if !variants.is_empty() {
        text += "\nVariants, shown and not judged:\n\n";
        text += &shown(&variants);
    }
    text + &cost_table(runs)
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
        orders(&runs.iter().map(|run| (run.spacing, error(run))).collect::<Vec<_>>())
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
    let (name, values, orders) = (&measure.name, values.join(" | "), write_orders(&orders));
    format!("| {name} | {values} | {orders} | {} | {} | {result} |\n", criteria.join("; "), measure.elsewhere())
}

// Tables of a case that is a matrix of settings: one per measure, and one of the cost.

/// All tables of the runs.
pub fn matrix_tables(runs: &[Run], corner: &str, rows: &[Setting], columns: &[Setting]) -> String {
    let matrix = Matrix { runs, corner, rows, columns };
    let longest = runs.iter().max_by_key(|run| run.measures.len()).map_or(&[][..], |run| &run.measures);
    let mut text = String::new();
    for (index, measure) in longest.iter().enumerate() {
        let _ = write!(text, "{}\n{}\n", matrix.caption(measure, index), matrix.table(|run| matrix_value(run, index)));
    }
    let _ = write!(text, "{}\nSteps × particles × time per particle and step.\n\n{}", caption(), matrix.table(time));
    text
}

struct Matrix<'a> {
    runs: &'a [Run],
    corner: &'a str,
    rows: &'a [Setting],
    columns: &'a [Setting],
}

impl Matrix<'_> {
    /// The line above the table of measure `index`: its name and what is accepted.
    fn caption(&self, measure: &Measure, index: usize) -> String {
        let judged = self.runs.iter().filter_map(|run| run.measures.get(index)).filter(|measure| measure.criterion.is_some());
        let mut criteria: Vec<String> = judged.map(Measure::accepted).collect();
        criteria.dedup();
        let accepted = if criteria.is_empty() { "not judged".to_owned() } else { format!("accepted: {}", criteria.join("; ")) };
        let elsewhere = measure.elsewhere();
        let elsewhere = if elsewhere.is_empty() { elsewhere } else { format!("; elsewhere: {elsewhere}") };
        format!("**{}**; {accepted}{elsewhere}:\n", measure.name)
    }

    /// A table with what `cell` says of each run.
    fn table(&self, cell: impl Fn(&Run) -> String) -> String {
        let labels: Vec<&str> = self.columns.iter().map(|column| column.label).collect();
        let mut text = format!("| {} | {} |\n|---|{}\n", self.corner, labels.join(" | "), "---|".repeat(labels.len()));
        for (row, setting) in self.rows.iter().enumerate() {
            let find = |column| self.runs.iter().find(|run| run.plan.place == PlanSlot::Cell { row, column });
            let cells: Vec<String> = (0..labels.len()).map(|column| find(column).map_or(String::new(), &cell)).collect();
            let _ = writeln!(text, "| {} | {} |", setting.label, cells.join(" | "));
        }
        text
    }
}

/// A value: bold if it misses its criterion, in parentheses if it is not judged.
fn matrix_value(run: &Run, index: usize) -> String {
    match run.measures.get(index) {
        Some(measure) => match measure.passes() {
            Some(true) => measure.ours(),
            Some(false) => format!("**{}**", measure.ours()),
            None => format!("({})", measure.ours()),
        },
        None => "**failed**".to_owned(),
    }
}

fn time(run: &Run) -> String {
    run.record.as_ref().map_or("failed".to_owned(), |record| {
        let (steps, particles) = (record.fluid().steps, record.moving());
        format!("{steps} × {particles} × {:.2} µs = {:.1} s", 1e6 * record.cost(), record.time.as_secs_f64())
    })
}

// Table of a case that is a list of runs: a row per run, with its measures and its cost.

/// The table.
pub fn list_table(runs: &[Run]) -> String {
    let longest = runs.iter().max_by_key(|run| run.measures.len()).map_or(&[][..], |run| &run.measures);
    let names: Vec<&str> = longest.iter().map(|measure| measure.name.as_str()).collect();
    let columns = names.len() + COLUMNS.split('|').count() + 2;
    let mut text = format!("{}\n| Run | {} | Result | {} |\n|", caption(), names.join(" | "), COLUMNS);
    text += &"---|".repeat(columns);
    text += "\n";
    for run in runs {
        let values: Vec<String> = (0..names.len()).map(|index| list_value(run.measures.get(index))).collect();
        let cost = run.record.as_ref().map_or_else(|_| " | | |".to_owned(), cost_cells);
        let _ = writeln!(text, "| {} | {} | {} | {cost} |", run.plan.label, values.join(" | "), result(run));
    }
    text
}

/// A value, in parentheses if it is not judged.
fn list_value(measure: Option<&Measure>) -> String {
    match measure {
        Some(measure) if measure.criterion.is_some() => measure.ours(),
        Some(measure) => format!("({})", measure.ours()),
        None => "–".to_owned(),
    }
}

fn result(run: &Run) -> &'static str {
    let mut judged = run.measures.iter().filter_map(Measure::passes);
    match &run.record {
        Err(_) => "**failed**",
        Ok(_) if judged.all(|passes| passes) => "pass",
        Ok(_) => "**fail**",
    }
}

// Cost of runs: particles, steps, and time on one thread.

/// Start of the line above a cost table; the name of the processor follows, and a colon.
pub const CAPTION: &str = "Cost on one thread of ";

/// Names of the columns that [`cells`] fills.
pub const COLUMNS: &str = "Particles | Steps | Time, s | Time per particle and step, µs";

/// The line above a cost table.
pub fn caption() -> String {
    format!("{CAPTION}{}:\n", processor_name())
}

/// The columns of [`COLUMNS`] for a run.
pub fn cost_cells(run: &RunRecord) -> String {
    let seconds = run.time.as_secs_f64();
    format!("{} | {} | {seconds:.1} | {:.2}", run.moving(), run.fluid().steps, 1e6 * run.cost())
}

/// Table of the runs that finished.
pub fn cost_table(runs: &[Run]) -> String {
    let mut text = format!("\n{}\n| Run | {COLUMNS} |\n|---|---|---|---|---|\n", caption());
    for run in runs {
        if let Ok(record) = &run.record {
            let _ = writeln!(text, "| {} | {} |", run.plan.label, cost_cells(record));
        }
    }
    text
}

/// Model of the processor that the program runs on; its architecture where the system does not tell.
pub fn processor_name() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

/// Observed orders log(e₁/e₂)/log(Δx₁/Δx₂) of runs with spacing Δx and error e: one for each pair of successive runs of which
/// the second is finer. A run that is not finer than the one before it begins another series. The order is NaN if an error is
/// 0 or unknown.
pub fn orders(runs: &[(f64, f64)]) -> Vec<f64> {
    let pairs = runs.windows(2).map(|pair| (pair[0], pair[1])).filter(|((coarse, _), (fine, _))| fine < coarse);
    let order = |((coarse, before), (fine, after)): ((f64, f64), (f64, f64))| {
        let order = (before / after).ln() / (coarse / fine).ln();
        if order.is_finite() { order } else { f64::NAN }
    };
    pairs.map(order).collect()
}

/// The orders as text: `–` for those that are unknown, and if there is none.
pub fn write_orders(orders: &[f64]) -> String {
    let write = |order: &f64| if order.is_nan() { "–".to_owned() } else { format!("{order:.1}") };
    let orders: Vec<String> = orders.iter().map(write).collect();
    if orders.is_empty() { "–".to_owned() } else { orders.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Criterion, PlanSlot, Source, Unit};

    #[test]
    fn a_row_has_values_order_criteria_and_result() {
        let error = |value: f64| Measure::new("error", value, Unit::Percent).accept(Criterion::AtMost(0.05)).converges_to(0.0);
        let compared = |value| error(value).compare(Source::OwnPrototype("PBF"), 0.03);
        let volume = |value| Measure::new("volume", value, Unit::Plain(1));
        let run = |label, place, spacing, value| Run::example(label, place, spacing, vec![compared(value), volume(2.0)]);
        let coarse = Run { judged: false, ..run("1/10", PlanSlot::Resolution, 0.1, 0.08) };
        let variant = Run { judged: false, ..run("odd", PlanSlot::Variant, 0.1, 0.5) };
        let text = resolution_tables(&[coarse, run("1/20", PlanSlot::Resolution, 0.05, 0.02), variant]);
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
            Run::example(label, PlanSlot::Resolution, spacing, vec![measure])
        };
        let text = resolution_tables(&[run("a", 0.1, 3.0, 2.0), run("b", 0.05, 1.0, 1.0)]);
        assert!(text.contains("| error | **3.0** | **1.0** | – | ≤ 2.0; ≤ 1.0 |  | **fail** |"), "{text}");
    }

    #[test]
    fn cells_show_what_is_missed_and_what_is_not_judged() {
        const ROWS: [Setting; 2] = [Setting { label: "PBF", set: &[] }, Setting { label: "DFSPH", set: &[] }];
        const COLUMNS: [Setting; 2] = [Setting { label: "thick", set: &[] }, Setting { label: "thin", set: &[] }];
        let speed = |value| Measure::new("speed", value, Unit::Plain(1));
        let run = |row, column, measures| Run::example("", PlanSlot::Cell { row, column }, 0.1, measures);
        let judged = |value| vec![speed(value).accept(Criterion::AtMost(1.0))];
        let runs = [run(0, 0, vec![speed(7.0)]), run(0, 1, Vec::new()), run(1, 0, judged(0.5)), run(1, 1, judged(1.5))];
        let text = matrix_tables(&runs, "Solver", &ROWS, &COLUMNS);
        let expected = "\
**speed**; accepted: ≤ 1.0:

| Solver | thick | thin |
|---|---|---|
| PBF | (7.0) | **failed** |
| DFSPH | 0.5 | **1.5** |
";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn each_run_has_a_row() {
        let size = Measure::new("size", 2.0, Unit::Plain(1)).accept(Criterion::AtMost(1.0));
        let runs = [("a", vec![size]), ("b", vec![Measure::new("size", 3.0, Unit::Plain(1))]), ("c", Vec::new())];
        let text = list_table(&runs.map(|(label, measures)| Run::example(label, PlanSlot::Item, 0.1, measures)));
        let rows: Vec<&str> = text.lines().skip(2).collect();
        assert!(rows[0].starts_with("| Run | size | Result | Particles |"), "{text}");
        assert_eq!(
            rows[2..],
            ["| a | 2.0 | **failed** |  | | | |", "| b | (3.0) | **failed** |  | | | |", "| c | – | **failed** |  | | | |"]
        );
        assert!(rows.iter().all(|row| row.matches('|').count() == 8), "{text}");
    }

    #[test]
    fn the_order_is_that_of_the_error() {
        let error = |spacing: f64| 3.0 * spacing.powf(1.5);
        let runs = [0.4, 0.2, 0.05].map(|spacing| (spacing, error(spacing)));
        assert!(orders(&runs).iter().all(|order| (order - 1.5).abs() < 1e-12) && orders(&runs).len() == 2);
        assert_eq!(write_orders(&orders(&runs)), "1.5, 1.5");
        // The error grows although the spacing is halved.
        assert_eq!(orders(&[(0.2, 1.0), (0.1, 2.0)]), [-1.0]);
    }

    #[test]
    fn each_series_has_its_own_order() {
        let orders = orders(&[(0.2, 4.0), (0.1, 1.0), (0.2, 8.0), (0.1, 4.0)]);
        assert_eq!(orders, [2.0, 1.0]);
    }

    #[test]
    fn unknown_orders_are_dashes() {
        assert_eq!(write_orders(&orders(&[(0.2, 1.0), (0.1, f64::NAN), (0.05, 1.0)])), "–, –");
        assert_eq!(write_orders(&orders(&[(0.2, 1.0), (0.1, 0.0)])), "–");
        assert_eq!(write_orders(&orders(&[(0.2, 0.0), (0.1, 0.0)])), "–");
        assert_eq!(write_orders(&orders(&[(0.2, 1.0), (0.2, 0.5)])), "–");
        assert_eq!(write_orders(&orders(&[(0.2, 1.0)])), "–");
    }
}
