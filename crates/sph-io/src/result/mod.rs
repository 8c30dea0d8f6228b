//! Results to share: one JSON file with a scene, the settings in force, the machine, the versions, and the times measured with them.
//!
//! `sph bench --result` and the window write it, and both compare it with another ([`compare`]). [`measure`] makes its figures, [`file`]
//! writes and reads it, [`as_scene`] makes a scene of it again: a result can be opened wherever a scene can.

mod as_scene;
mod compare;
mod file;
mod measure;

pub use compare::{Figure, Setting};
pub use file::ResultError;
pub use measure::Machine;

pub(crate) use as_scene::{is_result, scene_of};

use std::collections::BTreeMap;

use crate::scene::Scene;
use measure::utc;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use sph_core::Parameters;

/// Version of the format.
const VERSION: u32 = 1;

/// Figures of some steps, with all that is needed to repeat them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchResult {
    /// Version of the format.
    sph_result: u32,
    /// Program that has measured.
    pub program: Program,
    /// Machine.
    pub machine: Machine,
    /// Scene.
    pub scene: MeasuredScene,
    /// Discretisation and parameters in force, by their keys in scene files; those that have no effect are left out.
    pub settings: Map<String, Json>,
    /// Figures.
    pub measured: Measured,
}

/// Program that has measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Version.
    pub version: String,
    /// Commit that it was built from, if the builder has said so by the environment variable `SPH_COMMIT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// True if it was built with optimisation.
    pub optimized: bool,
    /// Time of the measurement, UTC: `2026-11-24T17:36:07Z`.
    pub date: String,
}

impl Program {
    /// This program at this instant.
    fn present() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("SPH_COMMIT").filter(|commit| !commit.is_empty()).map(str::to_owned),
            optimized: !cfg!(debug_assertions),
            date: utc(std::time::SystemTime::now()),
        }
    }
}

/// Scene that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredScene {
    /// Short name.
    pub name: String,
    /// Title.
    pub title: String,
    /// Values that replaced those of the text, as `PATH=VALUE`.
    pub overrides: Vec<String>,
    /// Keys of the parameters that were taken off their curves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off_curve: Vec<String>,
    /// Files that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<NamedFile>,
    /// Text of the scene file.
    pub text: String,
}

/// A file that a scene names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedFile {
    /// Path, as the scene names it.
    pub path: String,
    /// Length, bytes.
    pub bytes: u64,
    /// XXH64 of the contents, 16 digits from 0 to 9 and a to f.
    pub hash: String,
    /// Contents, if they are text and not long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Origin of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// `sph bench`: nothing but the simulation ran.
    Bench,
    /// The window, which draws beside the simulation.
    Window,
}

impl Source {
    /// Name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Bench => "sph bench",
            Self::Window => "window",
        }
    }
}

/// Figures of some successive steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Origin.
    pub by: Source,
    /// Number of steps.
    pub steps: u64,
    /// Number of the last of them, from 1.
    pub last_step: u64,
    /// Simulated time at its end, s.
    pub time: f64,
    /// Fluid particles in the last step.
    pub particles: u64,
    /// Boundary particles.
    pub boundary_particles: u64,
    /// Times of whole steps.
    pub step: StepTimes,
    /// Times of each phase, by its name.
    pub phases: BTreeMap<String, StepTimes>,
    /// Iterations of a pressure solve, medians.
    pub iterations: Iterations,
    /// Neighbour search.
    pub search: SearchFigures,
    /// Memory of the simulation, bytes, by its parts.
    pub memory: BTreeMap<String, u64>,
}

/// Wall-clock times of some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepTimes {
    /// Median, ms.
    pub median_ms: f64,
    /// Shortest, ms.
    pub fastest_ms: f64,
    /// 90th percentile, ms.
    pub p90_ms: f64,
}

/// Iterations of the pressure solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Iterations {
    /// Density solve.
    pub density: u32,
    /// Divergence solve.
    pub divergence: u32,
}

/// Statistics of the neighbour search in the last step; the two times are medians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchFigures {
    /// Distances tested.
    pub candidates: u64,
    /// Neighbours found.
    pub neighbors: u64,
    /// Buckets.
    pub table_size: u64,
    /// Cells that hold a particle.
    pub occupied_cells: u64,
    /// Buckets that hold a particle.
    pub occupied_buckets: u64,
    /// Occupied cells / table size.
    pub load_factor: f64,
    /// Occupied cells that share their bucket with another.
    pub cells_in_collision: u64,
    /// Hash quality; see [`Occupancy::hash_quality`](sph_core::neighbors::Occupancy::hash_quality).
    pub hash_quality: f64,
    /// Particles in the fullest bucket.
    pub longest_bucket: u64,
    /// Particles in overflow lists.
    pub spills: u64,
    /// Memory of the structure, bytes.
    pub bytes: u64,
    /// Time to register the particles, ms.
    pub build_ms: f64,
    /// Time to fill the neighbour lists, ms.
    pub query_ms: f64,
}

impl BenchResult {
    /// The result of `measured` steps of `scene` with `parameters`, of which those `off_curve` no longer follow their curve, on `machine`.
    pub fn new(scene: &Scene, parameters: &Parameters, off_curve: &[&str], machine: Machine, measured: Measured) -> Self {
        Self {
            sph_result: VERSION,
            program: Program::present(),
            machine,
            scene: MeasuredScene::of(scene, off_curve),
            settings: as_scene::settings(scene, parameters),
            measured,
        }
    }
}
