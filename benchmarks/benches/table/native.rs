//! Comparison of the portable program with one built for this processor, in turns.

use crate::record::{Record, median};
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Steps per turn.
const STEPS: &str = "40";

/// Solvers that both are measured with.
const METHODS: [&str; 2] = ["wcsph", "dfsph"];

/// Runs `sph bench` of both programs on one thread in `rounds` turns; medians, and the median of the ratios within a turn.
pub fn measure([default, native]: &[PathBuf; 2], rounds: usize, record: &mut Record) -> anyhow::Result<()> {
    for method in METHODS {
        let mut turns = Vec::new();
        for _ in 0..rounds {
            turns.push((step(default, method)?, step(native, method)?));
        }
        let of = |value: fn(&(f64, f64)) -> f64| median(turns.iter().map(value).collect());
        record.add(format!("tank 31^3 {method}, default binary, step"), 1, of(|turn| turn.0), "ns/particle");
        record.add(format!("tank 31^3 {method}, native binary, step"), 1, of(|turn| turn.1), "ns/particle");
        let name = if method == METHODS[0] {
            "native over default, step".to_owned()
        } else {
            format!("native over default, step of {method}")
        };
        record.add(name, 1, of(|turn| turn.1 / turn.0), "x");
    }
    Ok(())
}

/// Median time of a step, ns per particle, from the program's report.
fn step(program: &Path, method: &str) -> anyhow::Result<f64> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/bench/tank.toml");
    let set = format!("solver.method={method}");
    let arguments = ["--set", &set, "--set", "particles.spacing=0.0322580645", "--steps", STEPS, "--threads", "1", "--json"];
    let output = Command::new(program).arg("bench").arg(scene).args(arguments).output();
    let output = output.with_context(|| program.display().to_string())?;
    ensure!(output.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    report["step"]["ns_per_particle"].as_f64().context("no time of a step")
}
