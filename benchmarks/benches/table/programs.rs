//! Comparisons of whole programs, in turns: the portable one with one built for this processor, and this one with that of an earlier
//! commit.

use crate::record::{Record, median};
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Steps per turn of the portable program and the one built for this processor.
const STEPS: &str = "40";

/// Solvers that these are measured with.
const METHODS: [&str; 2] = ["wcsph", "dfsph"];

/// Runs `sph bench` of both programs on one thread in `rounds` turns; medians, and the median of the ratios within a turn.
pub fn native([default, native]: &[PathBuf; 2], rounds: usize, record: &mut Record) -> anyhow::Result<()> {
    for method in METHODS {
        let turns = Turns::take(rounds, || step(default, method), || step(native, method))?;
        record.add(format!("tank 31^3 {method}, default binary, step"), 1, turns.first(), "ns/particle");
        record.add(format!("tank 31^3 {method}, native binary, step"), 1, turns.second(), "ns/particle");
        let name = if method == METHODS[0] {
            "native over default, step".to_owned()
        } else {
            format!("native over default, step of {method}")
        };
        record.add(name, 1, turns.median(|first, second| second / first), "x");
    }
    Ok(())
}

/// Median time of a step, ns per particle, from the program's report.
fn step(program: &Path, method: &str) -> anyhow::Result<f64> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/bench/tank.toml");
    let set = format!("solver.method={method}");
    let arguments = ["--set", &set, "--set", "particles.spacing=0.0322580645", "--steps", STEPS, "--threads", "1", "--json"];
    let report = run(Command::new(program).arg("bench").arg(scene).args(arguments))?;
    let report: serde_json::Value = serde_json::from_slice(&report)?;
    report["step"]["ns_per_particle"].as_f64().context("no time of a step")
}

/// What this program and an earlier one run: a name, the scene of their own checkout, the simulated time, s, and settings. Only the
/// first leaves the lengths of the steps to the scene.
const RUNS: [(&str, &str, &str, &[&str]); 5] = [
    ("dam break as it opens", "scenes/dam_break.toml", "1", &[]),
    (
        "dam break, WCSPH, Courant factor 0.4",
        "scenes/dam_break.toml",
        "0.5",
        &["solver.method=wcsph", "time_step.cfl_factor=0.4"],
    ),
    ("tank 46^3, WCSPH", "scenes/bench/tank.toml", "0.1", &["solver.method=wcsph"]),
    ("tank 46^3, DFSPH, 0.05 %", "scenes/bench/tank.toml", "0.15", &[]),
    ("tank 46^3, DFSPH, 0.01 %", "scenes/bench/tank.toml", "0.15", &["solver.dfsph.tolerance=1e-4"]),
];

/// Builds the program of `commit` and this one, and runs both in `rounds` turns; medians, and the median of the ratios within a
/// turn.
pub fn earlier(commit: &str, threads: &[usize], rounds: usize, record: &mut Record) -> anyhow::Result<()> {
    let now = Checkout::build(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let root = now.root.join("target/compare").join(commit);
    if !root.exists() {
        run(Command::new("git").current_dir(&now.root).args(["worktree", "add", "--detach"]).arg(&root).arg(commit))?;
    }
    let earlier = Checkout::build(&root)?;
    for &threads in threads {
        for (name, scene, until, settings) in RUNS {
            let seconds = |program: &Checkout| program.seconds(scene, until, settings, threads);
            let turns = Turns::take(rounds, || seconds(&earlier), || seconds(&now))?;
            record.add(format!("{name}, to {until} s, {commit}"), threads, turns.first(), "s");
            record.add(format!("{name}, to {until} s"), threads, turns.second(), "s");
            record.add(format!("{name}: faster than {commit}"), threads, turns.median(|before, now| before / now), "x");
        }
    }
    Ok(())
}

/// A checkout with its program.
struct Checkout {
    root: PathBuf,
    program: PathBuf,
}

impl Checkout {
    /// Builds the program of the checkout at `root`.
    fn build(root: &Path) -> anyhow::Result<Self> {
        let root = root.canonicalize()?;
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&root).args(["build", "--release", "--locked", "--bin", "sph"]);
        // A folder of its own, wherever this table was built.
        run(cargo.env("CARGO_TARGET_DIR", root.join("target")))?;
        let program = root.join("target/release").join(format!("sph{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { root, program })
    }

    /// Wall-clock time of `sph run` with its set-up, s.
    fn seconds(&self, scene: &str, until: &str, settings: &[&str], threads: usize) -> anyhow::Result<f64> {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.root).args(["run", scene, "--until", until, "--threads", &threads.to_string()]);
        for setting in settings {
            command.args(["--set", setting]);
        }
        let start = Instant::now();
        run(&mut command)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// Times of two programs that take turns.
struct Turns(Vec<(f64, f64)>);

impl Turns {
    /// Measures both in each of the `rounds`.
    fn take(
        rounds: usize,
        first: impl Fn() -> anyhow::Result<f64>,
        second: impl Fn() -> anyhow::Result<f64>,
    ) -> anyhow::Result<Self> {
        Ok(Self((0..rounds).map(|_| Ok((first()?, second()?))).collect::<anyhow::Result<_>>()?))
    }

    /// Median of a value of each turn.
    fn median(&self, of: impl Fn(f64, f64) -> f64) -> f64 {
        median(self.0.iter().map(|&(first, second)| of(first, second)).collect())
    }

    fn first(&self) -> f64 {
        self.median(|first, _| first)
    }

    fn second(&self) -> f64 {
        self.median(|_, second| second)
    }
}

/// Runs a command to its end, and returns what it printed.
fn run(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
