//! A body that a user drops, as plain data.

use crate::boundary::{Body, Dynamics};
use crate::parameters::choice;
use crate::setup::BlockShape;
use crate::space::Domain;
use glam::Vec3;

choice! {
    /// Shape of a dropped body.
    pub enum DroppedShape, default Box {
        /// A cube; in two dimensions a square.
        Box = "box", "Box";
        /// A ball; in two dimensions a disc.
        Ball = "ball", "Ball";
    }
}

/// A body that is dropped while the simulation runs: from then on it moves by forces, as a body of the setup with
/// [`Dynamics`](crate::Dynamics) does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DroppedBody {
    /// Centre at the moment when it is dropped, m; in two dimensions in the plane z = 0.
    pub center: Vec3,
    /// Edge of the box, or diameter of the ball, m: at least two particle spacings.
    pub size: f32,
    /// Shape.
    pub shape: DroppedShape,
    /// Density, kg/m³: a tenth to ten times the rest density of the fluid, of the densest one if there are several.
    pub density: f32,
    /// Velocity with which it is dropped, m/s.
    pub velocity: Vec3,
}

impl DroppedBody {
    /// Largest number of bodies that can be dropped into one simulation.
    pub const MAX: usize = 64;

    /// True if it does not meet its own images in a periodic `domain`, with room for particles of this `spacing` (m) between them.
    pub(super) fn fits(&self, domain: &Domain, spacing: f32) -> bool {
        self.size + 2.0 * spacing <= domain.period().min_element()
    }

    /// The same as a body of a setup: at rest in its own coordinates, with the usual friction and no restitution.
    pub fn body(&self) -> Body {
        let Self { center, size, shape, density, velocity } = *self;
        let half = Vec3::splat(0.5 * size);
        let shape = match shape {
            DroppedShape::Box => BlockShape::Box,
            DroppedShape::Ball => BlockShape::Ellipsoid,
        };
        let dynamics = Some(Dynamics { velocity, ..Dynamics::default() });
        Body { min: center - half, max: center + half, shape, density, dynamics, ..Body::default() }
    }
}
