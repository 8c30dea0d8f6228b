//! Output of the results: a table for the terminal, and a report in Markdown with plots.

use super::case::Case;
use super::cases;
use super::chapter::{Chapter, PICTURES, SUMMARY};
use super::record::RunRecord;
use super::verdict::Verdict;
use crate::headless::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Validation

Comparison with experiments, analytical solutions and published computations. `sph validate` runs all cases, writes this page and its
plots, and ends with exit status 1 if a criterion is not met; `sph validate CASE` runs one case and leaves the chapters on the others as
they are, `--quick` runs the coarse resolutions that meet their criteria. The criteria were chosen before anything was run, and are not
moved: failures stay here, with their cause as far as it is known.

Data with its sources is in [assets/reference](../assets/reference), scenes are in [scenes/validation](../scenes/validation): each can be
opened in the window like any other.
";

const LITERATURE: &str = "\
## Comparison with the literature

All measures above with published results.

| Case | Measure | Ours | Literature |
|---|---|---|---|
";

/// Table with one line per measure that must meet its criterion.
pub fn table(verdicts: &[Verdict]) -> String {
    let mut text = format!("{:<16}{:<58}{:>10}  {:<18}{:<6}{:>8}\n", "case", "measure", "ours", "accepted", "", "time");
    for verdict in verdicts {
        for run in verdict.runs.iter().filter(|run| run.judged || run.record.is_err()) {
            let time = run.record.as_ref().map_or(0.0, |record| record.wall.as_secs_f64());
            if let Err(failure) = &run.record {
                let _ = writeln!(text, "{:<16}{}: the run failed", verdict.case.name, run.label);
                let _ = writeln!(text, "{}", failure.report(false));
            }
            for measure in &run.measures {
                let name = format!("{} ({})", measure.name, run.label);
                let result = if measure.passes() { "pass" } else { "FAIL" };
                let _ = writeln!(
                    text,
                    "{:<16}{name:<58}{:>10}  {:<18}{result:<6}{time:>6.0} s",
                    verdict.case.name,
                    measure.ours(),
                    measure.accepted()
                );
            }
        }
    }
    text
}

/// Writes `validation.md` into `folder`, and the plots below it; returns the report's path.
///
/// An existing report keeps its chapters on the cases that were not run this time, unless the run was `quick`: a single case
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
        let runs: Vec<&RunRecord> = verdict.runs.iter().filter_map(|run| run.record.as_ref().ok()).collect();
        let figures = if runs.is_empty() { Vec::new() } else { (verdict.case.draw)(&runs) };
        for figure in &figures {
            save(&pictures.join(format!("{}.svg", figure.name)), "the plot", &figure.svg())?;
        }
        chapters.retain(|chapter| chapter.name != verdict.case.name);
        chapters.push(Chapter::of(verdict, &figures));
    }
    save(&path, "the report", &compose(&chapters, quick))?;
    Ok(path)
}

/// The report of these chapters, in the order of the cases; chapters of unknown cases are dropped.
fn compose(chapters: &[Chapter], quick: bool) -> String {
    let find = |case: &Case| chapters.iter().find(|chapter| chapter.name == case.name);
    let chapters: Vec<&Chapter> = cases::ALL.iter().filter_map(find).collect();
    let mut text = HEAD.to_owned();
    if quick {
        text += "\nThis is a `--quick` run: not every case, and none at its finest resolution.\n";
    }
    let _ = write!(text, "\n{SUMMARY}");
    text.extend(chapters.iter().map(|chapter| chapter.line.as_str()));
    text.extend(chapters.iter().map(|chapter| chapter.text.as_str()));
    let literature: String = chapters.iter().flat_map(|chapter| chapter.literature()).collect();
    if !literature.is_empty() {
        let _ = write!(text, "\n{LITERATURE}{literature}");
    }
    text + &missing()
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
