//! Comparison of two results: their settings and their figures side by side.

use super::as_scene::DIMENSIONS;
use super::{BenchResult, Measured};
use serde_json::Value as Json;
use sph_core::Phase;
use sph_core::parameters::{Discretization, Parameters};

/// A setting of two results in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Heading that it stands under.
    pub section: &'static str,
    /// Name.
    pub label: String,
    /// Value in each of them; empty if it has none.
    pub values: [String; 2],
}

impl Setting {
    /// True if the two differ.
    pub fn differs(&self) -> bool {
        self.values[0] != self.values[1]
    }
}

/// A measured value of two results.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Heading that it stands under.
    pub section: &'static str,
    /// Name.
    pub label: String,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// Value in each of them.
    pub values: [f64; 2],
}

impl Figure {
    /// Second value over the first; `None` if the first is 0.
    pub fn ratio(&self) -> Option<f64> {
        (self.values[0] > 0.0).then(|| self.values[1] / self.values[0])
    }
}

impl BenchResult {
    /// Settings of this result and of `other`, equal ones as well: scene, parameters, machine, program, measurement.
    pub fn settings_beside(&self, other: &Self) -> Vec<Setting> {
        let both = [self, other];
        let row = |section: &'static str, label: &str, value: &dyn Fn(&Self) -> String| Setting {
            section,
            label: label.to_owned(),
            values: both.map(value),
        };
        let mut rows = vec![
            row("Scene", "Scene", &|result| result.scene.name.clone()),
            row("Scene", "Title", &|result| result.scene.title.clone()),
        ];
        let scenes = both.map(|result| (&result.scene.text, &result.scene.files));
        let second = if scenes[0] == scenes[1] { "the same" } else { "another" };
        rows.push(Setting {
            section: "Scene",
            label: "Text and files".to_owned(),
            values: ["the same".to_owned(), second.to_owned()],
        });
        let listed = |values: &[String]| values.join(", ");
        rows.push(row("Scene", "Overrides", &|result| listed(&result.scene.overrides)));
        rows.push(row("Scene", "Off their curves", &|result| listed(&result.scene.off_curve)));
        rows.push(row("Scene", "Fluid particles", &|result| result.measured.particles.to_string()));
        rows.push(row("Scene", "Boundary particles", &|result| result.measured.boundary_particles.to_string()));
        rows.push(row("Scene", "Dimensions", &|result| in_words(result.settings.get(DIMENSIONS), "")));
        for parameter in Discretization::table() {
            let value = |result: &Self| in_words(result.settings.get(parameter.key), parameter.unit);
            rows.push(row("Scene", parameter.label, &value));
        }
        for (of_grid, section) in [(true, "Grid"), (false, "Parameters")] {
            for parameter in Parameters::table().iter().filter(|parameter| parameter.key.starts_with("grid.") == of_grid) {
                let value = |result: &Self| in_words(result.settings.get(parameter.key), parameter.unit);
                rows.push(row(section, parameter.label, &value));
            }
        }
        rows.push(row("Machine", "Processor", &|result| result.machine.processor.clone()));
        rows.push(row("Machine", "Cores", &|result| result.machine.cores.to_string()));
        rows.push(row("Machine", "Threads", &|result| result.machine.threads.to_string()));
        rows.push(row("Machine", "Vector instructions", &|result| result.machine.vector_instructions.clone()));
        rows.push(row("Machine", "Architecture", &|result| result.machine.architecture.clone()));
        rows.push(row("Machine", "System", &|result| result.machine.system.clone()));
        rows.push(row("Program", "Version", &|result| result.program.version.clone()));
        rows.push(row("Program", "Commit", &|result| result.program.commit.clone().unwrap_or_default()));
        rows.push(row("Program", "Optimised", &|result| if result.program.optimized { "yes" } else { "no" }.to_owned()));
        rows.push(row("Measurement", "Date", &|result| result.program.date.clone()));
        rows.push(row("Measurement", "Measured by", &|result| result.measured.by.label().to_owned()));
        rows.push(row("Measurement", "Steps", &|result| {
            let Measured { steps, last_step, .. } = result.measured;
            format!("{steps}, the last is step {last_step}")
        }));
        rows.retain(|row| row.values.iter().any(|value| !value.is_empty()));
        rows
    }

    /// Figures of this result and of `other`: medians of the steps and their phases, the search, the memory.
    pub fn figures_beside(&self, other: &Self) -> Vec<Figure> {
        let both = [&self.measured, &other.measured];
        let row = |section: &'static str, label: &str, unit: &'static str, value: &dyn Fn(&Measured) -> f64| Figure {
            section,
            label: label.to_owned(),
            unit,
            values: both.map(value),
        };
        let mut rows = vec![row("Time per step, median", "step", "ms", &|measured| measured.step.median_ms)];
        for phase in Phase::ALL {
            let median = |measured: &Measured| measured.phases.get(phase.name()).map_or(0.0, |times| times.median_ms);
            rows.push(row("Time per step, median", phase.name(), "ms", &median));
        }
        let per_particle = |measured: &Measured| 1e6 * measured.step.median_ms / measured.particles.max(1) as f64;
        rows.push(row("Time per step, median", "per particle", "ns", &per_particle));
        rows.push(row("Time per step, median", "fastest step", "ms", &|measured| measured.step.fastest_ms));
        rows.push(row("Time per step, median", "90th percentile", "ms", &|measured| measured.step.p90_ms));
        let search = "Neighbour search";
        rows.push(row(search, "build, fluid alone", "ms", &|measured| measured.search.build_ms));
        rows.push(row(search, "query, fluid alone", "ms", &|measured| measured.search.query_ms));
        rows.push(row(search, "candidates", "", &|measured| measured.search.candidates as f64));
        rows.push(row(search, "neighbours", "", &|measured| measured.search.neighbors as f64));
        rows.push(row(search, "buckets", "", &|measured| measured.search.table_size as f64));
        rows.push(row(search, "occupied cells", "", &|measured| measured.search.occupied_cells as f64));
        rows.push(row(search, "occupied buckets", "", &|measured| measured.search.occupied_buckets as f64));
        rows.push(row(search, "load factor", "", &|measured| measured.search.load_factor));
        rows.push(row(search, "cells in collision", "", &|measured| measured.search.cells_in_collision as f64));
        rows.push(row(search, "hash quality", "", &|measured| measured.search.hash_quality));
        rows.push(row(search, "longest bucket", "", &|measured| measured.search.longest_bucket as f64));
        rows.push(row(search, "spills", "", &|measured| measured.search.spills as f64));
        let iterations = "Iterations, median";
        rows.push(row(iterations, "density solve", "", &|measured| measured.iterations.density.into()));
        rows.push(row(iterations, "divergence solve", "", &|measured| measured.iterations.divergence.into()));
        let all = |measured: &Measured| measured.memory.values().map(|&bytes| bytes as f64).sum::<f64>();
        rows.push(row("Memory", "simulation", "B", &all));
        rows.push(row("Memory", "search structure", "B", &|measured| measured.search.bytes as f64));
        rows.retain(|row| row.values != [0.0; 2]);
        rows
    }
}

/// A setting with its unit; empty without a value.
fn in_words(value: Option<&Json>, unit: &str) -> String {
    let text = match value {
        None | Some(Json::Null) => return String::new(),
        Some(Json::String(text)) => text.clone(),
        Some(Json::Array(numbers)) => {
            let numbers: Vec<String> = numbers.iter().map(Json::to_string).collect();
            format!("({})", numbers.join(", "))
        }
        Some(number) => number.to_string(),
    };
    if unit.is_empty() { text } else { format!("{text} {unit}") }
}
