//! The scene file as it is written: plain serde types that mirror the text, key for key.
//!
//! Parameters are not here: their keys are those of [`sph_core::parameters`], from which the schema and the reading of their values come
//! too. The doc comments of all other keys are their descriptions in the JSON Schema, which a file is checked against before it is read
//! into these types: so each key is written down once. Numbers are `f64` as TOML has them.

use super::bodies::BodyTable;
use super::containers::ContainerTable;
use super::domain::DomainTable;
use super::forces::ForceTable;
use super::named::Named;
use super::probes::ProbeTable;
use super::velocity_field::VelocityFieldTable;
use crate::scene::color_field::ColorField;
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{BlockShape, InitialPressure, WallSampling};

/// Version of the format that this program reads.
pub(crate) const FORMAT: u32 = 1;

/// A scene of the fluid simulator. Lengths are in metres, times in seconds, masses in kilograms; y points up.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "SPH scene")]
pub(crate) struct SceneFile {
    /// Version of the scene format; always 1.
    #[schemars(extend("const" = 1))]
    #[expect(dead_code, reason = "checked on the document, before anything else of it is read")]
    pub format: u32,
    /// Name shown to people; default: the file's name.
    pub title: Option<String>,
    /// What the scene shows, in a sentence or two; default: empty.
    #[serde(default)]
    pub description: String,
    /// Number of space dimensions, 2 or 3; default 3. In 2 dimensions z is ignored everywhere.
    #[serde(default = "default_dimensions")]
    #[schemars(extend("enum" = [2, 3]))]
    pub dimensions: u32,
    /// How the fluid is cut into particles.
    pub particles: ParticlesTable,
    /// The fluid: its constants and where it is.
    pub fluid: FluidTable,
    /// Boxes whose walls hold the fluid, each under `[[containers]]`; default: none. With any, every block of fluid must lie inside one.
    #[serde(default)]
    pub containers: Vec<ContainerTable>,
    /// Forces from outside, added to gravity, each under `[[forces]]`; default: none.
    #[serde(default)]
    pub forces: Vec<ForceTable>,
    /// Solid bodies in the fluid, each under `[[bodies]]`; default: none.
    #[serde(default)]
    pub bodies: Vec<BodyTable>,
    /// Where space repeats; default: nowhere.
    #[serde(default)]
    pub domain: DomainTable,
    /// How long the scene runs.
    #[serde(default)]
    pub run: RunTable,
    /// How the scene is first looked at.
    #[serde(default)]
    pub view: ViewTable,
    /// Instruments, each under `[[probes]]`, read by `sph run --probes`; default: none.
    #[serde(default)]
    pub probes: Vec<ProbeTable>,
}

/// How the fluid is cut into particles.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ParticlesTable {
    /// How walls are cut into particles; default "layers".
    #[serde(default)]
    pub walls: Named<WallSampling>,
}

/// The fluid: its constants and where it is.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FluidTable {
    /// Boxes filled with fluid, each under `[[fluid.blocks]]`; at least one. They may touch, not overlap.
    #[schemars(length(min = 1))]
    pub blocks: Vec<BlockTable>,
}

/// A box filled with fluid.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockTable {
    /// Lowest corner, m.
    #[schemars(length(min = 2, max = 3))]
    pub min: Vec<f64>,
    /// Highest corner, m.
    #[schemars(length(min = 2, max = 3))]
    pub max: Vec<f64>,
    /// What of the box is filled; default "box".
    #[serde(default)]
    pub shape: Named<BlockShape>,
    /// Velocity of the block at the start, m/s; default: at rest.
    #[schemars(length(min = 2, max = 3))]
    pub velocity: Option<Vec<f64>>,
    /// Velocity at the start by place, added to `velocity`.
    #[serde(default)]
    pub velocity_field: VelocityFieldTable,
    /// Whether what of the block lies in bodies is left out; default false: it must be clear of them.
    #[serde(default)]
    pub around_bodies: bool,
    /// Pressure of the block at the start; default "hydrostatic".
    #[serde(default)]
    pub initial_pressure: Named<InitialPressure>,
}

/// How long the scene runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RunTable {
    /// Simulated time after which a run without a window ends, s; more than 0; default 2.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub duration: f64,
}

/// How the scene is first looked at.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ViewTable {
    /// Where the camera is, m; default: far enough away to see everything.
    pub eye: Option<[f64; 3]>,
    /// Point the camera looks at, m; default: the middle of the scene.
    pub target: Option<[f64; 3]>,
    /// What the particles' colours show; default "speed".
    pub color: Named<ColorField>,
}

fn default_dimensions() -> u32 {
    3
}

impl Default for RunTable {
    fn default() -> Self {
        Self { duration: 2.0 }
    }
}
