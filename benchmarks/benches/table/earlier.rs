//! Comparison with the program of an earlier commit, in turns: both run the same scenes to the same simulated time.

use crate::record::{Record, median};
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What both run: a name, the scene, the simulated time, and settings.
const RUNS: [(&str, &str, &str, &[&str]); 5] = [
    ("dam break as it opens", "scenes/dam_break.toml", "1", &[]),
    ("dam break, WCSPH", "scenes/dam_break.toml", "0.5", &["solver.method=wcsph"]),
    ("tank 46^3, WCSPH", "scenes/bench/tank.toml", "0.1", &["solver.method=wcsph"]),
    ("tank 46^3, DFSPH, 0.05 %", "scenes/bench/tank.toml", "0.15", &[]),
    ("tank 46^3, DFSPH, 0.01 %", "scenes/bench/tank.toml", "0.15", &["solver.dfsph.tolerance=1e-4"]),
];

/// A checkout with its program.
struct Program {
    root: PathBuf,
    file: PathBuf,
}

/// Builds the program of `commit` and this one, and runs both in `rounds` turns; medians, and the median of the ratios within a turn.
pub fn measure(commit: &str, threads: &[usize], rounds: usize, record: &mut Record) -> anyhow::Result<()> {
    let now = Program::build(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))?;
    let root = now.root.join("target/compare").join(commit);
    if !root.exists() {
        run(Command::new("git").current_dir(&now.root).args(["worktree", "add", "--detach"]).arg(&root).arg(commit))?;
    }
    let earlier = Program::build(&root)?;
    for &threads in threads {
        for (name, scene, until, settings) in RUNS {
            let mut turns = Vec::new();
            for _ in 0..rounds {
                let [before, after] = [&earlier, &now].map(|program| program.seconds(scene, until, settings, threads));
                turns.push((before?, after?));
            }
            let of = |value: fn(&(f64, f64)) -> f64| median(turns.iter().map(value).collect());
            record.add(format!("{name}, to {until} s, {commit}"), threads, of(|turn| turn.0), "s");
            record.add(format!("{name}, to {until} s"), threads, of(|turn| turn.1), "s");
            record.add(format!("{name}: faster than {commit}"), threads, of(|turn| turn.0 / turn.1), "x");
        }
    }
    Ok(())
}

impl Program {
    /// Builds the program of the checkout at `root`.
    fn build(root: &Path) -> anyhow::Result<Self> {
        let root = root.canonicalize()?;
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&root).args(["build", "--release", "--locked", "--bin", "sph"]);
        // A folder of its own, wherever this program was built.
        run(cargo.env("CARGO_TARGET_DIR", root.join("target")))?;
        let file = root.join("target/release").join(format!("sph{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { root, file })
    }

    /// Wall-clock time of `sph run` with its set-up, s.
    fn seconds(&self, scene: &str, until: &str, settings: &[&str], threads: usize) -> anyhow::Result<f64> {
        let mut command = Command::new(&self.file);
        command.current_dir(&self.root).args(["run", scene, "--until", until, "--threads", &threads.to_string()]);
        for setting in settings {
            command.args(["--set", setting]);
        }
        let start = Instant::now();
        run(&mut command)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// Runs a command and waits for its end.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
