//! What `sph bench` prints of one measurement.

use super::costs::Costs;
use crate::headless::console;
use crate::headless::simulate::Simulator;
use serde_json::{Value, json};
use sph_core::StepStats;
use sph_io::Scene;
use std::fmt::Write;

/// What was measured, as a table or as JSON.
pub struct Report<'a> {
    pub scene: &'a Scene,
    pub simulator: &'a Simulator,
    pub costs: &'a Costs,
    /// The last measured step, for what hardly changes from step to step.
    pub last: &'a StepStats,
    pub measured: usize,
    pub warm_up: u32,
}

impl Report<'_> {
    pub fn table(&self) -> String {
        let Self { costs, last, measured, warm_up, .. } = self;
        let grid = last.search.parameters;
        let mut text = format!("{} after {warm_up} of warm-up\n", console::counted(*measured as u64, "step"));
        let _ = writeln!(
            text,
            "{}, {} hash, {} buckets, cell size {} m, load factor {:.3}, hash quality {:.2}, {:.2} candidates a neighbour",
            grid.structure.name(),
            grid.hash.name(),
            last.search.occupancy.table_size,
            grid.cell_size,
            last.search.occupancy.load_factor(),
            last.search.occupancy.hash_quality(),
            last.search.candidates_per_neighbor(),
        );
        let _ = writeln!(
            text,
            "\n{:<12}{:>10}{:>8}{:>14}{:>12}{:>10}",
            "phase", "median ms", "%", "ns/particle", "fastest ms", "p90 ms"
        );
        let step = costs.step.quantile(0.5);
        for (phase, times) in &costs.phases {
            let _ = writeln!(text, "{}", times.row(phase.name(), step, last.particles));
        }
        // Of the steps, not the sum of the medians above, from which it differs a little.
        text + &costs.step.row("step", step, last.particles)
    }

    pub fn json(&self) -> Value {
        let Self { scene, simulator, costs, last, measured, warm_up } = self;
        let particles = last.particles;
        let phases: serde_json::Map<_, _> =
            costs.phases.iter().map(|(phase, times)| (phase.name().to_owned(), times.json(particles))).collect();
        let grid = last.search.parameters;
        json!({
            "scene": scene.name,
            "version": env!("CARGO_PKG_VERSION"),
            "optimized": !cfg!(debug_assertions),
            "threads": simulator.threads(),
            "particles": particles,
            "boundary_particles": simulator.simulation().boundary().len(),
            "steps": measured,
            "warm_up": warm_up,
            "phases": phases,
            "step": costs.step.json(particles),
            "search": {
                "structure": grid.structure.name(),
                "hash": grid.hash.name(),
                "table_size": last.search.occupancy.table_size,
                "cell_size": grid.cell_size,
                "load_factor": last.search.occupancy.load_factor(),
                "hash_quality": last.search.occupancy.hash_quality(),
                "candidates_per_neighbor": last.search.candidates_per_neighbor(),
            },
        })
    }
}
