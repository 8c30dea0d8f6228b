//! The steps of `cargo xtask test` and of its quick form, as data.

use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use crate::borders;
use crate::workspace::Workspace;

/// A list of steps, the quick ones first.
pub struct Plan {
    pub steps: &'static [Step],
    /// The time that all of them may take together on two cores.
    pub budget: Duration,
}

/// A check or a command, and its name in the table of results.
pub struct Step {
    pub name: &'static str,
    action: Action,
}

enum Action {
    Cargo {
        arguments: &'static [&'static str],
        variables: &'static [(&'static str, &'static str)],
    },
    /// A program that an earlier step has built, by its path in the build folder.
    Built {
        program: &'static str,
        arguments: &'static [&'static str],
    },
    /// A check of our own: a few words that describe it, and the function, whose error lists the breaches.
    Check(&'static str, fn(&Workspace) -> Result<(), String>),
}

/// Everything that must hold of a change, in its budget once the dependencies are built. No step changes RUSTFLAGS, so that the dependencies are checked once and built once.
pub const WHOLE: Plan = Plan {
    steps: &[
        FORMAT,
        BORDERS,
        cargo("clippy", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
        Step {
            name: "docs",
            action: Action::Cargo {
                arguments: &["doc", "--workspace", "--no-deps", "--locked"],
                variables: &[("RUSTDOCFLAGS", "-D warnings")],
            },
        },
        cargo("tests", &["test", "--workspace", NO_PEERS, "--locked", "--no-fail-fast"]),
        Step {
            name: "validate",
            // The program that the tests have built: `cargo run -p viewer` would compile crates once more, with other features.
            action: Action::Built { program: "debug/sph", arguments: &["validate", "--quick", "--out", "target/validation"] },
        },
    ],
    budget: Duration::from_secs(12 * 60),
};

/// The tests that are slow and rarely find what the others miss: they are marked as ignored, with this command as the reason.
pub const LONG: Plan = Plan {
    steps: &[cargo(
        "long tests",
        &["test", "--workspace", NO_PEERS, "--locked", "--no-fail-fast", "--tests", "--", "--ignored"],
    )],
    budget: Duration::from_secs(30 * 60),
};

/// Clippy compiles the benchmarks, so that they do not fall behind. Tests leave them out: features that only their peers switch on would make
/// cargo build a dozen crates a second time.
const NO_PEERS: &str = "--exclude=benchmarks";

/// The steps for daily use, which need no driver and no display. They keep to their budget once everything is built.
pub const QUICK: Plan = Plan {
    steps: &[FORMAT, BORDERS, cargo("unit tests", UNIT_TESTS), cargo("fast tests", FAST_TESTS)],
    budget: Duration::from_secs(60),
};

/// The unit tests, and the golden bits with one instruction set each.
const UNIT_TESTS: &[&str] = &[
    "test",
    "--workspace",
    NO_PEERS,
    "--locked",
    "--no-fail-fast",
    "--lib",
    "--bins",
    "--test=golden",
    "--",
    "--skip=golden_bits_with_any",
];

/// Files of the integration tests that keep a core busy for a few seconds at most.
const FAST_TESTS: &[&str] = &[
    "test",
    "--workspace",
    NO_PEERS,
    "--locked",
    "--no-fail-fast",
    "--test=integration",
    "--",
    // sph-core
    "engine::",
    "hands::",
    "initial_pressure::",
    "neighbors::",
    "setup::",
    // sph-io
    "bad_scenes::",
    "bad_tables::",
    "keys::",
    "loading::",
    "recordings::",
    "reference::",
    "saving::",
    "shipped_scenes::the_",
    // viewer
    "command_line::",
    "shaders::",
    "--skip=pictures::",
];

const FORMAT: Step = cargo("format", &["fmt", "--all", "--check"]);
const BORDERS: Step = check("borders", "no crate is built from what lies beyond its border", borders::check);

const fn cargo(name: &'static str, arguments: &'static [&'static str]) -> Step {
    Step { name, action: Action::Cargo { arguments, variables: &[] } }
}

const fn check(name: &'static str, description: &'static str, check: fn(&Workspace) -> Result<(), String>) -> Step {
    Step { name, action: Action::Check(description, check) }
}

impl Step {
    /// The command as it could be typed, or the words that describe a check of our own.
    pub fn description(&self) -> String {
        match &self.action {
            Action::Cargo { arguments, variables } => {
                let variables: String = variables.iter().map(|(name, value)| format!("{name}='{value}' ")).collect();
                format!("{variables}cargo {}", arguments.join(" "))
            }
            Action::Built { program, arguments } => format!("{program} {}", arguments.join(" ")),
            Action::Check(description, _) => (*description).to_owned(),
        }
    }

    /// Runs the step; the error says why it failed.
    pub fn run(&self, workspace: &Workspace) -> Result<(), String> {
        match &self.action {
            Action::Cargo { arguments, variables } => {
                ended("cargo", workspace.cargo_at_root().args(*arguments).envs(variables.iter().copied()).status())
            }
            Action::Built { program, arguments } => {
                let built =
                    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.path("target"), PathBuf::from).join(program);
                let status = Command::new(built).args(*arguments).current_dir(workspace.root()).status();
                ended(program, status)
            }
            Action::Check(_, check) => check(workspace),
        }
    }
}

fn ended(program: &str, status: std::io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} ended with {status}")),
        Err(error) => Err(format!("cannot run {program}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_announced_as_it_could_be_typed() {
        let docs = WHOLE.steps.iter().find(|step| step.name == "docs").map(Step::description);
        assert_eq!(docs.as_deref(), Some("RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked"));
    }

    #[test]
    fn names_are_short_enough_for_the_table() {
        for step in WHOLE.steps.iter().chain(QUICK.steps).chain(LONG.steps) {
            assert!(step.name.len() < 12, "{}", step.name);
        }
    }
}
