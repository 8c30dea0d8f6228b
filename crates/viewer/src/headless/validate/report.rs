//! What came of all cases: as a table for the terminal, and as a report in Markdown with its plots.

use super::case::Measure;
use super::cases;
use super::evidence::Evidence;
use super::figure::Figure;
use super::verdict::{Run, Verdict};
use crate::headless::Failure;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Where the plots are, below the report's folder.
const PICTURES: &str = "pictures/validation";

const HEAD: &str = "\
# Validation

The program beside experiments, closed forms and other people's computations. `sph validate` runs all of this, writes this page and its
plots, and ends with exit status 1 if a bar is not met; `sph validate CASE` runs one case, `--quick` the coarse resolutions that meet
their bars. What is accepted was decided before anything was run, and is not moved: what falls short stays here, with its reason as far as
it is known.

Data with its sources is in [assets/reference](../assets/reference), scenes are in [scenes/validation](../scenes/validation): each can be
opened in the window like any other.
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
/// # Errors
/// A file cannot be written.
pub fn write(folder: &Path, verdicts: &[Verdict], quick: bool) -> Result<PathBuf, Failure> {
    let pictures = folder.join(PICTURES);
    sph_io::make_folder(&pictures).map_err(|error| Failure::output("into", &pictures, &error))?;
    let mut text = HEAD.to_owned();
    if quick {
        text += "\nThis is a `--quick` run: not every case, and none at its finest resolution.\n";
    }
    text += &summary(verdicts);
    for verdict in verdicts {
        let runs: Vec<&Evidence> = verdict.runs.iter().filter_map(|run| run.evidence.as_ref().ok()).collect();
        let figures = if runs.is_empty() { Vec::new() } else { (verdict.case.draw)(&runs) };
        for figure in &figures {
            let path = pictures.join(format!("{}.svg", figure.name));
            save(&path, "the plot", &figure.svg())?;
        }
        text += &section(verdict, &figures);
    }
    text += &missing();
    let path = folder.join("validation.md");
    save(&path, "the report", &text)?;
    Ok(path)
}

fn save(path: &Path, what: &str, text: &str) -> Result<(), Failure> {
    sph_io::write_atomically(path, |out| out.write_all(text.as_bytes())).map_err(|error| Failure::output(what, path, &error))
}

/// A line a case.
fn summary(verdicts: &[Verdict]) -> String {
    let mut text = "\n| Case | Result | Runs | Time on one thread |\n|---|---|---|---|\n".to_owned();
    for verdict in verdicts {
        let (passed, all) = (verdict.judged().filter(|measure| measure.passes()).count(), verdict.judged().count());
        let result = if verdict.passes() { "pass".to_owned() } else { format!("**fail**: {passed} of {all} bars met") };
        let runs: Vec<&str> = verdict.runs.iter().map(|run| run.label).collect();
        let seconds: f64 = verdict.runs.iter().filter_map(|run| run.evidence.as_ref().ok()).map(|e| e.wall.as_secs_f64()).sum();
        let _ = writeln!(
            text,
            "| [{}](#{}) | {result} | {} | {seconds:.0} s |",
            verdict.case.title,
            verdict.case.name,
            runs.join(", ")
        );
    }
    text
}

fn section(verdict: &Verdict, figures: &[Figure]) -> String {
    let Verdict { case, runs } = verdict;
    let name = case.name;
    let mut text = format!(
        "\n<a id=\"{name}\"></a>\n## {}\n\n{} Scene: [{name}.toml](../scenes/validation/{name}.toml).\n",
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

/// What cannot be run yet.
fn missing() -> String {
    let mut text = "\n## Not yet possible\n\n| Case | What the solver lacks |\n|---|---|\n".to_owned();
    for (case, reason) in cases::NOT_YET {
        let _ = writeln!(text, "| {case} | {reason} |");
    }
    text
}
