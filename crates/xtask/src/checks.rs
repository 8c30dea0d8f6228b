//! `cargo xtask test`: the list of steps, each run whatever became of those before it, and a table of how long they took.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::directions;
use crate::failure::Failure;
use crate::packages::Purpose;
use crate::setup;
use crate::workspace::Workspace;

/// One step; the quick ones come first.
struct Step {
    name: &'static str,
    action: Action,
}

enum Action {
    Cargo {
        arguments: &'static [&'static str],
        variables: &'static [(&'static str, &'static str)],
    },
    /// A check of our own: what it does in a few words, and the function, whose error lists what is wrong.
    Check(&'static str, fn(&Workspace) -> Result<(), String>),
}

/// None of these changes RUSTFLAGS, so that the dependencies are checked once and built once.
const STEPS: &[Step] = &[
    Step { name: "format", action: Action::Cargo { arguments: &["fmt", "--all", "--check"], variables: &[] } },
    Step { name: "directions", action: Action::Check("imports run one way", directions::check) },
    Step {
        name: "clippy",
        action: Action::Cargo {
            arguments: &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
            variables: &[],
        },
    },
    Step {
        name: "docs",
        action: Action::Cargo {
            arguments: &["doc", "--workspace", "--no-deps", "--locked"],
            variables: &[("RUSTDOCFLAGS", "-D warnings")],
        },
    },
    Step {
        name: "tests",
        action: Action::Cargo { arguments: &["test", "--workspace", "--locked", "--no-fail-fast"], variables: &[] },
    },
    Step {
        name: "validate",
        action: Action::Cargo {
            arguments: &["run", "--locked", "-p", "viewer", "--", "validate", "--quick", "--out", "target/validation"],
            variables: &[],
        },
    },
];

/// A step that has run.
struct Outcome {
    name: &'static str,
    passed: bool,
    time: Duration,
}

/// The result of a check that was asked for alone.
pub fn one(name: &str, result: Result<(), String>) -> Result<ExitCode, Failure> {
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(message) => {
            println!("xtask: {name}: {}", message.trim_end());
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Makes the machine ready and runs every step; exit status 1 if any failed.
pub fn test(workspace: &Workspace) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    setup::prepare(workspace, Purpose::Test)?;
    let mut outcomes = vec![Outcome { name: "set-up", passed: true, time: start.elapsed() }];
    for step in STEPS {
        println!("xtask: {}: {}", step.name, step.action.description());
        let start = Instant::now();
        let passed = match step.action.run(workspace) {
            Ok(()) => true,
            Err(message) => {
                eprintln!("xtask: {} failed: {message}", step.name);
                false
            }
        };
        outcomes.push(Outcome { name: step.name, passed, time: start.elapsed() });
    }
    print!("\n{}", table(&outcomes));
    Ok(if outcomes.iter().all(|outcome| outcome.passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Action {
    fn description(&self) -> String {
        match self {
            Self::Cargo { arguments, variables } => {
                let variables: String = variables.iter().map(|(name, value)| format!("{name}='{value}' ")).collect();
                format!("{variables}cargo {}", arguments.join(" "))
            }
            Self::Check(description, _) => (*description).to_owned(),
        }
    }

    fn run(&self, workspace: &Workspace) -> Result<(), String> {
        match self {
            Self::Cargo { arguments, variables } => {
                let status = workspace.cargo_at_root().args(*arguments).envs(variables.iter().copied()).status();
                match status {
                    Ok(status) if status.success() => Ok(()),
                    Ok(status) => Err(format!("cargo ended with {status}")),
                    Err(error) => Err(format!("cannot run cargo: {error}")),
                }
            }
            Self::Check(_, check) => check(workspace),
        }
    }
}

fn table(outcomes: &[Outcome]) -> String {
    let line = |name: &str, result: &str, time: Duration| format!("{name:<12}{result:<8}{:>8.1} s\n", time.as_secs_f64());
    let steps: String =
        outcomes.iter().map(|outcome| line(outcome.name, if outcome.passed { "ok" } else { "FAILED" }, outcome.time)).collect();
    let failed = outcomes.iter().filter(|outcome| !outcome.passed).count();
    let all = if failed == 0 { "ok".to_owned() } else { format!("{failed} bad") };
    steps + &line("all", &all, outcomes.iter().map(|outcome| outcome.time).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_each_step_and_the_total() {
        let outcome = |name, passed, seconds| Outcome { name, passed, time: Duration::from_secs(seconds) };
        let text = table(&[outcome("set-up", true, 1), outcome("clippy", false, 61)]);
        let expected = "set-up      ok           1.0 s\nclippy      FAILED      61.0 s\nall         1 bad       62.0 s\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_step_is_announced_as_it_could_be_typed() {
        let docs = STEPS.iter().find(|step| step.name == "docs").map(|step| step.action.description());
        assert_eq!(docs.as_deref(), Some("RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked"));
    }
}
