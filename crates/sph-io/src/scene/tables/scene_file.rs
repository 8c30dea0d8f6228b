//! The scene file as it is written: plain serde types that mirror the text, key for key.
//!
//! Parameters are not here: their keys are those of [`sph_core::parameters`], from which the schema and the reading of their values come
//! too. All other keys are fields here, each with its documentation, its unit (`x-unit`), and its range and default where the schema has
//! no word for them (`x-range`, `x-default`). The JSON Schema and the reference in the guide come from them, and a file is checked
//! against the schema before it is read into these types: so each key is written down once. Numbers are `f64` as TOML has them.

use super::blocks::BlockTable;
use super::bodies::{BodyTable, JointTable};
use super::containers::ContainerTable;
use super::domain::DomainTable;
use super::fluids::NamedFluidTable;
use super::forces::ForceTable;
use super::named::Named;
use super::openings::{DrainTable, EmitterTable};
use super::order::keep_order;
use super::probes::ProbeTable;
use crate::scene::display::{ColorField, ColorMapName, Look, MAX_COLOR_END, SolidStyle};
use schemars::JsonSchema;
use serde::Deserialize;
use sph_core::{Axis, MAX_PARTICLES, WallSampling};

/// Version of the format that this program reads.
pub(crate) const FORMAT: u32 = 1;

/// A scene of the fluid simulator. Lengths are in metres, times in seconds, masses in kilograms; y points up.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "SPH scene", transform = keep_order::<Self>)]
pub(crate) struct SceneFile {
    /// Version of the scene format.
    #[schemars(extend("const" = FORMAT))]
    #[expect(dead_code, reason = "checked on the document, before anything else of it is read")]
    pub format: u32,
    /// Files whose keys are added to those of this one, paths below the scene's folder: tables are merged, arrays of tables appended.
    #[serde(default)]
    #[expect(dead_code, reason = "followed on the document, before it is read into the tables")]
    #[schemars(extend("x-range" = "names of files", "x-default" = "none"))]
    pub include: Vec<String>,
    /// Name shown to people.
    #[schemars(extend("x-default" = "the file's name"))]
    pub title: Option<String>,
    /// Description of the scene, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// Number of space dimensions. In 2 dimensions z is ignored everywhere.
    #[serde(default = "default_dimensions")]
    #[schemars(extend("enum" = [2, 3]))]
    pub dimensions: u32,
    /// Discretisation of the fluid into particles.
    pub particles: ParticlesTable,
    /// Fluid: its constants and where it is.
    pub fluid: FluidTable,
    /// Fluids of different densities, each under `[[fluids]]`; default: one fluid, whose constants are in `[fluid]`.
    #[serde(default)]
    pub fluids: Vec<NamedFluidTable>,
    /// Boxes whose walls hold the fluid, each under `[[containers]]`; default: none. With any, every block of fluid must lie inside one.
    #[serde(default)]
    pub containers: Vec<ContainerTable>,
    /// External forces, added to gravity, each under `[[forces]]`; default: none.
    #[serde(default)]
    pub forces: Vec<ForceTable>,
    /// Solid bodies in the fluid, each under `[[bodies]]`; default: none.
    #[serde(default)]
    pub bodies: Vec<BodyTable>,
    /// Joints of bodies that have `dynamics`, each under `[[joints]]`; default: none.
    #[serde(default)]
    pub joints: Vec<JointTable>,
    /// Openings out of which fluid comes, each under `[[emitters]]`; default: none.
    #[serde(default)]
    pub emitters: Vec<EmitterTable>,
    /// Regions in which fluid goes out, each under `[[drains]]`; default: none.
    #[serde(default)]
    pub drains: Vec<DrainTable>,
    /// Periodic domain; default: no periodic axes.
    #[serde(default)]
    pub domain: DomainTable,
    /// Length of the run.
    #[serde(default)]
    pub run: RunTable,
    /// Initial view of the scene.
    #[serde(default)]
    pub view: ViewTable,
    /// Probes, each under `[[probes]]`, read by `sph run --probes`; default: none.
    #[serde(default)]
    pub probes: Vec<ProbeTable>,
}

/// Discretisation of the fluid into particles.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ParticlesTable {
    /// Discretisation of walls into particles.
    #[serde(default)]
    pub walls: Named<WallSampling>,
    /// Largest number of fluid particles. Emitters hold back what would exceed it, and the run says so.
    #[schemars(range(min = 1, max = MAX_PARTICLES), extend("x-default" = "as many as are possible"))]
    pub limit: Option<u64>,
}

/// Fluid: its constants and where it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct FluidTable {
    /// Boxes filled with fluid, each under `[[fluid.blocks]]`; at least one, unless there are `[[emitters]]`. They may touch, not overlap.
    #[serde(default)]
    pub blocks: Vec<BlockTable>,
}

/// Length of the run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct RunTable {
    /// Simulated time after which a run without a window ends.
    #[schemars(extend("exclusiveMinimum" = 0, "x-unit" = "s"))]
    pub duration: f64,
}

/// Initial view of the scene.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ViewTable {
    /// Position of the camera, another than `target`.
    #[schemars(extend("x-unit" = "m", "x-default" = "far enough away to see everything"))]
    pub eye: Option<[f64; 3]>,
    /// Point that the camera looks at.
    #[schemars(extend("x-unit" = "m", "x-default" = "the middle of the scene"))]
    pub target: Option<[f64; 3]>,
    /// Quantity that the particles' colours show.
    #[schemars(extend("x-default" = "`speed`; `fluid` with several fluids"))]
    pub color: Option<Named<ColorField>>,
    /// Colour map of the particles.
    #[schemars(extend("x-default" = "the one that suits the quantity"))]
    pub color_map: Option<Named<ColorMapName>>,
    /// Values at the two ends of the colour map, in the unit of the quantity: the lower one first.
    #[schemars(inner(range(min = -MAX_COLOR_END, max = MAX_COLOR_END)), extend("x-default" = "from the scene"))]
    pub range: Option<[f64; 2]>,
    /// Look of the fluid.
    #[schemars(extend("x-default" = "`water`; `spheres` where the graphics driver is software or the scene has two dimensions"))]
    pub look: Option<Named<Look>>,
    /// Plane that clips the fluid, such as `{ axis = "z", position = 0.25 }`; default: none.
    pub clip: Option<ClipTable>,
    /// True to draw the velocities of an even selection of particles as arrows.
    #[schemars(extend("x-default" = false))]
    pub arrows: bool,
    /// Style of the walls.
    #[schemars(extend("x-default" = "`wireframe`"))]
    pub walls: Option<Named<SolidStyle>>,
    /// Style of the bodies in three dimensions; in two they are particles, or hidden.
    #[schemars(extend("x-default" = "`shaded` in the look of water, else particles"))]
    pub bodies: Option<Named<SolidStyle>>,
}

/// Plane that clips the fluid.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct ClipTable {
    /// Axis normal to the plane; in two dimensions x or y.
    pub axis: Named<Axis>,
    /// Coordinate of the plane along the axis.
    #[schemars(extend("x-unit" = "m"))]
    pub position: f64,
    /// True to show what is above the plane instead of what is below.
    #[serde(default)]
    #[schemars(extend("x-default" = false))]
    pub flipped: bool,
}

fn default_dimensions() -> u32 {
    3
}

impl Default for RunTable {
    fn default() -> Self {
        Self { duration: 2.0 }
    }
}
