//! Chapters of the report, one per case: results from a verdict, or kept from the existing report, below text of the case.

use super::{missed, tables};
use crate::case::{Case, Plan, Source};
use crate::figure::Figure;
use crate::verdict::Verdict;
use std::fmt::Write as _;

/// Folder of the plots, relative to the report's.
pub const PICTURES: &str = "pictures/validation";

/// Header of the table of all cases.
pub const SUMMARY: &str = "| Case | Result | Runs | Time on one thread |\n|---|---|---|---|\n";

/// Start of a chapter, before its case's name.
const ANCHOR: &str = "<a id=\"";
/// Lines around the results in a chapter.
const BEGIN: &str = "<!-- results -->\n";
const END: &str = "<!-- end -->\n";

/// The results of a case, as the report has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// The case's name.
    pub name: String,
    /// Its row in the table of all cases.
    pub line: String,
    /// Its rows in the table of missed criteria.
    pub missed: Vec<String>,
    /// Its tables.
    pub results: String,
    /// Its pictures.
    pub figures: String,
}

impl Chapter {
    /// The chapter on a case that has been run, with these plots.
    pub fn of(verdict: &Verdict, figures: &[Figure]) -> Self {
        let write = |figure: &Figure| format!("\n![{}]({PICTURES}/{}.svg)\n", figure.caption, figure.name);
        Self {
            name: verdict.case.name.to_owned(),
            line: line(verdict),
            missed: missed::rows(verdict),
            results: results(verdict),
            figures: figures.iter().map(write).collect(),
        }
    }

    /// The chapter on a case that has not been run since its runs were chosen.
    #[cfg(test)]
    pub fn not_run(case: &Case) -> Self {
        let Case { name, title, .. } = case;
        Self {
            name: (*name).to_owned(),
            line: format!("| [{title}](#{name}) | not run | | |\n"),
            missed: Vec::new(),
            results: format!("Not run yet: `sph validate {name}`.\n"),
            figures: String::new(),
        }
    }

    /// True if the results have a column for each resolution of the case.
    #[cfg(test)]
    pub fn is_of(&self, case: &Case) -> bool {
        let Plan::Resolutions { resolutions, .. } = case.plan else { return true };
        let labels: Vec<&str> = resolutions.iter().map(|resolution| resolution.label).collect();
        self.results.contains(&tables::header(&labels))
    }

    /// The chapters of a report written by [`super`]. Malformed ones are skipped.
    pub fn read(report: &str) -> Vec<Self> {
        let (head, chapters) = report.split_once(&format!("\n{ANCHOR}")).unwrap_or((report, ""));
        let rows = |name: &str| {
            let link = format!("](#{name}) |");
            head.lines().filter(move |line| line.starts_with("| [") && line.contains(&link)).map(|line| format!("{line}\n"))
        };
        let chapter = |part: &str| {
            let (name, rest) = part.split_once("\"></a>\n")?;
            let (_, rest) = rest.split_once(BEGIN)?;
            let (results, rest) = rest.split_once(END)?;
            // The sections after the last case concern all cases, and have no anchor.
            let rest = rest.split("\n## ").next()?;
            // The row in the table of all cases comes after those in the table of missed criteria.
            let mut missed: Vec<String> = rows(name).collect();
            let line = missed.pop()?;
            let pictures = rest.lines().filter(|line| line.starts_with("![")).map(|line| format!("\n{line}\n"));
            Some(Self { name: name.to_owned(), line, missed, results: results.to_owned(), figures: pictures.collect() })
        };
        chapters.split(&format!("\n{ANCHOR}")).filter_map(chapter).collect()
    }

    /// The chapter's text below the case's title, description and remarks.
    pub fn text(&self, case: &Case) -> String {
        let Case { name, title, about, remarks, scene, .. } = case;
        let scene = scene.name;
        let mut text = format!("\n{ANCHOR}{name}\"></a>\n## {title}\n\n{about} ");
        let _ = write!(text, "Scene: [{scene}.toml](../scenes/validation/{scene}.toml).\n\n{BEGIN}{}{END}", self.results);
        if !remarks.is_empty() {
            let _ = write!(text, "\n{remarks}\n");
        }
        text + &self.figures
    }

    /// Rows of the table of others' values: measures that are compared with an experiment, a publication or theory.
    pub fn elsewhere(&self, title: &str) -> Vec<String> {
        let row = |line: &str| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").map(str::trim).collect();
            // Columns: measure, the resolutions, order, accepted, elsewhere, result.
            let [measure, values @ .., _, _, elsewhere, result] = &cells[..] else { return None };
            let is_result = ["pass", "shown", "**fail**"].contains(result);
            let others: Vec<&str> = elsewhere.split("; ").filter(|text| Source::is_of_others(text)).collect();
            let bold = values.iter().rev().find_map(|value| value.strip_prefix("**")?.strip_suffix("**"));
            let ours = bold.or(values.last().copied())?;
            (is_result && !others.is_empty())
                .then(|| format!("| [{title}](#{}) | {measure} | {ours} | {} |\n", self.name, others.join("; ")))
        };
        self.results.lines().filter_map(row).collect()
    }

    /// The processor that the case was run on.
    pub fn processor(&self) -> Option<&str> {
        self.results.lines().find_map(|line| line.strip_prefix(tables::CAPTION)?.strip_suffix(':'))
    }
}

fn line(verdict: &Verdict) -> String {
    let Verdict { case, runs } = verdict;
    let (met, all) = verdict.score();
    let failures = match verdict.failures() {
        0 => String::new(),
        1 => ", 1 run failed".to_owned(),
        failures => format!(", {failures} runs failed"),
    };
    let result = if verdict.passes() { "pass".to_owned() } else { format!("**fail**: {met} of {all} criteria met{failures}") };
    let labels: Vec<&str> = runs.iter().map(|run| run.plan.label.as_str()).collect();
    let labels = match case.plan {
        Plan::Resolutions { .. } => labels.join(", "),
        Plan::Matrix { .. } | Plan::List(_) => format!("{} runs", labels.len()),
    };
    let seconds: f64 = runs.iter().filter_map(|run| run.record.as_ref().ok()).map(|record| record.time.as_secs_f64()).sum();
    format!("| [{}](#{}) | {result} | {labels} | {seconds:.0} s |\n", case.title, case.name)
}

fn results(verdict: &Verdict) -> String {
    let Verdict { case, runs } = verdict;
    let mut text = String::new();
    for run in runs {
        if let Err(failure) = &run.record {
            let _ = write!(text, "The run {} failed:\n\n```\n{}\n```\n\n", run.plan.label, failure.report(false));
        }
    }
    text + &match case.plan {
        Plan::Resolutions { .. } => tables::resolution_tables(runs),
        Plan::Matrix { corner, rows, columns, .. } => tables::matrix_tables(runs, corner, rows, columns),
        Plan::List(_) => tables::list_table(runs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    const REPORT: &str = "\
# Validation

## Missed criteria

| Case | Measure | Run | Ours | Accepted | Reason |
|---|---|---|---|---|---|
| [A drop](#drop) | size | R/2 | 7 | ≤ 1 | not known |

## Cases

| Case | Result | Runs | Time on one thread |
|---|---|---|---|
| [A pool](#pool) | pass | 5 rows, 9 rows | 3 s |
| [A drop](#drop) | **fail**: 0 of 1 criteria met | R/2 | 1 s |

<a id=\"pool\"></a>
## A pool

About it.

<!-- results -->
| Measure | 5 rows | 9 rows | Order | Accepted | Elsewhere | Result |
|---|---|---|---|---|---|---|
| depth | 1.3 | **1.1** | 1.2 | ≤ 1.2 | 1.0 (theory); 0.9 (own prototype, PBF) | pass |
| width | 1.3 | 1.1 | – |  | 0.8 (own prototype, PBF) | shown |

Cost on one thread of Abacus 8086:

| Run | Steps |
|---|---|
| 5 rows | 7 |
<!-- end -->

A remark.

![A picture](pool.svg)

<a id=\"drop\"></a>
## A drop

<!-- results -->
| Measure | R/2 | Order | Accepted | Elsewhere | Result |
|---|---|---|---|---|---|
| size | **7** | – | ≤ 1 | 2 (experiment, Smith1900) | **fail** |
<!-- end -->

## Comparison

This concerns all cases.
";

    #[test]
    fn chapters_are_read_as_they_were_written() {
        let chapters = Chapter::read(REPORT);
        let [pool, drop] = &chapters[..] else { panic!("{chapters:?}") };
        assert_eq!((pool.name.as_str(), drop.name.as_str()), ("pool", "drop"));
        assert_eq!(pool.line, "| [A pool](#pool) | pass | 5 rows, 9 rows | 3 s |\n");
        assert_eq!(drop.missed, ["| [A drop](#drop) | size | R/2 | 7 | ≤ 1 | not known |\n"]);
        assert!(pool.missed.is_empty() && pool.results.ends_with("| 5 rows | 7 |\n"), "{}", pool.results);
        assert_eq!((pool.figures.as_str(), drop.figures.as_str()), ("\n![A picture](pool.svg)\n", ""));
        assert_eq!((pool.processor(), drop.processor()), (Some("Abacus 8086"), None));
    }

    #[test]
    fn a_chapter_that_is_read_has_the_text_of_its_case() {
        let case = &cases::ALL[0];
        let pool = Chapter::read(&REPORT.replace("pool", case.name)).remove(0);
        let text = pool.text(case);
        assert!(text.contains(case.about) && text.contains(case.remarks) && !text.contains("A remark."), "{text}");
        let again = Chapter::read(&format!("{}\n{text}", pool.line));
        assert_eq!(again, [pool]);
    }

    #[test]
    fn values_of_others_are_listed_with_ours() {
        let lines: Vec<String> = Chapter::read(REPORT).iter().flat_map(|chapter| chapter.elsewhere("X")).collect();
        let expected =
            ["| [X](#pool) | depth | 1.1 | 1.0 (theory) |\n", "| [X](#drop) | size | 7 | 2 (experiment, Smith1900) |\n"];
        assert_eq!(lines, expected);
    }

    #[test]
    fn malformed_reports_have_no_chapters() {
        for text in ["", "# Notes\n", "\n<a id=\"lost\"></a>\n## Without a line in the table\n", "\n<a id=\"cut"] {
            assert!(Chapter::read(text).is_empty(), "{text}");
        }
    }
}
