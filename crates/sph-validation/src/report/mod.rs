//! The report: a table for the terminal, and a page of Markdown with plots.

mod chapter;
mod missed;
mod tables;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::case::{Case, Measure, PlanSlot};
use crate::cases;
use crate::verdict::Verdict;
use chapter::{Chapter, PICTURES, SUMMARY};
use sph_commands::Failure;

// The page of all chapters, and its files.

const HEAD: &str = "\
# Validation

Comparison with experiments, closed forms and computations. Criteria are set before anything is run, and may be tightened but not
loosened: what misses them is listed here first.

## Missed criteria
";

const READING: &str = "\
## Reading this page

`sph validate` runs all cases, recomputes every result on this page, and ends with exit status 1 if a criterion is not met; `sph validate
CASE` runs one case and leaves the results of the others as they are; `--quick` runs the coarse resolutions that meet their criteria.
Each case is a scene of [scenes/validation](../scenes/validation), which can be opened in the window like any other; data with its sources
is in [assets/reference](../assets/reference).

- **Bold** values must meet the criterion under *Accepted*; the others show the convergence, and measures without a criterion are *shown*.
  In matrices bold values miss the criterion, and values in parentheses are not judged.
- *Order* is the observed order of convergence log(e₁/e₂)/log(Δx₁/Δx₂) of the error e at successive spacings Δx, where the exact value is
  known; below zero the error grows.
- *Elsewhere* has values that are not ours: of an *experiment*, a *publication* or *theory*, with the key of the
  [bibliography](bibliography.md), or of an *own prototype*: a program written for this project before `sph`, which is no independent check.
";

const ELSEWHERE: &str = "\
## Comparison with the literature

All measures above that are compared with an experiment, a publication or theory.

| Case | Measure | Ours | Elsewhere |
|---|---|---|---|
";

/// Writes `validation.md` into `folder`, and the plots below it; returns the report's path.
///
/// An existing report keeps its results of the cases that were not run this time, unless the run was `quick`: a single case
/// can be run again.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, verdicts: &[Verdict], quick: bool) -> Result<PathBuf, Failure> {
    let pictures = folder.join(PICTURES);
    sph_io::make_folder(&pictures).map_err(|error| Failure::output("into", &pictures, &error))?;
    let path = folder.join("validation.md");
    // An unreadable report is replaced.
    let before = if quick { String::new() } else { std::fs::read_to_string(&path).unwrap_or_default() };
    let mut chapters = Chapter::read(&before);
    for verdict in verdicts {
        let runs = verdict.resolutions();
        let figures = if runs.is_empty() { Vec::new() } else { (verdict.case.draw)(&runs) };
        for figure in &figures {
            save(&pictures.join(format!("{}.svg", figure.name)), "the plot", &figure.svg())?;
        }
        chapters.retain(|chapter| chapter.name != verdict.case.name);
        chapters.push(Chapter::of(verdict, &figures));
    }
    save(&path, "the report", &without_dead_links(&compose(&chapters, quick), folder))?;
    Ok(path)
}

/// The text with the labels of links to files that are not there, seen from `folder`, instead of the links: a report that is written
/// elsewhere than in the project has no scenes beside it.
fn without_dead_links(text: &str, folder: &Path) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, label, target, after)) = next_link(rest) {
        let is_picture = before.ends_with('!');
        let leads_somewhere = target.starts_with('#') || target.contains("://") || folder.join(target).exists();
        kept += before;
        if is_picture || leads_somewhere {
            let _ = write!(kept, "[{label}]({target})");
        } else {
            kept += label;
        }
        rest = after;
    }
    kept + rest
}

/// The first link of a text: what is before it, its label, its target, and what is after it.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (head, tail) = text.split_once("](")?;
    let (before, label) = head.rsplit_once('[')?;
    let (target, after) = tail.split_once(')')?;
    Some((before, label, target, after))
}

/// The report with the present text of all cases, and the results that it has of their present resolutions.
#[cfg(test)]
pub fn rewrite(report: &str) -> String {
    let kept = Chapter::read(report);
    let chapter = |case: &Case| {
        let found = kept.iter().find(|chapter| chapter.name == case.name && chapter.is_of(case));
        found.cloned().unwrap_or_else(|| Chapter::not_run(case))
    };
    compose(&cases::ALL.iter().map(chapter).collect::<Vec<_>>(), false)
}

/// The report of these chapters, in the order of the cases; chapters of unknown cases are dropped.
fn compose(chapters: &[Chapter], quick: bool) -> String {
    let find = |case: &'static Case| chapters.iter().find(|chapter| chapter.name == case.name).map(|found| (case, found));
    let chapters: Vec<(&Case, &Chapter)> = cases::ALL.iter().filter_map(find).collect();
    let mut text = HEAD.to_owned();
    let missed: String = chapters.iter().flat_map(|(_, chapter)| chapter.missed.iter().map(String::as_str)).collect();
    if missed.is_empty() {
        text += "\nNone.\n";
    } else {
        let _ = write!(text, "\n{}{missed}", missed::HEADER);
    }
    if quick {
        text += "\nThis is a `--quick` run: not every case, and none at its finest resolution.\n";
    }
    let _ = write!(text, "\n## Cases\n\n{SUMMARY}");
    text.extend(chapters.iter().map(|(_, chapter)| chapter.line.as_str()));
    let _ = write!(text, "\n{READING}{}", processors(&chapters));
    text.extend(chapters.iter().map(|(case, chapter)| chapter.text(case)));
    let elsewhere: String = chapters.iter().flat_map(|(case, chapter)| chapter.elsewhere(case.title)).collect();
    if !elsewhere.is_empty() {
        let _ = write!(text, "\n{ELSEWHERE}{elsewhere}");
    }
    text + &missing()
}

/// The line on times: the processors that the chapters name.
fn processors(chapters: &[(&Case, &Chapter)]) -> String {
    let mut names: Vec<&str> = chapters.iter().filter_map(|(_, chapter)| chapter.processor()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return String::new();
    }
    format!("- Times are processor times of the steps, one thread per run, several runs at once, on {}.\n", names.join(" and "))
}

fn save(path: &Path, what: &str, text: &str) -> Result<(), Failure> {
    sph_io::write_atomically(path, |out| out.write_all(text.as_bytes())).map_err(|error| Failure::output(what, path, &error))
}

/// Section on the cases that cannot be run yet.
fn missing() -> String {
    if cases::NOT_YET.is_empty() {
        return String::new();
    }
    let mut text = "\n## Not yet possible\n\n| Case | Limitation of the solver |\n|---|---|\n".to_owned();
    for (case, reason) in cases::NOT_YET {
        let _ = writeln!(text, "| {case} | {reason} |");
    }
    text
}

/// Name of a measure, with the run that it is of.
fn title(measure: &Measure, run: &str) -> String {
    format!("{} ({run})", measure.name)
}

/// Table with one line per measure that must meet its criterion, and per run that failed.
pub fn table(verdicts: &[Verdict]) -> String {
    let judged = verdicts.iter().flat_map(|verdict| &verdict.runs).filter(|run| run.judged);
    let names = judged.flat_map(|run| run.measures.iter().map(|measure| title(measure, &run.plan.label).chars().count()));
    let width = names.max().unwrap_or(0).max(56) + 2;
    let mut text = format!("{:<22}{:<width$}{:>10}  {:<18}{:<6}{:>8}\n", "case", "measure", "ours", "accepted", "", "time");
    for verdict in verdicts {
        for run in verdict.runs.iter().filter(|run| run.plan.place != PlanSlot::Variant) {
            let (case, label) = (verdict.case.name, &run.plan.label);
            let time = run.record.as_ref().map_or(0.0, |record| record.time.as_secs_f64());
            if let Err(failure) = &run.record {
                let _ = writeln!(text, "{case:<22}{label}: the run failed");
                let _ = writeln!(text, "{}", failure.report(false));
            }
            for measure in run.measures.iter().filter(|_| run.judged) {
                let Some(passes) = measure.passes() else { continue };
                let name = title(measure, label);
                let result = if passes { "pass" } else { "FAIL" };
                let (ours, accepted) = (measure.ours(), measure.accepted());
                let _ = writeln!(text, "{case:<22}{name:<width$}{ours:>10}  {accepted:<18}{result:<6}{time:>6.0} s");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_that_are_not_there_become_text() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("there.md"), "").unwrap();
        let text = "See [a](there.md), [b](../missing/c.toml), ![d](pictures/d.svg), [e](#e) and [f](https://example.org).";
        let expected = "See [a](there.md), b, ![d](pictures/d.svg), [e](#e) and [f](https://example.org).";
        assert_eq!(without_dead_links(text, folder.path()), expected);
        assert_eq!(without_dead_links("none", folder.path()), "none");
    }
}
