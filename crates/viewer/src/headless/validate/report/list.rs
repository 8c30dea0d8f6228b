//! Table of a case that is a list of runs: a row per run, with its measures and its cost.

use super::cost;
use crate::headless::validate::case::Measure;
use crate::headless::validate::verdict::Run;
use std::fmt::Write as _;

/// The table.
pub fn table(runs: &[Run]) -> String {
    let longest = runs.iter().max_by_key(|run| run.measures.len()).map_or(&[][..], |run| &run.measures);
    let names: Vec<&str> = longest.iter().map(|measure| measure.name.as_str()).collect();
    let columns = names.len() + cost::COLUMNS.split('|').count() + 2;
    let mut text = format!("{}\n| Run | {} | Result | {} |\n|", cost::caption(), names.join(" | "), cost::COLUMNS);
    text += &"---|".repeat(columns);
    text += "\n";
    for run in runs {
        let values: Vec<String> = (0..names.len()).map(|index| value(run.measures.get(index))).collect();
        let cost = run.record.as_ref().map_or_else(|_| " | | |".to_owned(), cost::cells);
        let _ = writeln!(text, "| {} | {} | {} | {cost} |", run.plan.label, values.join(" | "), result(run));
    }
    text
}

/// A value, in parentheses if it is not judged.
fn value(measure: Option<&Measure>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headless::validate::case::{Criterion, Place, Unit};

    #[test]
    fn each_run_has_a_row() {
        let size = Measure::new("size", 2.0, Unit::Plain(1)).accept(Criterion::AtMost(1.0));
        let runs = [("a", vec![size]), ("b", vec![Measure::new("size", 3.0, Unit::Plain(1))]), ("c", Vec::new())];
        let text = table(&runs.map(|(label, measures)| Run::example(label, Place::Item, 0.1, measures)));
        let rows: Vec<&str> = text.lines().skip(2).collect();
        assert!(rows[0].starts_with("| Run | size | Result | Particles |"), "{text}");
        assert_eq!(
            rows[2..],
            ["| a | 2.0 | **failed** |  | | | |", "| b | (3.0) | **failed** |  | | | |", "| c | – | **failed** |  | | | |"]
        );
        assert!(rows.iter().all(|row| row.matches('|').count() == 8), "{text}");
    }
}
