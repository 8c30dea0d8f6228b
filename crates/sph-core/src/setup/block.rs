//! Blocks of fluid: shape, initial velocity and initial pressure.

use super::interface::Interface;
use super::velocity_field::{VelocityField, Water};
use crate::parameters::choice;
use crate::space::geometry::Solid;
use glam::Vec3;

/// An axis-aligned box of fluid, the ellipsoid inside one, or a solid filled with fluid. In two dimensions z is ignored. The default
/// is an empty box at rest, which cannot be simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FluidBlock {
    /// Lowest corner, m.
    pub min: Vec3,
    /// Highest corner, m.
    pub max: Vec3,
    /// Index of its fluid in [`Setup::fluids`](super::Setup::fluids); 0 in a setup with one fluid.
    pub fluid: usize,
    /// Interface within the block, with another fluid below; none if the block has one fluid.
    pub interface: Option<Interface>,
    /// Shape of the fluid within the box.
    pub shape: BlockShape,
    /// Arrangement of the particles of a solid; boxes and ellipsoids have the lattice that fits the box.
    pub filling: Filling,
    /// Uniform initial velocity, m/s.
    pub velocity: Vec3,
    /// Velocity field, added to `velocity`.
    pub field: VelocityField,
    /// True to leave out particles in bodies or within half a spacing of one; otherwise the block must not overlap bodies.
    pub around_bodies: bool,
    /// Initial pressure.
    pub initial_pressure: InitialPressure,
}

/// Shapes of a block or a body within its box.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BlockShape {
    /// The whole box.
    #[default]
    Box,
    /// The ellipsoid (in 2D the ellipse) that touches the faces of the box.
    Ellipsoid,
    /// A solid, whose bounds the box is.
    Solid(Solid),
}

choice! {
    /// Arrangements of the particles of a block.
    pub enum Filling, default Lattice {
        /// A square lattice, in 3D a cubic one.
        Lattice = "lattice", "Lattice";
        /// The densest packing: a triangular lattice, in 3D layers of them.
        Hexagonal = "hexagonal", "Hexagonal";
        /// No lattice: particles that have been pushed apart until they are even, with no direction preferred.
        Relaxed = "relaxed", "Relaxed";
    }
}

choice! {
    /// Initial pressures of a block, from which its initial densities follow.
    pub enum InitialPressure, default Hydrostatic {
        /// Hydrostatic pressure, ρ₀ g times the depth below the block's upper face along gravity, and with several fluids the weight of the hydrostatic blocks that lie on it: for fluid that rests or is about to fall.
        Hydrostatic = "hydrostatic", "Hydrostatic";
        /// No pressure: for fluid in free fall.
        Zero = "zero", "Zero";
        /// Pressure of incompressible fluid at the moment of its release, 0 on faces that touch neither a wall nor another block: for a
        /// column whose gate has just gone, and for fluid that spins or stretches.
        ///
        /// Inside it is the pressure that keeps the fluid, with its initial velocity, from being compressed under gravity and those external
        /// forces that are the same everywhere. It may be negative where the fluid pulls apart.
        Released = "released", "Released";
    }
}

impl FluidBlock {
    /// Box of fluid from `min` to `max` (m), at rest, with hydrostatic pressure.
    pub fn new(min: Vec3, max: Vec3) -> Self {
        Self { min, max, ..Self::default() }
    }

    /// `solid` filled with fluid, at rest, with hydrostatic pressure.
    pub fn solid(solid: Solid) -> Self {
        let [min, max] = solid.bounds().map(|corner| corner.as_vec3());
        Self { min, max, shape: BlockShape::Solid(solid), ..Self::default() }
    }

    /// Index of the fluid at `position` (m): the block's, or that below its interface.
    pub(crate) fn fluid_at(&self, position: Vec3) -> usize {
        match self.interface {
            Some(interface) if interface.height_above(position) < 0.0 => interface.below,
            _ => self.fluid,
        }
    }

    /// Depth and origin for the block's velocity field; `gravity` in m/s².
    pub(crate) fn water(&self, gravity: Vec3) -> Water {
        Water { corner: self.min, depth: self.max.y - self.min.y, gravity: gravity.length() }
    }
}
