//! Why a setup cannot be simulated.

use crate::boundary::Face;
use crate::parameters::ParameterError;
use crate::space::DomainError;

/// Why a [`Setup`](super::Setup) cannot be simulated. Blocks and containers are named by their place in their list, from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// A value outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// A period that cannot be.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// There is no fluid.
    #[error("there is no fluid: a scene needs at least one block")]
    NoFluid,
    /// A block's corners are not finite, or it is too thin along an axis for a single particle.
    #[error("fluid block {block} is empty along {axis}: {extent} m, where a particle takes {spacing} m")]
    EmptyBlock {
        /// Which block.
        block: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Its extent along that axis, m.
        extent: f32,
        /// The particle spacing, m.
        spacing: f32,
    },
    /// A block's extent along an axis is too far from a whole number of particles, which would be squeezed or pulled apart to fit.
    #[error("fluid block {block} is {extent} m along {axis}, which is not a whole number of particles of {spacing} m")]
    UnevenBlock {
        /// Which block.
        block: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Its extent along that axis, m.
        extent: f32,
        /// The particle spacing, m.
        spacing: f32,
    },
    /// A block's velocity is not finite, or a length of its field not positive.
    #[error("the velocity of fluid block {block} is not finite, or a length of its velocity field is not positive")]
    BlockVelocity {
        /// Which block.
        block: usize,
    },
    /// A block reaches out of every container.
    #[error("fluid block {block} is not inside any container")]
    BlockOutside {
        /// Which block.
        block: usize,
    },
    /// A block reaches into the walls of a container that it is not inside of.
    #[error("fluid block {block} is in the walls of container {container}")]
    BlockInWall {
        /// Which block.
        block: usize,
        /// Which container.
        container: usize,
    },
    /// A block reaches through a periodic face.
    #[error("fluid block {block} reaches out of the periodic domain along {axis}")]
    BlockThroughFace {
        /// Which block.
        block: usize,
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// A container does not go from one periodic face to the other.
    #[error("container {container} does not go from one periodic face to the other along {axis}")]
    ContainerPeriod {
        /// Which container.
        container: usize,
        /// `x`, `y` or `z`.
        axis: char,
    },
    /// Two blocks share space.
    #[error("fluid blocks {first} and {second} overlap")]
    BlocksOverlap {
        /// The earlier block.
        first: usize,
        /// The later block.
        second: usize,
    },
    /// A block shares space with a body and is not meant to lie around it.
    #[error("fluid block {block} and body {body} overlap")]
    BlockInBody {
        /// Which block.
        block: usize,
        /// Which body.
        body: usize,
    },
    /// A body's corners are not finite, or it is too thin along an axis for a single particle.
    #[error("body {body} is empty along {axis}: {extent} m, where a particle takes {spacing} m")]
    EmptyBody {
        /// Which body.
        body: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Its extent along that axis, m.
        extent: f32,
        /// The particle spacing, m.
        spacing: f32,
    },
    /// A container's corners are not finite, or it is thinner than two support radii along an axis.
    #[error("container {container} is too small along {axis}: {extent} m, less than two support radii ({least} m)")]
    SmallContainer {
        /// Which container.
        container: usize,
        /// `x`, `y` or `z`.
        axis: char,
        /// Its extent along that axis, m.
        extent: f32,
        /// Least extent, m.
        least: f32,
    },
    /// A face of a container has a velocity that is not finite, or out of its plane.
    #[error("the velocity of face {face:?} of container {container} is not finite, or not within its plane")]
    FaceVelocity {
        /// Which container.
        container: usize,
        /// Which face.
        face: Face,
    },
    /// A container that drags the fluid has walls of planes, which do not.
    #[error("container {container} is to drag the fluid, which walls of planes do not: it needs layers of particles")]
    DraggingPlanes {
        /// Which container.
        container: usize,
    },
    /// A force from outside has numbers that are not finite or beyond all bounds, entries out of order, or pulls out of the plane.
    #[error(
        "force {force} from outside is not finite, beyond 1e5 (m/s², or 1/s²), out of the order of time, or out of the plane"
    )]
    ExternalForce {
        /// Which force.
        force: usize,
    },
    /// More particles than [`MAX_PARTICLES`](super::MAX_PARTICLES).
    #[error("{count} particles are too many: at most {limit} are possible")]
    TooManyParticles {
        /// Fluid and boundary particles the setup asks for.
        count: u64,
        /// The most possible.
        limit: u64,
    },
}
