//! Errors of a setup.

use super::{MAX_SPEED, ParticleSetError};
use crate::boundary::{Face, JointError, OpeningError};
use crate::parameters::ParameterError;
use crate::space::DomainError;
use std::fmt::{self, Display, Formatter};

/// A body or a container, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rigid {
    /// A body.
    Body(usize),
    /// A container.
    Container(usize),
}

impl Display for Rigid {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(index) => write!(f, "body {index}"),
            Self::Container(index) => write!(f, "container {index}"),
        }
    }
}

/// Reasons why a container cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionObstacle {
    /// Its walls are analytic.
    #[error("analytic walls cannot move")]
    AnalyticWalls,
    /// The domain is periodic.
    #[error("the domain is periodic, and the box would leave its faces")]
    Periodic,
    /// Some faces move within their planes.
    #[error("some of its faces already move within their planes")]
    MovingFaces,
    /// Its angle at time 0 is not 0, but fluid blocks are placed in the box as it is described.
    #[error("its angle at time 0 is not 0")]
    Tilted,
}

/// Error of a [`Setup`](super::Setup), which cannot be simulated. Blocks, containers, bodies and forces are given by index,
/// from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// A value outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An invalid period of the domain.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// An impossible emitter.
    #[error("emitter {emitter}: {error}")]
    Emitter {
        /// Index of the emitter.
        emitter: usize,
        /// Reason.
        error: OpeningError,
    },
    /// An impossible drain.
    #[error("drain {drain}: {error}")]
    Drain {
        /// Index of the drain.
        drain: usize,
        /// Reason.
        error: OpeningError,
    },
    /// An impossible set of particles.
    #[error("particle file {set}: {error}")]
    Particles {
        /// Index of the set.
        set: usize,
        /// Reason.
        error: ParticleSetError,
    },
    /// An impossible joint.
    #[error("joint {joint}: {error}")]
    Joint {
        /// Index of the joint.
        joint: usize,
        /// Reason.
        error: JointError,
    },
    /// A body that moves by forces has a prescribed motion, or properties out of range.
    #[error("body {body} moves by forces: its motion cannot be prescribed, and its properties must be within their ranges")]
    Dynamics {
        /// Index of the body.
        body: usize,
    },
    /// Point sets move in space only.
    #[error("cloths and balls need three dimensions")]
    PlanarPoints,
    /// There is no fluid, and no point set.
    #[error("there is nothing to simulate: a scene needs a block of fluid, a particle file, an emitter, a cloth or balls")]
    NoFluid,
    /// A fluid's rest density is not positive, or its viscosity or surface tension outside its range.
    #[error(
        "fluid {fluid}: its rest density is not positive, its viscosity not in 0..=1e6 m²/s or its tension not in 0..=1e3 N/m"
    )]
    Fluid {
        /// Index of the fluid.
        fluid: usize,
    },
    /// More fluids than [`MAX_FLUIDS`](crate::MAX_FLUIDS).
    #[error("{count} fluids are too many: at most {limit} are possible")]
    TooManyFluids {
        /// Number of fluids.
        count: usize,
        /// Largest possible number.
        limit: usize,
    },
    /// Two rest densities differ by more than [`MAX_DENSITY_RATIO`](crate::MAX_DENSITY_RATIO).
    #[error(
        "the densest fluid is {ratio:.1} times as dense as the lightest; at most {limit} has been tested, and air next to \
            water would be thrown about"
    )]
    DensityRatio {
        /// Largest rest density over the smallest.
        ratio: f32,
        /// Largest possible ratio.
        limit: f32,
    },
    /// The rest density of the discretisation is not that of the densest fluid.
    #[error("the rest density of the discretisation is {found} kg/m³, not that of the densest fluid, {expected} kg/m³")]
    ReferenceDensity {
        /// Rest density of the discretisation, kg/m³.
        found: f32,
        /// That of the densest fluid, kg/m³.
        expected: f32,
    },
    /// A block has a fluid that is not in the table.
    #[error("fluid block {block} has fluid {fluid}, which is not in the table of fluids")]
    UnknownFluid {
        /// Index of the block.
        block: usize,
        /// Index of the fluid.
        fluid: usize,
    },
    /// A number of a block's interface is not finite, or its wavelength not positive.
    #[error("the interface in fluid block {block} is not finite, or its wavelength is not positive")]
    Interface {
        /// Index of the block.
        block: usize,
    },
    /// A block's corners are not finite, or it is too thin along an axis for a single particle.
    #[error("fluid block {block} is empty along {axis}: {extent} m, but a particle needs {spacing} m")]
    EmptyBlock {
        /// Index of the block.
        block: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Extent along that axis, m.
        extent: f32,
        /// Particle spacing, m.
        spacing: f32,
    },
    /// The pressure of released fluid is computed on a lattice, which the block has not.
    #[error("the initial pressure `released` of fluid block {block} needs the filling `lattice`")]
    ReleasedFilling {
        /// Index of the block.
        block: usize,
    },
    /// A block that is a solid fills too small a part of its bounds.
    #[error("the shape of fluid block {block} covers more than {} cells", 10 * super::MAX_PARTICLES)]
    SparseBlock {
        /// Index of the block.
        block: usize,
    },
    /// A block that is a solid is smaller than a particle.
    #[error("the shape of fluid block {block} is smaller than a single particle")]
    EmptySolid {
        /// Index of the block.
        block: usize,
    },
    /// A body that is a solid is smaller than a particle.
    #[error("the shape of body {body} is smaller than a single particle")]
    SmallSolid {
        /// Index of the body.
        body: usize,
    },
    /// A block's extent along an axis is too far from a whole number of particles, so that its lattice would be strained.
    #[error("fluid block {block} is {extent} m along {axis}, which is not a whole number of particles of {spacing} m")]
    UnevenBlock {
        /// Index of the block.
        block: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Extent along that axis, m.
        extent: f32,
        /// Particle spacing, m.
        spacing: f32,
    },
    /// A block's velocity is not finite or above [`MAX_SPEED`], or a length of its field not positive.
    #[error(
        "the velocity of fluid block {block} is beyond {MAX_SPEED:e} m/s, or a length of its velocity field is not positive"
    )]
    BlockVelocity {
        /// Index of the block.
        block: usize,
    },
    /// A block is not completely inside any container.
    #[error("fluid block {block} is not inside any container")]
    BlockOutside {
        /// Index of the block.
        block: usize,
    },
    /// A block overlaps the walls of a container.
    #[error("fluid block {block} overlaps the walls of container {container}")]
    BlockInWall {
        /// Index of the block.
        block: usize,
        /// Index of the container.
        container: usize,
    },
    /// A block extends beyond a periodic face.
    #[error("fluid block {block} extends beyond the periodic domain along {axis}")]
    BlockThroughFace {
        /// Index of the block.
        block: usize,
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// A container does not extend from one periodic face to the opposite one.
    #[error("container {container} does not extend from one periodic face to the other along {axis}")]
    ContainerPeriod {
        /// Index of the container.
        container: usize,
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// Two blocks overlap.
    #[error("fluid blocks {first} and {second} overlap")]
    BlocksOverlap {
        /// Index of the first block.
        first: usize,
        /// Index of the second block.
        second: usize,
    },
    /// A block without `around_bodies` overlaps a body.
    #[error("fluid block {block} and body {body} overlap")]
    BlockInBody {
        /// Index of the block.
        block: usize,
        /// Index of the body.
        body: usize,
    },
    /// A body's corners are not finite, or it is too thin along an axis for a single particle.
    #[error("body {body} is empty along {axis}: {extent} m, but a particle needs {spacing} m")]
    EmptyBody {
        /// Index of the body.
        body: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Extent along that axis, m.
        extent: f32,
        /// Particle spacing, m.
        spacing: f32,
    },
    /// A body's density is not positive and finite.
    #[error("the density of body {body} is not positive and finite")]
    BodyDensity {
        /// Index of the body.
        body: usize,
    },
    /// In two dimensions, a rotation about another axis than z.
    #[error("in two dimensions {of} can rotate only about z")]
    RotationAxis {
        /// The body or container.
        of: Rigid,
    },
    /// A container moves that cannot.
    #[error("container {container} cannot move: {obstacle}")]
    ContainerMotion {
        /// Index of the container.
        container: usize,
        /// Reason.
        obstacle: MotionObstacle,
    },
    /// A container's corners are not finite, or it is thinner than two support radii along an axis.
    #[error("container {container} is too small along {axis}: {extent} m, less than two support radii ({least} m)")]
    SmallContainer {
        /// Index of the container.
        container: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Extent along that axis, m.
        extent: f32,
        /// Least extent, m.
        least: f32,
    },
    /// A container or body moves or turns too fast.
    #[error("{of} moves at up to {speed:.3e} m/s, faster than {MAX_SPEED:e} m/s")]
    TooFast {
        /// The container or body.
        of: Rigid,
        /// Highest speed of any of its points, m/s.
        speed: f32,
    },
    /// A face of a container has a velocity that is not finite or not within its plane.
    #[error("the velocity of face {face:?} of container {container} is not finite, or not within its plane")]
    FaceVelocity {
        /// Index of the container.
        container: usize,
        /// The face.
        face: Face,
    },
    /// A no-slip container has analytic walls, which are free-slip.
    #[error("container {container} is no-slip, but analytic walls are free-slip: it needs walls of particles")]
    NoSlipPlanes {
        /// Index of the container.
        container: usize,
    },
    /// A container that is not a box has analytic walls.
    #[error("container {container} is not a box, but analytic walls are planes: it needs walls of particles")]
    ShapePlanes {
        /// Index of the container.
        container: usize,
    },
    /// The values of the curves do not fit each other or the other parameters.
    #[error("on its curve at {time} s, {error}")]
    Curve {
        /// Time of a point of a curve, s.
        time: f64,
        /// The parameter and its range.
        error: ParameterError,
    },
    /// A parameter has more than one curve.
    #[error("{key} has two curves")]
    TwoCurves {
        /// Key of the parameter.
        key: &'static str,
    },
    /// An external force is not finite or above its limit, its times do not ascend, or it has a z component in two dimensions.
    #[error("external force {force} is not finite, beyond 1e5 (m/s², or 1/s²), not in order of time, or not within the plane")]
    ExternalForce {
        /// Index of the force.
        force: usize,
    },
    /// More particles than [`MAX_PARTICLES`](super::MAX_PARTICLES).
    #[error("{count} particles are too many: at most {limit} are possible")]
    TooManyParticles {
        /// Number of fluid and boundary particles of the setup.
        count: u64,
        /// Largest possible number.
        limit: u64,
    },
}
