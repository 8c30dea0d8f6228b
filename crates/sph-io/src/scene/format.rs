//! The scene file as it is written: plain serde types that mirror the text, key for key.
//!
//! Their doc comments are the descriptions in the JSON Schema, and the schema is also what [`super::check`] checks a file
//! against, so a key, its range, its default and its meaning are written down once, here. Numbers are `f64` as TOML has
//! them; [`super::convert`] turns them into what the simulation uses.

use super::bodies::BodyTable;
use super::containers::ContainerTable;
use super::domain::DomainTable;
use super::forces::ForceTable;
use super::names::{
    ColorName, DensityDiffusionName, HashName, InitialPressureName, IntegrationName, KernelName, MethodName,
    NegativePressureName, RegistrationName, ShapeName, StateEquationName, StorageName, StructureName, UpdateName,
    ViscosityModelName, WalkName, WallPressureName, WallSamplingName,
};
use super::probes::ProbeTable;
use super::velocity_field::VelocityFieldTable;
use schemars::JsonSchema;
use serde::Deserialize;

/// Version of the format that this program reads.
pub(crate) const FORMAT: u32 = 1;

/// A scene of the fluid simulator. Lengths are in metres, times in seconds, masses in kilograms; y points up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    /// Acceleration of the fluid, m/s²; default [0.0, -9.81, 0.0]. Two numbers do in 2 dimensions.
    #[serde(default = "default_gravity")]
    #[schemars(length(min = 2, max = 3))]
    pub gravity: Vec<f64>,
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
    /// Bounds on the time step.
    #[serde(default)]
    pub time_step: TimeStepTable,
    /// The neighbour search. It changes what a step costs, never what the step computes.
    #[serde(default)]
    pub grid: GridTable,
    /// How pressure is found.
    #[serde(default)]
    pub solver: SolverTable,
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
#[serde(deny_unknown_fields)]
pub(crate) struct ParticlesTable {
    /// Distance between neighbouring particles at the start, m; more than 0. Half of it means 8 times the particles (4 in 2D).
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub spacing: f64,
    /// The smoothing kernel; default "cubic_spline".
    #[serde(default)]
    pub kernel: KernelName,
    /// Distance at which the kernel becomes zero, in particle spacings, 1.2 to 4; default 2.0 with cubic_spline,
    /// 3.0 with wendland_c4 and in 2 dimensions with wendland_c2, else 2.6.
    #[schemars(range(min = 1.2, max = 4.0))]
    pub support_radius: Option<f64>,
    /// How walls are cut into particles; default "layers".
    #[serde(default)]
    pub walls: WallSamplingName,
}

/// The fluid: its constants and where it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FluidTable {
    /// Density of the undisturbed fluid, kg/m³; more than 0; default 1000.
    #[serde(default = "default_rest_density")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub rest_density: f64,
    /// Numerical speed of sound, m/s; 0.001 to 100000; default 10·√(2·|gravity|·height of the fluid), at least 1.
    /// Ten times the highest speed keeps the density within 1 %; a lower one allows longer steps.
    #[schemars(range(min = 0.001, max = 100_000.0))]
    pub sound_speed: Option<f64>,
    /// Kinematic viscosity, m²/s; 0 or more; default 1e-6, which is water's.
    #[serde(default = "default_kinematic_viscosity")]
    #[schemars(range(min = 0))]
    pub kinematic_viscosity: f64,
    /// The form of the laminar viscosity; default "morris".
    #[serde(default)]
    pub viscosity_model: ViscosityModelName,
    /// Residual at which the "implicit" viscosity is good enough, relative to what it does in a step; 1e-6 to 0.1; default 0.01.
    #[serde(default = "default_viscosity_tolerance")]
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub viscosity_tolerance: f64,
    /// Most iterations of the "implicit" viscosity in a step, 1 to 1000; default 100.
    #[serde(default = "default_viscosity_iterations")]
    #[schemars(range(min = 1, max = 1000))]
    pub max_viscosity_iterations: u32,
    /// Coefficient of the artificial viscosity, dimensionless; 0 (off) or more; default 0.05.
    #[serde(default = "default_artificial_viscosity")]
    #[schemars(range(min = 0))]
    pub artificial_viscosity: f64,
    /// Coefficient of the density diffusion, dimensionless; 0 (off) or more; default 0.1.
    #[serde(default = "default_density_diffusion")]
    #[schemars(range(min = 0))]
    pub density_diffusion: f64,
    /// Share of the mean velocity of its neighbours with which a particle moves (XSPH), dimensionless; 0 (off) to 1; default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub xsph: f64,
    /// Surface tension, N/m; 0 (off) to 1000; default 0. Water has 0.073.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub surface_tension: f64,
    /// Work of pulling the fluid off a wall, N/m; 0 (off) to 1000; default 0. Twice the surface tension wets walls, half of that stands upright on them.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub adhesion: f64,
    /// How strongly the flow and the spin of its particles drive each other (micropolar), m²/s; 0 (off) to 100; default 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100))]
    pub vorticity_transfer: f64,
    /// Share of the neighbours' mean spin that a particle takes over in a step, 0 to 1; default 0.1.
    #[serde(default = "default_vorticity_smoothing")]
    #[schemars(range(min = 0, max = 1))]
    pub vorticity_smoothing: f64,
    /// Inertia of a particle's spin over its mass, m²; 1e-9 to 1e6; default 2.
    #[serde(default = "default_micro_inertia")]
    #[schemars(range(min = 1e-9, max = 1e6))]
    pub micro_inertia: f64,
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
    pub shape: ShapeName,
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
    pub initial_pressure: InitialPressureName,
}

/// Bounds on the time step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TimeStepTable {
    /// Fraction of the stability limits that is used, more than 0, at most 1; default 0.4.
    #[schemars(extend("exclusiveMinimum" = 0), range(max = 1))]
    pub cfl_factor: f64,
    /// Longest step, s; 1e-9 to 1; default 0.005.
    #[schemars(range(min = 1e-9, max = 1.0))]
    pub max_dt: f64,
    /// Shortest step, s; 0 to max_dt; default 0. It is taken although a limit asks for a shorter one: the run may then go wrong.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub min_dt: f64,
    /// Length of every step, s, whatever the limits and bounds say; 1e-9 to 1; default: they decide.
    #[schemars(range(min = 1e-9, max = 1.0))]
    pub fixed_dt: Option<f64>,
}

/// The neighbour search. It changes what a step costs, never what the step computes.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GridTable {
    /// The structure that finds neighbours; default "sorted_cells", the fastest.
    pub structure: StructureName,
    /// Number of buckets of the hash table, 1 to 16777216; default: twice the number of fluid particles.
    #[schemars(range(min = 1, max = 16_777_216))]
    pub table_size: Option<u32>,
    /// Side of a grid cell, m; 0.25 to 4 support radii; default: the support radius.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub cell_size: Option<f64>,
    /// The function from cells to buckets; default "muller".
    pub hash: HashName,
    /// How the buckets of "bucket_hash" and "block_map" keep their particles; default "fixed".
    pub storage: StorageName,
    /// Particles that a bucket of "fixed" storage has places for, 1 to 1024; what does not fit spills into a list; default 16.
    #[schemars(range(min = 1, max = 1024))]
    pub bucket_capacity: Option<u32>,
    /// How "cell_hash" and "bucket_hash" follow moving particles; default "rebuilt".
    pub update: UpdateName,
    /// Where "bucket_hash" registers a particle; default "once".
    pub registration: RegistrationName,
    /// How "block_map" finds pairs; default "blocks".
    pub walk: WalkName,
}

/// How pressure is found.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SolverTable {
    /// The pressure solver; default "wcsph".
    pub method: MethodName,
    /// Coefficient of particle shifting, with any method, dimensionless, 0 (off) to 10; default 0. 2 evens particles out in flows that go
    /// round and round. It shifts nothing in free surfaces, and splashes do not need it.
    #[schemars(range(min = 0, max = 10))]
    pub shifting: f64,
    /// Where walls have their pressure from; default "extrapolated".
    pub walls: WallPressureName,
    /// Parts of "wcsph".
    pub wcsph: WcsphTable,
    /// Iterations of "pcisph".
    pub pcisph: IterationsTable,
    /// Iterations of "iisph".
    pub iisph: IterationsTable,
    /// Iterations of "dfsph".
    pub dfsph: DfsphTable,
    /// Iterations of "pbf".
    pub pbf: IterationsTable,
}

/// Parts of weakly compressible SPH.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct WcsphTable {
    /// From density to pressure; default "tait".
    pub equation_of_state: StateEquationName,
    /// Which differences of density are noise to be diffused; default "fourtakas".
    pub diffusion: DensityDiffusionName,
    /// Integration in time; default "symplectic_euler".
    pub integration: IntegrationName,
    /// What becomes of pressures below zero; default "none".
    pub negative_pressure: NegativePressureName,
    /// Pressure added between particles, Pa, 0 to 1e9; default 0. For fluid without a free surface, which it would blow away.
    #[schemars(range(min = 0, max = 1e9))]
    pub background_pressure: f64,
}

/// How long a solver iterates.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct IterationsTable {
    /// Mean relative compression that is good enough, 1e-6 to 0.1; default 0.001, with iisph 0.0001, with pbf 0.01.
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub tolerance: Option<f64>,
    /// Least iterations in a step, 1 to 1000; default 3 with pcisph, 2 with iisph, 4 with pbf.
    #[schemars(range(min = 1, max = 1000))]
    pub min_iterations: Option<u32>,
    /// Most iterations in a step, 1 to 1000; default 100, with pbf 10.
    #[schemars(range(min = 1, max = 1000))]
    pub max_iterations: Option<u32>,
}

/// How long DFSPH iterates.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DfsphTable {
    /// Mean relative compression that is good enough, 1e-6 to 0.1; default 0.0001.
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub tolerance: Option<f64>,
    /// Least iterations for the density in a step, 1 to 1000; default 2.
    #[schemars(range(min = 1, max = 1000))]
    pub min_iterations: Option<u32>,
    /// Most iterations for the density in a step, 1 to 1000; default 100.
    #[schemars(range(min = 1, max = 1000))]
    pub max_iterations: Option<u32>,
    /// Mean relative compression in one step that velocities may be about to cause, 1e-6 to 0.1; default 0.001.
    #[schemars(range(min = 1e-6, max = 0.1))]
    pub divergence_tolerance: Option<f64>,
    /// Least iterations for the divergence in a step, 1 to 1000; default 1.
    #[schemars(range(min = 1, max = 1000))]
    pub min_divergence_iterations: Option<u32>,
    /// Most iterations for the divergence in a step, 1 to 1000; default 100.
    #[schemars(range(min = 1, max = 1000))]
    pub max_divergence_iterations: Option<u32>,
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
    pub color: ColorName,
}

fn default_dimensions() -> u32 {
    3
}

fn default_gravity() -> Vec<f64> {
    vec![0.0, -9.81, 0.0]
}

fn default_rest_density() -> f64 {
    1000.0
}

fn default_kinematic_viscosity() -> f64 {
    1e-6
}

fn default_viscosity_tolerance() -> f64 {
    0.01
}

fn default_viscosity_iterations() -> u32 {
    100
}

fn default_vorticity_smoothing() -> f64 {
    0.1
}

fn default_micro_inertia() -> f64 {
    2.0
}

fn default_artificial_viscosity() -> f64 {
    0.05
}

fn default_density_diffusion() -> f64 {
    0.1
}

impl Default for TimeStepTable {
    fn default() -> Self {
        Self { cfl_factor: 0.4, max_dt: 0.005, min_dt: 0.0, fixed_dt: None }
    }
}

impl Default for RunTable {
    fn default() -> Self {
        Self { duration: 2.0 }
    }
}
