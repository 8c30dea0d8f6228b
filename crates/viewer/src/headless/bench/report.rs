//! Output of one measurement of `sph bench`.

use super::costs::Costs;
use crate::headless::console;
use crate::headless::simulate::Simulator;
use serde_json::{Value, json};
use sph_core::neighbors::{SearchStats, Structure};
use sph_core::{Ceilings, Memory, Simd, StepStats};
use sph_io::Scene;
use std::fmt::Write;

/// A measurement, as a table or as JSON.
pub struct Report<'a> {
    pub scene: &'a Scene,
    pub simulator: &'a Simulator,
    pub costs: &'a Costs,
    /// The last measured step, for values that hardly change from step to step.
    pub last: &'a StepStats,
    pub measured: usize,
    pub warm_up: u32,
    pub ceilings: Ceilings,
}

impl Report<'_> {
    pub fn table(&self) -> String {
        let Self { costs, last, measured, warm_up, .. } = self;
        let mut text =
            format!("{} after {warm_up} of warm-up\n{}", console::counted(*measured as u64, "step"), self.conditions());
        let _ = writeln!(
            text,
            "\n{:<12}{:>10}{:>8}{:>14}{:>12}{:>10}",
            "phase", "median ms", "%", "ns/particle", "fastest ms", "p90 ms"
        );
        let step = costs.step.quantile(0.5);
        for (phase, times) in &costs.phases {
            let _ = writeln!(text, "{}", times.row(phase.name(), step, last.particles));
        }
        // Median over steps; it differs a little from the sum of the medians above.
        text + &costs.step.row("step", step, last.particles)
    }

    /// Conditions of the measurement besides the scene, one per line.
    pub fn conditions(&self) -> String {
        let Self { simulator, last, ceilings, .. } = self;
        let mut text = search(&last.search);
        let memory = simulator.engine().memory();
        let each = |bytes: usize| bytes as f64 / last.particles as f64;
        let parts: Vec<String> = memory.parts().iter().map(|(name, bytes)| format!("{name} {:.0}", each(*bytes))).collect();
        let _ = writeln!(text, "memory: {:.0} bytes per particle ({})", each(memory.total()), parts.join(", "));
        let Ceilings { flops, bandwidth } = ceilings;
        let _ = writeln!(
            text,
            "vector instructions: {}; on {}: {:.0} GFLOP/s of multiply-adds, {:.1} GB/s of memory",
            Simd::best().name(),
            console::counted(simulator.threads() as u64, "thread"),
            flops / 1e9,
            bandwidth / 1e9,
        );
        text
    }

    pub fn json(&self) -> Value {
        let Self { scene, simulator, costs, last, measured, warm_up, ceilings } = self;
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
            "boundary_particles": simulator.engine().view().walls.len(),
            "steps": measured,
            "warm_up": warm_up,
            "phases": phases,
            "step": costs.step.json(particles),
            "memory": memory(&simulator.engine().memory(), particles),
            "vector_instructions": Simd::best().name(),
            "ceilings": { "gflops": ceilings.flops / 1e9, "gigabytes_per_second": ceilings.bandwidth / 1e9 },
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

/// The structure, its statistics in the last step, and a hint if there is a faster one.
fn search(search: &SearchStats) -> String {
    let grid = search.parameters;
    let mut text = grid.structure.name().to_owned();
    if grid.structure.has_table() {
        let occupancy = &search.occupancy;
        let (load, quality) = (occupancy.load_factor(), occupancy.hash_quality());
        let (hash, size) = (grid.hash.name(), occupancy.table_size);
        let _ = write!(text, ", {hash} hash, {size} buckets, load factor {load:.3}, hash quality {quality:.2}");
    }
    let _ =
        writeln!(text, ", cell size {} m, {:.2} candidates per neighbour", grid.cell_size, search.candidates_per_neighbor());
    if grid.structure != Structure::SortedCells {
        let name = grid.structure.name();
        let _ = writeln!(text, "sorted_cells is the fast path: `--structures {name},sorted_cells` compares them");
    }
    text
}

/// Memory in bytes, in total and by part.
fn memory(memory: &Memory, particles: usize) -> Value {
    let parts: serde_json::Map<_, _> = memory.parts().iter().map(|(name, bytes)| ((*name).to_owned(), json!(bytes))).collect();
    json!({"bytes": memory.total(), "bytes_per_particle": memory.total() as f64 / particles as f64, "parts": parts})
}
