//! Chapters of the report, one a case: written from a verdict, or kept from the report that is already there.

use super::case::Measure;
use super::figure::Figure;
use super::verdict::{Run, Verdict};
use std::fmt::Write as _;

/// Where the plots are, below the report's folder.
pub const PICTURES: &str = "pictures/validation";

/// Head of the table of all cases.
pub const SUMMARY: &str = "| Case | Result | Runs | Time on one thread |\n|---|---|---|---|\n";

/// What the report has on one case.
pub struct Chapter {
    /// The case's name.
    pub name: String,
    /// Its line in the table of all cases.
    pub line: String,
    /// Its text: heading, tables, pictures.
    pub text: String,
}

impl Chapter {
    /// The chapter on a case that has been run, with these plots.
    pub fn of(verdict: &Verdict, figures: &[Figure]) -> Self {
        Self { name: verdict.case.name.to_owned(), line: line(verdict), text: text(verdict, figures) }
    }

    /// The chapters of a report, as [`super::report`] writes them. What does not look like one is passed over.
    pub fn read(report: &str) -> Vec<Self> {
        let chapter = |part: &str| {
            let (name, rest) = part.split_once("\"></a>\n")?;
            let line = report.lines().find(|line| line.starts_with("| [") && line.contains(&format!("](#{name}) |")))?;
            // After the last one come chapters on all cases, which have no anchor.
            let text = rest.find("\n## ").map_or(rest, |end| &rest[..end]);
            Some(Self { name: name.to_owned(), line: format!("{line}\n"), text: format!("\n{ANCHOR}{name}\"></a>\n{text}") })
        };
        report.split(&format!("\n{ANCHOR}")).skip(1).filter_map(chapter).collect()
    }

    /// Lines of the table of results beside the literature's: of the measures that others have published too.
    pub fn literature(&self) -> Vec<String> {
        let title = self.text.lines().find_map(|line| line.strip_prefix("## ")).unwrap_or(&self.name);
        let compared = |line: &str| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
            // Measure, the resolutions, accepted, elsewhere, result.
            let [measure, values @ .., _, elsewhere, _] = &cells[..] else { return None };
            let ours = values.iter().rev().find_map(|value| value.strip_prefix("**")?.strip_suffix("**"))?;
            (!elsewhere.is_empty() && *measure != "Measure")
                .then(|| format!("| [{title}](#{}) | {measure} | {ours} | {elsewhere} |\n", self.name))
        };
        self.text.lines().filter_map(compared).collect()
    }
}

/// What a chapter begins with, before its case's name.
const ANCHOR: &str = "<a id=\"";

fn line(verdict: &Verdict) -> String {
    let (passed, all) = (verdict.judged().filter(|measure| measure.passes()).count(), verdict.judged().count());
    let result = if verdict.passes() { "pass".to_owned() } else { format!("**fail**: {passed} of {all} bars met") };
    let runs: Vec<&str> = verdict.runs.iter().map(|run| run.label).collect();
    let seconds: f64 = verdict.runs.iter().filter_map(|run| run.evidence.as_ref().ok()).map(|e| e.wall.as_secs_f64()).sum();
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
        if let Err(failure) = &run.evidence {
            let _ = write!(text, "\nThe run at {} failed:\n\n```\n{}\n```\n", run.label, failure.report(false));
        }
    }
    let labels: Vec<&str> = runs.iter().map(|run| run.label).collect();
    let _ = write!(
        text,
        "\n| Measure | {} | Accepted | Elsewhere | Result |\n|---|{}---|---|---|\n",
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

/// A measure at every resolution; bold where it has to meet its bar.
fn row(runs: &[Run], longest: &Run, index: usize) -> String {
    let of = |run: &Run| run.measures.get(index).cloned();
    let value = |run: &Run| match of(run) {
        Some(measure) if run.judged => format!("**{}**", measure.ours()),
        Some(measure) => measure.ours(),
        None => "failed".to_owned(),
    };
    let values: Vec<String> = runs.iter().map(value).collect();
    let judged: Vec<Measure> = runs.iter().filter(|run| run.judged).filter_map(of).collect();
    // Most measures have one bar for all resolutions.
    let mut bars: Vec<String> = judged.iter().map(Measure::accepted).collect();
    bars.dedup();
    let result = if !judged.is_empty() && judged.iter().all(Measure::passes) { "pass" } else { "**fail**" };
    let Measure { name, elsewhere, .. } = &longest.measures[index];
    format!("| {name} | {} | {} | {elsewhere} | {result} |\n", values.join(" | "), bars.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
# Validation

| Case | Result | Runs | Time on one thread |
|---|---|---|---|
| [A pool](#pool) | pass | 5 rows, 9 rows | 3 s |
| [A drop](#drop) | **fail**: 0 of 1 bars met | R/2 | 1 s |

<a id=\"pool\"></a>
## A pool

About it.

| Measure | 5 rows | 9 rows | Accepted | Elsewhere | Result |
|---|---|---|---|---|---|
| depth | 1.3 | **1.1** | ≤ 1.2 | 1.0 (by hand) | pass |
| width | 1.3 | **1.1** | ≤ 1.2 |  | pass |

<a id=\"drop\"></a>
## A drop

| Measure | R/2 | Accepted | Elsewhere | Result |
|---|---|---|---|---|
| size | **7** | ≤ 1 | 2 | **fail** |

## Beside the literature

What stands here is of all cases.
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
    fn what_others_published_is_set_beside_ours() {
        let lines: Vec<String> = Chapter::read(REPORT).iter().flat_map(Chapter::literature).collect();
        assert_eq!(lines, ["| [A pool](#pool) | depth | 1.1 | 1.0 (by hand) |\n", "| [A drop](#drop) | size | 7 | 2 |\n"]);
    }

    #[test]
    fn what_is_no_report_has_no_chapters() {
        for text in ["", "# Notes\n", "\n<a id=\"lost\"></a>\n## Without a line in the table\n", "\n<a id=\"cut"] {
            assert!(Chapter::read(text).is_empty(), "{text}");
        }
    }
}
