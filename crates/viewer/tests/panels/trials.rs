//! Synthetic results of auto-tuning, independent of the machine.

use sph_core::neighbors::{GridParameters, Structure, Tally};
use sph_core::tuning::{Cost, Plan, Results, Trial, Verdict};
use sph_core::{Dimensions, Discretization, Parameters};
use std::sync::Arc;
use std::time::Duration;
use viewer::session::{Stage, Tuning};

/// Structures of most tests.
pub const STRUCTURES: [Structure; 4] =
    [Structure::UniformGrid, Structure::SpatialHash, Structure::USUAL[3], Structure::USUAL[4]];

/// Trials of `structures` around the grid of `parameters`, of which a share `share` is done. The fastest of [`STRUCTURES`] is
/// the uniform grid at one support radius, three times as fast as the current grid.
pub fn tuning(parameters: &Parameters, structures: &[Structure], stage: Stage, share: f64) -> Tuning {
    let present = parameters.grid;
    let radius = present.cell_size;
    let discretization = Discretization { support_radius: radius, ..Discretization::new(Dimensions::Three, 0.5 * radius) };
    let plan = Plan::around(&present, structures.to_vec(), 512, &discretization);
    let grids = plan.sequence();
    let count = (share * grids.len() as f64) as usize;
    let cost = |grid: &GridParameters| {
        let ratio = f64::from(grid.cell_size / radius);
        let table = f64::from(grid.table_size) / 512.0;
        let crowding = if grid.structure.has_table() { (1.0 / table).max(1.0).powf(0.8) + 0.05 * table } else { 0.2 };
        let total = 1.0 + (ratio.ln() * 1.8).powi(2) + crowding;
        Cost {
            build_ms: 0.1 * total,
            query_ms: 0.9 * total,
            repeats: 5,
            tally: Tally { candidates: 6000, neighbors: 1000 },
            load_factor: 0.3,
            spills: 0,
            bytes: 40_960,
        }
    };
    let trial = |grid: GridParameters| {
        let total = cost(&grid).total_ms();
        let verdict = if total > 9.0 { Verdict::TooSlow { predicted_ms: total } } else { Verdict::Measured(cost(&grid)) };
        Trial { grid, verdict }
    };
    let total = 1 + grids.len();
    let trials = grids.into_iter().take(count).map(trial).collect();
    let present_cost = Cost { build_ms: 0.6, query_ms: 3.0, ..cost(&present) };
    let results = Results {
        particles: 512,
        support_radius: radius,
        plan,
        present,
        present_verdict: Some(Verdict::Measured(present_cost)),
        trials,
        finals: Vec::new(),
        final_times: Vec::new(),
        final_trials: 0,
        total,
    };
    let (elapsed, forecast) = (Duration::from_secs(40), Some(Duration::from_secs(30)));
    Tuning { set: None, results: Arc::new(results), stage, time: 0.012, elapsed, forecast }
}
