//! `sph validate`: comparison with experiments and analytical solutions.
//!
//! A `case::Case` is data: a scene, the plan of its runs (resolutions and variants, a matrix of settings, or a list), its measures
//! with their acceptance criteria and the values of others, and its plots. `cases` lists them all. `runs` runs them, `verdict`
//! judges them, `report` writes the results.

mod case;
mod cases;
mod curves;
mod figure;
mod report;
mod runs;
mod verdict;

use std::path::PathBuf;

use case::Case;
use clap::Args;
use sph_commands::arguments::ThreadArgs;
use sph_commands::simulate::Interrupt;
use sph_commands::{Failure, console};

/// Arguments of `sph validate`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Names of cases, or prefixes: `solvers` means solvers_still_water and the like [default: all]
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Run only the coarse resolutions at which cases meet their criteria: less than a minute on one thread
    #[arg(long)]
    quick: bool,
    /// Folder for the report, validation.md, and its plots in pictures/validation/; created if missing. An existing report
    /// keeps the chapters of cases that are not run
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Executes `sph validate`.
///
/// # Errors
/// If a case is not known, a criterion is not met, or the report could not be written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { cases, quick, out, threads } = options;
    let cases = select(cases)?;
    let interrupt = Interrupt::install()?;
    let jobs = runs::jobs(&cases, *quick)?;
    if jobs.is_empty() {
        return Err(Failure::Input("none of these cases has a quick version: leave out --quick".to_owned()));
    }
    let results = runs::run(&jobs, *threads, interrupt)?;
    let verdicts = verdict::judge(&cases, results);
    console::print(&report::table(&verdicts))?;
    let written = report::write(out, &verdicts, *quick)?;
    console::say(&format!("wrote {}", written.display()));
    let failed: Vec<&str> = verdicts.iter().filter(|verdict| !verdict.passes()).map(|verdict| verdict.case.name).collect();
    if failed.is_empty() {
        return Ok(());
    }
    Err(Failure::Run(format!("{} of {} cases do not meet their criteria: {}", failed.len(), verdicts.len(), failed.join(", "))))
}

/// The cases of these names, each once, in the order of the list; all cases if there are no names.
fn select(names: &[String]) -> Result<Vec<&'static Case>, Failure> {
    if let Some(name) = names.iter().find(|name| !cases::ALL.iter().any(|case| is_meant(case, name))) {
        let known: Vec<&str> = cases::ALL.iter().map(|case| case.name).collect();
        // What several begin with can be misspelt as well.
        let families = known.iter().flat_map(|known| known.match_indices('_').map(|(end, _)| &known[..end]));
        let hint = match sph_io::nearest(name, known.iter().copied().chain(families)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("the cases are {}", known.join(", ")),
        };
        return Err(Failure::Input(format!("there is no case `{name}`: {hint}")));
    }
    let wanted = |case: &&Case| names.is_empty() || names.iter().any(|name| is_meant(case, name));
    Ok(cases::ALL.iter().filter(wanted).collect())
}

/// True if `name` is the case's, or that of no case and the beginning of this one's up to an underscore.
fn is_meant(case: &Case, name: &str) -> bool {
    if cases::ALL.iter().any(|case| case.name == name) {
        return case.name == name;
    }
    case.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_selected_by_name() {
        let names = |names: &[&str]| select(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(names(&[]).unwrap().len(), cases::ALL.len());
        let two = names(&["dam_break_n2", "still_water", "dam_break_n2"]).unwrap();
        assert_eq!(two.iter().map(|case| case.name).collect::<Vec<_>>(), ["still_water", "dam_break_n2"]);
        let family = names(&["dam_break"]).unwrap();
        assert_eq!(family.iter().map(|case| case.name).collect::<Vec<_>>(), ["dam_break_n2", "dam_break_n1"]);
        // A case of its own, not the family of `lobovsky_in_space`.
        let one = names(&["lobovsky"]).unwrap();
        assert_eq!(one.iter().map(|case| case.name).collect::<Vec<_>>(), ["lobovsky"]);
        let failure = names(&["still_watr"]).unwrap_err();
        assert_eq!(failure.exit_status(), 2);
        assert!(failure.report(false).contains("did you mean `still_water`?"), "{}", failure.report(false));
        for (misspelt, meant) in [("dam_braek", "dam_break"), ("solver", "solvers"), ("Cavity", "cavity")] {
            let report = names(&[misspelt]).unwrap_err().report(false);
            assert!(report.contains(&format!("did you mean `{meant}`?")), "{report}");
        }
    }
}
