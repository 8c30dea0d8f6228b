//! What a simulation starts from: blocks of fluid and the boxes that contain them.

use crate::boundary::{Body, Container, Face, Faces, Slip, WallSampling};
use crate::forces::ExternalForce;
use crate::parameters::{Dimensions, Discretization, ParameterError, Parameters};
use crate::space::{Domain, DomainError, lattice_counts, product};
use glam::Vec3;

mod sampling;
mod velocity_field;

pub use velocity_field::VelocityField;

pub(crate) use sampling::sample_fluid;
pub(crate) use velocity_field::Water;

/// Most particles, fluid and boundary together, that a simulation accepts.
pub const MAX_PARTICLES: u64 = 20_000_000;

/// Most by which a block's lattice may be pulled apart or squeezed to fill it. Particles keep their mass, so this is an error in density
/// that the fluid does not feel.
const MAX_STRAIN: f32 = 0.06;

/// Everything that a [`Simulation`](crate::Simulation) is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The discretisation, fixed for the simulation's life.
    pub discretization: Discretization,
    /// The parameters of the first step.
    pub parameters: Parameters,
    /// The fluid.
    pub blocks: Vec<FluidBlock>,
    /// The walls. Along periodic axes they have none, whatever their faces say.
    pub containers: Vec<Container>,
    /// Solid bodies in the fluid.
    pub bodies: Vec<Body>,
    /// Forces from outside, added to gravity.
    pub external_forces: Vec<ExternalForce>,
    /// Where space repeats.
    pub domain: Domain,
    /// How the walls of containers and bodies are cut into particles.
    pub wall_sampling: WallSampling,
}

/// An axis-aligned box filled with fluid, or an ellipsoid inside one. In two dimensions its z is ignored. The default is an empty box,
/// which cannot be simulated, at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FluidBlock {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// What of the box is filled.
    pub shape: BlockShape,
    /// Velocity of all its particles, m/s.
    pub velocity: Vec3,
    /// Velocity that its particles have besides, by their places.
    pub field: VelocityField,
    /// Whether what of it lies in bodies, or closer to one than half a spacing, is left out; else it must be clear of them.
    pub around_bodies: bool,
    /// Pressure of its particles at the start.
    pub initial_pressure: InitialPressure,
}

/// What of a block's box is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockShape {
    /// All of it.
    #[default]
    Box,
    /// The ellipsoid (in two dimensions the ellipse) that touches its faces.
    Ellipsoid,
}

/// The pressure from which a block's initial densities follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InitialPressure {
    /// ρ₀ g × depth below the block's upper face along gravity: for fluid that rests or is about to fall over.
    #[default]
    Hydrostatic,
    /// None: for fluid in free fall.
    Zero,
    /// That of incompressible fluid at the moment when it is let go, with the velocity that it has: 0 on faces that no wall and no other
    /// block touches, and everywhere what does not let the fluid be compressed. May be negative where the fluid pulls apart.
    Released,
}

/// Why a [`Setup`] cannot be simulated. Blocks and containers are named by their place in their list, from 0.
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
    /// More particles than [`MAX_PARTICLES`].
    #[error("{count} particles are too many: at most {limit} are possible")]
    TooManyParticles {
        /// Fluid and boundary particles the setup asks for.
        count: u64,
        /// The most possible.
        limit: u64,
    },
}

/// Numbers of particles that a setup asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleCounts {
    /// Fluid particles; an upper bound where blocks are not boxes.
    pub fluid: u64,
    /// Boundary particles.
    pub boundary: u64,
}

impl ParticleCounts {
    /// Fluid and boundary particles together.
    pub fn total(self) -> u64 {
        self.fluid.saturating_add(self.boundary)
    }
}

impl Setup {
    /// How many particles the setup asks for, computed without making them; saturates.
    pub fn particle_counts(&self) -> ParticleCounts {
        let Discretization { dimensions, particle_spacing, .. } = self.discretization;
        let domain = self.domain.flat(dimensions);
        let block = |block: &FluidBlock| product(lattice_counts(block.min, block.max, particle_spacing, dimensions));
        let container = |container: &Container| match self.wall_sampling {
            WallSampling::Analytic => 0,
            WallSampling::Layers | WallSampling::SingleLayer => container.particle_count(&self.discretization, &domain),
        };
        let body = |body: &Body| body.particle_count(&self.discretization);
        let solid = self.containers.iter().map(container).chain(self.bodies.iter().map(body));
        ParticleCounts {
            fluid: self.blocks.iter().map(block).fold(0, u64::saturating_add),
            boundary: solid.fold(0, u64::saturating_add),
        }
    }

    /// Checks everything that can be known before the first step.
    ///
    /// # Errors
    /// The first thing that would make the simulation impossible or meaningless.
    pub fn validate(&self) -> Result<(), SetupError> {
        self.discretization.validate()?;
        self.parameters.validate(&self.discretization)?;
        self.domain.validate(&self.discretization)?;
        for (index, container) in self.containers.iter().enumerate() {
            self.validate_container(index, container)?;
        }
        for (index, body) in self.bodies.iter().enumerate() {
            self.validate_body(index, body)?;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            self.validate_block(index, block)?;
        }
        if let Some(force) = self.external_forces.iter().position(|force| !force.is_valid(self.discretization.dimensions)) {
            return Err(SetupError::ExternalForce { force });
        }
        if self.blocks.is_empty() {
            return Err(SetupError::NoFluid);
        }
        let count = self.particle_counts().total();
        if count > MAX_PARTICLES {
            return Err(SetupError::TooManyParticles { count, limit: MAX_PARTICLES });
        }
        Ok(())
    }

    fn validate_container(&self, index: usize, container: &Container) -> Result<(), SetupError> {
        let least = 2.0 * self.discretization.support_radius;
        for (axis, extent) in self.extents(container.min, container.max) {
            // Written so that NaN is refused.
            if !(extent >= least && extent.is_finite()) {
                return Err(SetupError::SmallContainer { container: index, axis, extent, least });
            }
        }
        for face in Face::ALL {
            let velocity = container.face_velocities[face as usize];
            if !velocity.is_finite() || velocity[face as usize / 2] != 0.0 {
                return Err(SetupError::FaceVelocity { container: index, face });
            }
        }
        if container.slip == Slip::NoSlip && self.wall_sampling == WallSampling::Analytic {
            return Err(SetupError::DraggingPlanes { container: index });
        }
        let slack = self.slack();
        let domain = self.domain.flat(self.discretization.dimensions);
        let apart = |end: Vec3, face: Vec3| (end - face).abs().cmpgt(Vec3::splat(slack));
        let misfits = domain.periodic & (apart(container.min, domain.min) | apart(container.max, domain.max));
        match "xyz".char_indices().find(|&(axis, _)| misfits.test(axis)) {
            Some((_, axis)) => Err(SetupError::ContainerPeriod { container: index, axis }),
            None => Ok(()),
        }
    }

    fn validate_body(&self, index: usize, body: &Body) -> Result<(), SetupError> {
        let spacing = self.discretization.particle_spacing;
        for (axis, extent) in self.extents(body.min, body.max) {
            // Written so that NaN is refused.
            if !(extent >= 0.5 * spacing && extent.is_finite()) {
                return Err(SetupError::EmptyBody { body: index, axis, extent, spacing });
            }
        }
        Ok(())
    }

    fn validate_block(&self, index: usize, block: &FluidBlock) -> Result<(), SetupError> {
        let spacing = self.discretization.particle_spacing;
        for (axis, extent) in self.extents(block.min, block.max) {
            // Half a spacing rounds to one particle; written so that NaN is refused.
            if !(extent >= 0.5 * spacing && extent.is_finite()) {
                return Err(SetupError::EmptyBlock { block: index, axis, extent, spacing });
            }
            let particles = (extent / spacing).round();
            if (particles * spacing / extent - 1.0).abs() > MAX_STRAIN {
                return Err(SetupError::UnevenBlock { block: index, axis, extent, spacing });
            }
        }
        if !block.velocity.is_finite() || !block.field.is_valid() {
            return Err(SetupError::BlockVelocity { block: index });
        }
        let domain = self.domain.flat(self.discretization.dimensions);
        if let Some(axis) = domain.sticks_out(block.min, block.max, self.slack()) {
            return Err(SetupError::BlockThroughFace { block: index, axis: ['x', 'y', 'z'][axis] });
        }
        let slack = Vec3::splat(self.slack());
        let (low, high) = (self.flat(block.min), self.flat(block.max));
        let contains = |container: &Container| {
            low.cmpge(self.flat(container.min) - slack).all() && high.cmple(self.flat(container.max) + slack).all()
        };
        if !self.containers.is_empty() && !self.containers.iter().any(contains) {
            return Err(SetupError::BlockOutside { block: index });
        }
        let walls = Vec3::splat(self.discretization.support_radius);
        for (container, other) in self.containers.iter().enumerate().filter(|(_, other)| !contains(other)) {
            let (outer_low, outer_high) = (self.flat(other.min) - walls, self.flat(other.max) + walls);
            let (low, high) = (low.max(outer_low), high.min(outer_high));
            let apart = self.extents(low, high).any(|(_, extent)| extent <= slack.x);
            if !apart && other.within(&domain).faces != Faces::NONE {
                return Err(SetupError::BlockInWall { block: index, container });
            }
        }
        let dimensions = self.discretization.dimensions;
        let meets = |body: &Body| !block.around_bodies && body.meets_box(dimensions, block.min, block.max, slack.x);
        if let Some(body) = self.bodies.iter().position(meets) {
            return Err(SetupError::BlockInBody { block: index, body });
        }
        for (first, other) in self.blocks[..index].iter().enumerate() {
            let mut overlap = self.extents(block.min.max(other.min), block.max.min(other.max));
            if overlap.all(|(_, extent)| extent > 1e-3 * spacing) {
                return Err(SetupError::BlocksOverlap { first, second: index });
            }
        }
        Ok(())
    }

    /// Axis names and extents, as many as there are dimensions.
    fn extents(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = (char, f32)> {
        "xyz".chars().zip((max - min).to_array()).take(self.discretization.dimensions.count())
    }

    /// Faces may touch; a thousandth of a spacing absorbs the rounding of decimal coordinates, m.
    fn slack(&self) -> f32 {
        1e-3 * self.discretization.particle_spacing
    }

    /// `point` with z = 0 in two dimensions.
    pub(crate) fn flat(&self, point: Vec3) -> Vec3 {
        match self.discretization.dimensions {
            Dimensions::Two => point.with_z(0.0),
            Dimensions::Three => point,
        }
    }
}
