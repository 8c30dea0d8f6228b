//! What came of all cases: as a table for the terminal, and as a report in Markdown with its plots.

use super::case::Case;
use super::cases;
use super::chapter::{Chapter, PICTURES, SUMMARY};
use super::evidence::Evidence;
use super::verdict::Verdict;
use crate::headless::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Validation

The program beside experiments, closed forms and other people's computations. `sph validate` runs all of this, writes this page and its
plots, and ends with exit status 1 if a bar is not met; `sph validate CASE` runs one case and leaves the chapters on the others as they
are, `--quick` runs the coarse resolutions that meet their bars. What is accepted was decided before anything was run, and is not moved:
what falls short stays here, with its reason as far as it is known.

Data with its sources is in [assets/reference](../assets/reference), scenes are in [scenes/validation](../scenes/validation): each can be
opened in the window like any other.
";

const LITERATURE: &str = "\
## Beside the literature

Every measure above for which others have published a result.

| Case | Measure | Ours | Elsewhere |
|---|---|---|---|
";

/// One line a measure that has to meet a bar.
pub fn table(verdicts: &[Verdict]) -> String {
    let mut text = format!("{:<16}{:<58}{:>10}  {:<18}{:<6}{:>8}\n", "case", "measure", "ours", "accepted", "", "time");
    for verdict in verdicts {
        for run in verdict.runs.iter().filter(|run| run.judged || run.evidence.is_err()) {
            let time = run.evidence.as_ref().map_or(0.0, |evidence| evidence.wall.as_secs_f64());
            if let Err(failure) = &run.evidence {
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
/// A report that is there already keeps its chapters on the cases that were not run this time, unless the run was `quick`: so a case can be
/// run again alone.
///
/// # Errors
/// A file cannot be written.
pub fn write(folder: &Path, verdicts: &[Verdict], quick: bool) -> Result<PathBuf, Failure> {
    let pictures = folder.join(PICTURES);
    sph_io::make_folder(&pictures).map_err(|error| Failure::output("into", &pictures, &error))?;
    let path = folder.join("validation.md");
    // One that cannot be read is written anew.
    let before = if quick { String::new() } else { std::fs::read_to_string(&path).unwrap_or_default() };
    let mut chapters = Chapter::read(&before);
    for verdict in verdicts {
        let runs: Vec<&Evidence> = verdict.runs.iter().filter_map(|run| run.evidence.as_ref().ok()).collect();
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

/// The report of these chapters, in the order of the cases; of cases that there are no more, none.
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

/// What cannot be run yet.
fn missing() -> String {
    if cases::NOT_YET.is_empty() {
        return String::new();
    }
    let mut text = "\n## Not yet possible\n\n| Case | What the solver lacks |\n|---|---|\n".to_owned();
    for (case, reason) in cases::NOT_YET {
        let _ = writeln!(text, "| {case} | {reason} |");
    }
    text
}
