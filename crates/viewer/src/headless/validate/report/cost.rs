//! Cost of runs: particles, steps, and time on one thread.

use super::processor;
use crate::headless::validate::record::RunRecord;
use crate::headless::validate::verdict::Run;
use std::fmt::Write as _;

/// Start of the line above a cost table; the name of the processor follows, and a colon.
pub const CAPTION: &str = "Cost on one thread of ";

/// Names of the columns that [`cells`] fills.
pub const COLUMNS: &str = "Particles | Steps | Time, s | Time per particle and step, µs";

/// The line above a cost table.
pub fn caption() -> String {
    format!("{CAPTION}{}:\n", processor::name())
}

/// The columns of [`COLUMNS`] for a run.
pub fn cells(run: &RunRecord) -> String {
    let seconds = run.time.as_secs_f64();
    format!("{} | {} | {seconds:.1} | {:.2}", run.particles(), run.fluid().steps, 1e6 * run.cost())
}

/// Table of the runs that finished.
pub fn table(runs: &[Run]) -> String {
    let mut text = format!("\n{}\n| Run | {COLUMNS} |\n|---|---|---|---|---|\n", caption());
    for run in runs {
        if let Ok(record) = &run.record {
            let _ = writeln!(text, "| {} | {} |", run.plan.label, cells(record));
        }
    }
    text
}
