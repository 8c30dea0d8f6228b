//! The words between which scene files choose, as they spell them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Smoothing kernels.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KernelName {
    /// The cubic B-spline: cheap, the usual choice.
    #[default]
    CubicSpline,
    /// Wendland's C2 polynomial: no pairing of particles, smoother pressure, wants a larger support radius.
    WendlandC2,
    /// Wendland's C4 polynomial: smoother still, for support radii of 3 spacings and more.
    WendlandC4,
    /// Müller's poly6: does not push particles apart that have come close; for comparison.
    Poly6,
    /// Müller's spiky kernel, with a point at the centre; for comparison.
    Spiky,
}

/// Forms of the laminar viscosity.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ViscosityModelName {
    /// Along the difference of two particles' velocities: the choice for flows between walls.
    #[default]
    Morris,
    /// Along the line between two particles: conserves angular momentum, and is right at free surfaces.
    Central,
    /// The central form at the end of the step: no viscosity makes the step shorter, each step solves an equation.
    Implicit,
}

/// Shapes of a block.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShapeName {
    /// The whole box.
    #[default]
    Box,
    /// The ellipsoid, or in 2 dimensions the ellipse, that touches the box's faces.
    Ellipsoid,
}

/// Pressures that a block can start with.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InitialPressureName {
    /// The weight of the fluid above: for a block that rests or is about to fall over.
    #[default]
    Hydrostatic,
    /// None: for a block in free fall.
    Zero,
    /// What keeps the block from being compressed at the moment when it is let go, with the velocity that it has: 0 on faces that touch
    /// neither a wall nor another block. For a column whose gate has just gone, or fluid that spins or stretches.
    Released,
}

/// Faces of a container.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FaceName {
    XMin,
    XMax,
    YMin,
    YMax,
    ZMin,
    ZMax,
}

/// Ways of fluid along a wall.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SlipName {
    /// The wall pushes but does not drag.
    #[default]
    Free,
    /// At the wall the fluid has the wall's velocity.
    NoSlip,
}

/// What walls have their pressure from.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WallPressureName {
    /// The mean of the fluid in reach, continued into the wall.
    #[default]
    Extrapolated,
    /// A linear field fitted to the fluid in reach, its slopes damped.
    Mls,
    /// None: right motion, but about twice the pressure next to walls.
    OneSided,
}

/// Ways of cutting walls into particles.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WallSamplingName {
    /// As many layers as the fluid can see.
    #[default]
    Layers,
    /// One layer, which stands for all: fewer particles, less accurate.
    SingleLayer,
    /// Not at all: what lies behind the faces of containers is integrated. Bodies are in layers.
    Analytic,
}

/// Structures that find neighbours.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StructureName {
    /// All pairs: exact, and far too slow for more than a few thousand particles.
    BruteForce,
    /// A dense table of the cells around the fluid; refuses a domain of too many cells.
    UniformGrid,
    /// Cells hashed into a table of any size.
    SpatialHash,
    /// Hash table to cells, cells to particles: foreign cells are passed over.
    CellHash,
    /// Hash table to particles, with a choice of storage, update and registration.
    BucketHash,
    /// Particles registered in every block that they cover, with a choice of storage and walk.
    BlockMap,
    /// Particles sorted by cell and read row by row: the fastest; needs no table.
    #[default]
    SortedCells,
}

/// Functions from cells to buckets.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HashName {
    /// Müller's: absolute value of an exclusive or of products with three constants.
    #[default]
    Muller,
    /// Teschner's of 2003: exclusive or of products with three primes.
    Teschner,
    /// Bits of the coordinates interleaved: near cells mostly fall near each other.
    Morton,
    /// All bits mixed into all bits.
    Mix,
}

/// Storages of a bucket.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StorageName {
    /// Places for `bucket_capacity` particles, side by side.
    #[default]
    Fixed,
    /// Entries that refer to the one before and the one after.
    Linked,
}

/// Ways of following moving particles.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UpdateName {
    /// Built anew in every step.
    #[default]
    Rebuilt,
    /// Only particles that change their cells are moved.
    Incremental,
}

/// Cells in which a particle is registered.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RegistrationName {
    /// Its own; queries go to every cell in reach.
    #[default]
    Once,
    /// Every cell in reach; queries go to their own.
    Everywhere,
}

/// Ways of finding pairs.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WalkName {
    /// Block by block.
    #[default]
    Blocks,
    /// Particle by particle.
    Points,
}

/// Pressure solvers.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MethodName {
    /// Weakly compressible: an equation of state, no iterations, short steps.
    #[default]
    Wcsph,
    /// Predictive-corrective: pressure corrects the density that it foresees.
    Pcisph,
    /// Implicit: the pressure equation for the density after the step.
    Iisph,
    /// Divergence-free: implicit, and velocities without divergence as well.
    Dfsph,
    /// Position-based: for looks, stable with few iterations.
    Pbf,
}

/// Equations of state.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateEquationName {
    /// Tait's, of the seventh power: stiffer the denser.
    #[default]
    Tait,
    /// Pressure in proportion to compression.
    Linear,
}

/// Forms of the density diffusion.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DensityDiffusionName {
    /// All of them; wrong at the surface of fluid at rest.
    Molteni,
    /// All but the hydrostatic one.
    #[default]
    Fourtakas,
    /// All but the gradient that the neighbourhood has; one more pass.
    Antuono,
}

/// Integrations in time.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IntegrationName {
    /// Symplectic Euler: one evaluation a step.
    #[default]
    SymplecticEuler,
    /// Symplectic predictor-corrector: two evaluations a step, more accurate.
    PredictorCorrector,
}

/// What becomes of pressures below zero.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NegativePressureName {
    /// They are none: fluid pushes and never pulls. For water that splashes.
    #[default]
    None,
    /// They stay, with what keeps particles from clumping. For vortices and closed flows.
    TensileControl,
}

/// Quantities that colours can show.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColorName {
    /// Speed, m/s.
    #[default]
    Speed,
    /// Density against the rest density.
    Density,
    /// Pressure, Pa.
    Pressure,
}
