//! `sph bench --structures`: all neighbour-search structures on the same scene, in one run.

use crate::headless::simulate::{Interrupt, Simulator};
use crate::headless::{Failure, console};
use serde_json::{Value, json};
use sph_core::neighbors::{GridParameters, Occupancy, SearchStats, Structure};
use sph_core::{Phase, StepStats};
use std::fmt::Write;

/// Steps with one structure per turn. The fluid moves on meanwhile, by the same motion for all; short turns keep the states
/// similar on which the structures are measured.
const TURN: usize = 10;

/// Warm-up steps at the beginning of a turn: a new structure allocates, and an incremental one starts empty.
const WARM_UP: usize = 2;

/// A structure and its cost.
pub struct Row {
    pub structure: Structure,
    /// Median times, ms.
    pub build: f64,
    pub query: f64,
    pub particles: usize,
    /// Search statistics of the last measured step.
    pub search: Option<SearchStats>,
}

impl Row {
    /// Name and options, as `bucket_hash fixed rebuilt once`.
    pub fn name(&self) -> String {
        self.structure.to_string()
    }

    /// Build and query together, ms.
    pub fn sum(&self) -> f64 {
        self.build + self.query
    }
}

/// Measures `structures` in turns until each has `steps` measured steps.
///
/// # Errors
/// If the simulation failed, or was interrupted.
pub fn measure(
    simulator: &mut Simulator,
    structures: &[Structure],
    steps: usize,
    interrupt: Interrupt,
) -> Result<Vec<Row>, Failure> {
    let grid = simulator.engine().parameters().grid;
    let mut measured: Vec<Vec<StepStats>> = structures.iter().map(|_| Vec::new()).collect();
    let turns = steps.div_ceil(TURN - WARM_UP);
    for turn in 1..=turns {
        for (&structure, measured) in structures.iter().zip(&mut measured) {
            simulator.set_grid(GridParameters { structure, ..grid })?;
            for step in 0..TURN {
                if interrupt.requested() {
                    return Err(Failure::Run("interrupted before every structure was measured".to_owned()));
                }
                let stats = simulator.step();
                if let Some(error) = stats.error {
                    return Err(Failure::Run(format!("with {structure}: {error}")));
                }
                if step >= WARM_UP {
                    measured.push(stats);
                }
            }
            console::say(&format!("turn {turn} of {turns}: {structure}"));
        }
    }
    Ok(structures.iter().zip(measured).map(|(&structure, measured)| row(structure, measured)).collect())
}

fn row(structure: Structure, measured: Vec<StepStats>) -> Row {
    let median = |phase: Phase| {
        let mut times: Vec<f64> = measured.iter().map(|stats| 1e3 * stats.phases[phase].as_secs_f64()).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    };
    let (build, query) = (median(Phase::Build), median(Phase::Query));
    let particles = measured.last().map_or(0, |stats| stats.particles);
    Row { structure, build, query, particles, search: measured.into_iter().last().map(|stats| stats.search) }
}

/// One line per structure, the cheapest first.
pub fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<42}{:>10}{:>10}{:>10}{:>12}{:>12}{:>10}\n",
        "structure", "build ms", "query ms", "sum ms", "candidates", "KiB", "spills"
    );
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| a.sum().total_cmp(&b.sum()));
    for row in sorted {
        let (candidates, bytes, spills) = row.search.as_ref().map_or((0.0, 0, 0), |search| {
            (search.candidates_per_neighbor(), search.occupancy.bytes / 1024, search.occupancy.spills)
        });
        let _ = writeln!(
            text,
            "{:<42}{:>10.3}{:>10.3}{:>10.3}{candidates:>12.2}{bytes:>12}{spills:>10}",
            row.name(),
            row.build,
            row.query,
            row.sum(),
        );
    }
    text + "candidates: distances tested per neighbour found"
}

/// The results as JSON.
pub fn json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let occupancy = row.search.as_ref().map(|search| &search.occupancy);
        json!({
            "structure": row.structure.name(),
            "options": row.structure.option_names(),
            "build_ms": row.build,
            "query_ms": row.query,
            "candidates_per_neighbor": row.search.as_ref().map(SearchStats::candidates_per_neighbor),
            "bytes": occupancy.map(|occupancy| occupancy.bytes),
            "spills": occupancy.map(|occupancy| occupancy.spills),
            "hash_quality": occupancy.map(Occupancy::hash_quality),
            "longest_bucket": occupancy.map(|occupancy| occupancy.longest_bucket),
        })
    };
    json!({
        "optimized": !cfg!(debug_assertions),
        "particles": rows.first().map(|row| row.particles),
        "structures": rows.iter().map(row).collect::<Vec<_>>(),
    })
}
