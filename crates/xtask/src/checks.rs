//! `cargo xtask test`: each step is run whatever became of those before it, and a table says how long they took.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::arguments::Suite;
use crate::setup::{self, Purpose};
use crate::steps::{LONG, Plan, QUICK, WHOLE};
use crate::workspace::{Failure, Workspace};

/// A step that has run.
struct Outcome {
    name: &'static str,
    passed: bool,
    time: Duration,
}

/// Makes the machine ready and runs every step of a suite; exit status 1 if any failed.
pub fn test(workspace: &Workspace, suite: Suite) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    // The quick steps need nothing but Rust's own tools.
    if suite == Suite::Quick {
        setup::rust_components(workspace)?;
        return Ok(run(workspace, &QUICK, Vec::new()));
    }
    setup::prepare(workspace, Purpose::Test)?;
    let set_up = Outcome { name: "set-up", passed: true, time: start.elapsed() };
    Ok(run(workspace, if suite == Suite::Long { &LONG } else { &WHOLE }, vec![set_up]))
}

fn run(workspace: &Workspace, plan: &Plan, mut outcomes: Vec<Outcome>) -> ExitCode {
    for step in plan.steps {
        println!("xtask: {}: {}", step.name, step.description());
        let start = Instant::now();
        let passed = match step.run(workspace) {
            Ok(()) => true,
            Err(message) => {
                eprintln!("xtask: {} failed: {}", step.name, message.trim_end());
                false
            }
        };
        outcomes.push(Outcome { name: step.name, passed, time: start.elapsed() });
    }
    print!("\n{}", table(&outcomes, plan.budget));
    if outcomes.iter().all(|outcome| outcome.passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A line for each step and one for all, which also says if they took longer than planned.
fn table(outcomes: &[Outcome], budget: Duration) -> String {
    let line = |name: &str, result: &str, time: Duration| format!("{name:<12}{result:<8}{:>8.1} s\n", time.as_secs_f64());
    let steps: String =
        outcomes.iter().map(|outcome| line(outcome.name, if outcome.passed { "ok" } else { "FAILED" }, outcome.time)).collect();
    let failed = outcomes.iter().filter(|outcome| !outcome.passed).count();
    let all = if failed == 0 { "ok".to_owned() } else { format!("{failed} bad") };
    let time = outcomes.iter().map(|outcome| outcome.time).sum();
    let over = if time > budget { format!("over the budget of {} s\n", budget.as_secs()) } else { String::new() };
    steps + &line("all", &all, time) + &over
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &'static str, passed: bool, seconds: u64) -> Outcome {
        Outcome { name, passed, time: Duration::from_secs(seconds) }
    }

    #[test]
    fn the_table_names_each_step_and_the_total() {
        let text = table(&[outcome("set-up", true, 1), outcome("clippy", false, 61)], Duration::from_secs(62));
        let expected = "set-up      ok           1.0 s\nclippy      FAILED      61.0 s\nall         1 bad       62.0 s\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_total_over_the_budget_is_said() {
        let text = table(&[outcome("set-up", true, 1), outcome("clippy", true, 61)], Duration::from_secs(61));
        assert!(text.ends_with("all         ok          62.0 s\nover the budget of 61 s\n"), "{text}");
    }
}
