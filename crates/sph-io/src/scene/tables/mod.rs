//! Tables of a scene file: serde types that mirror the text key for key, and their conversion to values of the simulation.

mod balls;
mod bodies;
mod cloths;
mod containers;
mod fluid;
mod forces;
mod keys;
mod motion;
mod motion_file;
mod openings;
mod particle_files;
mod point_grid;
mod probes;
mod shapes;

pub use probes::NamedProbe;

pub(crate) use balls::{Tank, ball_settings, balls};
pub(crate) use bodies::{body, check_names, joint};
pub(crate) use cloths::cloths;
pub(crate) use containers::container;
pub(crate) use fluid::{block, fluids};
pub(crate) use forces::forces;
pub(crate) use keys::{Vectors, one_of};
pub(crate) use openings::{drain, emitter};
pub(crate) use particle_files::particle_set;
pub(crate) use probes::probes;

use super::display::{ColorField, ColorMapName, Look, MAX_COLOR_END, PointColors, SolidStyle};
use super::error::Fault;
use balls::{BallSettingsTable, BallsTable};
use bodies::{BodyTable, JointTable};
use cloths::{ClothSettingsTable, ClothTable};
use containers::ContainerTable;
use fluid::{BlockTable, NamedFluidTable};
use forces::ForceTable;
use glam::{BVec3, Vec3};
use keys::Named;
use motion::{MotionKeys, RotationTable, expected, motion};
use motion_file::MAX_FILE_BYTES;
use openings::{DrainTable, EmitterTable};
use particle_files::ParticleFileTable;
use probes::ProbeTable;
use schemars::{JsonSchema, Schema};
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};
use shapes::{Region, ShapeKeys, region, with_solid_keys};
use sph_core::{Axis, Dimensions, Domain, MAX_PARTICLES, Preset, WallSampling};

// The scene file as it is written: plain serde types that mirror the text, key for key.
//
// Parameters are not here: their keys are those of `sph_core::parameters`, from which the schema and the reading of their values come
// too. All other keys are fields here, each with its documentation, its unit (`x-unit`), and its range and default where the schema has
// no word for them (`x-range`, `x-default`). The JSON Schema and the reference in the guide come from them, and a file is checked
// against the schema before it is read into these types: so each key is written down once. Numbers are `f64` as TOML has them.

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
    #[schemars(extend("x-range" = "file names", "x-default" = "none"))]
    pub include: Vec<String>,
    /// Title shown to users.
    #[schemars(extend("x-default" = "the file name"))]
    pub title: Option<String>,
    /// Description of the scene, in a sentence or two.
    #[serde(default)]
    pub description: String,
    /// Group in the gallery of scenes, such as `Splashes`.
    #[serde(default)]
    #[schemars(extend("x-default" = "`Your scenes`"))]
    pub group: String,
    /// Preset: the trade-off between accuracy and speed. It replaces the defaults of `solver.method`, the tolerances, `solver.warm_start`,
    /// `time_step.cfl_factor` and `time_step.max_dt`; what the scene itself says of them counts more.
    #[schemars(extend("x-default" = "none: WCSPH"))]
    pub preset: Option<Named<Preset>>,
    /// Number of space dimensions. In 2 dimensions z is ignored everywhere.
    #[serde(default = "default_dimensions")]
    #[schemars(extend("enum" = [2, 3]))]
    pub dimensions: u32,
    /// Discretisation of the fluid into particles.
    pub particles: ParticlesTable,
    /// Fluid: its constants and where it is; a scene of cloths or balls may leave it out.
    #[serde(default)]
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
    /// What all cloths have in common.
    #[serde(default)]
    pub cloth: ClothSettingsTable,
    /// Sheets of cloth, each under `[[cloths]]`; default: none.
    #[serde(default)]
    pub cloths: Vec<ClothTable>,
    /// What all balls have in common.
    #[serde(default)]
    pub ball: BallSettingsTable,
    /// Sets of balls, each under `[[balls]]`; default: none.
    #[serde(default)]
    pub balls: Vec<BallsTable>,
    /// Openings through which fluid enters, each under `[[emitters]]`; default: none.
    #[serde(default)]
    pub emitters: Vec<EmitterTable>,
    /// Regions that remove fluid, each under `[[drains]]`; default: none.
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
    /// Maximum number of fluid particles. Emitters withhold fluid beyond it, and the run says so.
    #[schemars(range(min = 1, max = MAX_PARTICLES), extend("x-default" = "the maximum"))]
    pub limit: Option<u64>,
}

/// Fluid: its constants and where it is.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct FluidTable {
    /// Boxes filled with fluid, each under `[[fluid.blocks]]`; at least one, unless there are particle files or `[[emitters]]`. They may touch, not overlap.
    #[serde(default)]
    pub blocks: Vec<BlockTable>,
    /// Particles from files, each under `[[fluid.particles]]`; default: none.
    #[serde(default)]
    pub particles: Vec<ParticleFileTable>,
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
    /// Position of the camera, different from `target`.
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
    /// True to draw the velocities of an evenly spaced selection of particles as arrows.
    #[schemars(extend("x-default" = false))]
    pub arrows: bool,
    /// Style of the walls.
    #[schemars(extend("x-default" = "`wireframe`"))]
    pub walls: Option<Named<SolidStyle>>,
    /// Style of the bodies in three dimensions; in two they are particles, or hidden.
    #[schemars(extend("x-default" = "`shaded`; particles in a slice of the grid"))]
    pub bodies: Option<Named<SolidStyle>>,
    /// Colours of cloth and balls.
    #[schemars(extend("x-default" = "`quantity`; while it is `speed`, `own` for cloth and for balls with a `color`"))]
    pub point_colors: Option<Named<PointColors>>,
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
    /// True to show the side above the plane instead of the side below.
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

// `[domain]`: the periodic domain.

/// Periodic domain: fluid that leaves through a periodic face re-enters through the opposite face.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(transform = keep_order::<Self>)]
pub(crate) struct DomainTable {
    /// Axes along which space repeats. In 2 dimensions z is ignored.
    pub periodic: Vec<AxisName>,
    /// Lowest corner, required if any axis is periodic. Only its numbers along periodic axes matter.
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub min: Option<Vec<f64>>,
    /// Highest corner; along periodic axes at least 3 support radii above `min`, and a whole number of particle spacings (to a thousandth).
    #[schemars(length(min = 2, max = 3), extend("x-unit" = "m"))]
    pub max: Option<Vec<f64>>,
}

/// Axes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AxisName {
    X,
    Y,
    Z,
}

/// The domain of the table. Adds its faults to those of `vectors`.
pub(crate) fn domain(table: &DomainTable, vectors: &mut Vectors) -> Domain {
    let has = |axis| table.periodic.contains(&axis);
    let periodic = BVec3::new(has(AxisName::X), has(AxisName::Y), has(AxisName::Z) && vectors.dimensions == Dimensions::Three);
    if periodic.any() {
        for (key, given) in [("min", table.min.is_some()), ("max", table.max.is_some())] {
            if !given {
                let message = format!("missing key `{key}` in `domain`");
                vectors.faults.push(Fault::at_path("domain", message, format!("expected `{key}`, as there are periodic axes")));
            }
        }
    }
    let mut corner =
        |numbers: &Option<Vec<f64>>, path: &str| numbers.as_ref().map_or(Vec3::ZERO, |numbers| vectors.read(numbers, path));
    Domain { periodic, min: corner(&table.min, "domain.min"), max: corner(&table.max, "domain.max") }
}

/// Extension of a table's schema: the names of its keys, in the order of their definition.
pub(crate) const ORDER: &str = "x-order";

/// Extension of a key whose table has keys that the reference lists elsewhere.
pub(crate) const REPEATED: &str = "x-repeated";

/// Adds [`ORDER`] to the schema of a table: its properties, a JSON object, have no order of their own.
fn keep_order<T: DeserializeOwned>(schema: &mut Schema) {
    let mut names: &[&str] = &[];
    // It always fails, once it has the names.
    let _ = T::deserialize(FieldNames(&mut names));
    schema.insert(ORDER.to_owned(), names.into());
}

/// Deserializer without data, which keeps the names of the fields that a struct asks for.
struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no data"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = names;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}
