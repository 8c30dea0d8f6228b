//! Tables of a case that is a matrix of settings: one per measure, and one of the cost.

use super::cost;
use crate::headless::validate::case::{Measure, Place, Setting};
use crate::headless::validate::verdict::Run;
use std::fmt::Write as _;

/// All tables of the runs.
pub fn tables(runs: &[Run], corner: &str, rows: &[Setting], columns: &[Setting]) -> String {
    let matrix = Matrix { runs, corner, rows, columns };
    let longest = runs.iter().max_by_key(|run| run.measures.len()).map_or(&[][..], |run| &run.measures);
    let mut text = String::new();
    for (index, measure) in longest.iter().enumerate() {
        let _ = write!(text, "{}\n{}\n", matrix.caption(measure, index), matrix.table(|run| value(run, index)));
    }
    let _ = write!(text, "{}\nSteps × particles × time per particle and step.\n\n{}", cost::caption(), matrix.table(time));
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
            let find = |column| self.runs.iter().find(|run| run.plan.place == Place::Cell { row, column });
            let cells: Vec<String> = (0..labels.len()).map(|column| find(column).map_or(String::new(), &cell)).collect();
            let _ = writeln!(text, "| {} | {} |", setting.label, cells.join(" | "));
        }
        text
    }
}

/// A value: bold if it misses its criterion, in parentheses if it is not judged.
fn value(run: &Run, index: usize) -> String {
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
        let (steps, particles) = (record.fluid().steps, record.particles());
        format!("{steps} × {particles} × {:.2} µs = {:.1} s", 1e6 * record.cost(), record.time.as_secs_f64())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless::validate::case::{Criterion, Unit};

    #[test]
    fn cells_show_what_is_missed_and_what_is_not_judged() {
        const ROWS: [Setting; 2] = [Setting { label: "PBF", set: &[] }, Setting { label: "DFSPH", set: &[] }];
        const COLUMNS: [Setting; 2] = [Setting { label: "thick", set: &[] }, Setting { label: "thin", set: &[] }];
        let speed = |value| Measure::new("speed", value, Unit::Plain(1));
        let run = |row, column, measures| Run::example("", Place::Cell { row, column }, 0.1, measures);
        let judged = |value| vec![speed(value).accept(Criterion::AtMost(1.0))];
        let runs = [run(0, 0, vec![speed(7.0)]), run(0, 1, Vec::new()), run(1, 0, judged(0.5)), run(1, 1, judged(1.5))];
        let text = tables(&runs, "Solver", &ROWS, &COLUMNS);
        let expected = "\
**speed**; accepted: ≤ 1.0:

| Solver | thick | thin |
|---|---|---|
| PBF | (7.0) | **failed** |
| DFSPH | 0.5 | **1.5** |
";
        assert!(text.starts_with(expected), "{text}");
    }
}
