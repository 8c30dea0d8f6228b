//! Chapters of the report, one per case: written from a verdict, or kept from the existing report.

use super::case::Measure;
use super::figure::Figure;
use super::verdict::{Run, Verdict};
use std::fmt::Write as _;

/// Folder of the plots, relative to the report's.
pub const PICTURES: &str = "pictures/validation";

/// Header of the table of all cases.
pub const SUMMARY: &str = "| Case | Result | Runs | Time on one thread |\n|---|---|---|---|\n";

/// The report on one case.
pub struct Chapter {
    /// The case's name.
    pub name: String,
    /// Its row in the table of all cases.
    pub line: String,
    /// Its text: heading, tables, pictures.
    pub text: String,
}

impl Chapter {
    /// The chapter on a case that has been run, with these plots.
    pub fn of(verdict: &Verdict, figures: &[Figure]) -> Self {
        Self { name: verdict.case.name.to_owned(), line: line(verdict), text: text(verdict, figures) }
    }

    /// The chapters of a report written by [`super::report`]. Malformed ones are skipped.
    pub fn read(report: &str) -> Vec<Self> {
        let chapter = |part: &str| {
            let (name, rest) = part.split_once("\"></a>\n")?;
            let line = report.lines().find(|line| line.starts_with("| [") && line.contains(&format!("](#{name}) |")))?;
            // The chapters after the last case concern all cases, and have no anchor.
            let text = rest.find("\n## ").map_or(rest, |end| &rest[..end]);
            Some(Self { name: name.to_owned(), line: format!("{line}\n"), text: format!("\n{ANCHOR}{name}\"></a>\n{text}") })
        };
        report.split(&format!("\n{ANCHOR}")).skip(1).filter_map(chapter).collect()
    }

    /// Rows of the literature table: the measures with published values.
    pub fn literature(&self) -> Vec<String> {
        let title = self.text.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or(&self.name);
        let compared = |line: &str| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
            // Columns: measure, the resolutions, accepted, literature, result.
            let [measure, values @ .., _, literature, _] = &cells[..] else { return None };
            let ours = values.iter().rev().find_map(|value| value.strip_prefix("**")?.strip_suffix("**"))?;
            (!literature.is_empty() && *measure != "Measure")
                .then(|| format!("| [{title}](#{}) | {measure} | {ours} | {literature} |\n", self.name))
        };
        self.text.lines().filter_map(compared).collect()
    }
}

/// Start of a chapter, before its case's name.
const ANCHOR: &str = "<a id=\"";

fn line(verdict: &Verdict) -> String {
    let (passed, all) = (verdict.judged().filter(|measure| measure.passes()).count(), verdict.judged().count());
    let result = if verdict.passes() { "pass".to_owned() } else { format!("**fail**: {passed} of {all} criteria met") };
    let runs: Vec<&str> = verdict.runs.iter().map(|run| run.label).collect();
    let seconds: f64 = verdict.runs.iter().filter_map(|run| run.record.as_ref().ok()).map(|e| e.wall.as_secs_f64()).sum();
    format!("| [{}](#{}) | {result} | {} | {seconds:.0} s |\n", verdict.case.title, verdict.case.name, runs.join(", "))
}

fn text(verdict: &Verdict, figures: &[Figure]) -> String {
    let Verdict { case, runs } = verdict;
    let name = case.name;
    let mut text = format!(
        "\n{ANCHOR}{name}\"></a>\n## {}\n\n{} Scene: [{name}.toml](../scenes/validation/{name}.toml).\n",
        case.title, case.about
    );
    for run in runs {
        if let Err(failure) = &run.record {
            let _ = write!(text, "\nThe run at {} failed:\n\n```\n{}\n```\n", run.label, failure.report(false));
        }
    }
    let labels: Vec<&str> = runs.iter().map(|run| run.label).collect();
    let _ = write!(
        text,
        "\n| Measure | {} | Accepted | Literature | Result |\n|---|{}---|---|---|\n",
        labels.join(" | "),
        "---|".repeat(labels.len())
    );
    if let Some(longest) = runs.iter().max_by_key(|run| run.measures.len()) {
        for index in 0..longest.measures.len() {
            text += &row(runs, longest, index);
        }
    }
    if !case.remarks.is_empty() {
        let _ = write!(text, "\n{}\n", case.remarks);
    }
    for figure in figures {
        let _ = write!(text, "\n![{}]({PICTURES}/{}.svg)\n", figure.caption, figure.name);
    }
    text
}

/// A measure at every resolution; bold at those that must meet the criterion.
fn row(runs: &[Run], longest: &Run, index: usize) -> String {
    let of = |run: &Run| run.measures.get(index).cloned();
    let value = |run: &Run| match of(run) {
        Some(measure) if run.judged => format!("**{}**", measure.ours()),
        Some(measure) => measure.ours(),
        None => "failed".to_owned(),
    };
    let values: Vec<String> = runs.iter().map(value).collect();
    let judged: Vec<Measure> = runs.iter().filter(|run| run.judged).filter_map(of).collect();
    // Most measures have one criterion for all resolutions.
    let mut criteria: Vec<String> = judged.iter().map(Measure::accepted).collect();
    criteria.dedup();
    let result = if !judged.is_empty() && judged.iter().all(Measure::passes) { "pass" } else { "**fail**" };
    let Measure { name, literature, .. } = &longest.measures[index];
    format!("| {name} | {} | {} | {literature} | {result} |\n", values.join(" | "), criteria.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
# Validation

| Case | Result | Runs | Time on one thread |
|---|---|---|---|
| [A pool](#pool) | pass | 5 rows, 9 rows | 3 s |
| [A drop](#drop) | **fail**: 0 of 1 criteria met | R/2 | 1 s |

<a id=\"pool\"></a>
## A pool

About it.

| Measure | 5 rows | 9 rows | Accepted | Literature | Result |
|---|---|---|---|---|---|
| depth | 1.3 | **1.1** | ≤ 1.2 | 1.0 (by hand) | pass |
| width | 1.3 | **1.1** | ≤ 1.2 |  | pass |

<a id=\"drop\"></a>
## A drop

| Measure | R/2 | Accepted | Literature | Result |
|---|---|---|---|---|
| size | **7** | ≤ 1 | 2 | **fail** |

## Comparison with the literature

This concerns all cases.
";

    #[test]
    fn chapters_are_read_as_they_were_written() {
        let chapters = Chapter::read(REPORT);
        assert_eq!(chapters.iter().map(|chapter| chapter.name.as_str()).collect::<Vec<_>>(), ["pool", "drop"]);
        let [pool, drop] = &chapters[..] else { unreachable!("two, as was asserted") };
        assert_eq!(pool.line, "| [A pool](#pool) | pass | 5 rows, 9 rows | 3 s |\n");
        let together = format!("{}{}", pool.text, drop.text);
        assert!(REPORT.contains(&together), "{together}");
        assert!(drop.text.ends_with("| **fail** |\n"), "{}", drop.text);
    }

    #[test]
    fn published_values_are_listed_with_ours() {
        let lines: Vec<String> = Chapter::read(REPORT).iter().flat_map(Chapter::literature).collect();
        assert_eq!(lines, ["| [A pool](#pool) | depth | 1.1 | 1.0 (by hand) |\n", "| [A drop](#drop) | size | 7 | 2 |\n"]);
    }

    #[test]
    fn malformed_reports_have_no_chapters() {
        for text in ["", "# Notes\n", "\n<a id=\"lost\"></a>\n## Without a line in the table\n", "\n<a id=\"cut"] {
            assert!(Chapter::read(text).is_empty(), "{text}");
        }
    }
}
