//! Walls: layers of boundary particles, the pressure that the fluid gives them, and the drag that they give the fluid.

mod container;
mod no_slip;
mod particles;
mod wall_pressure;

pub use container::{Container, Face, Faces, Slip};
pub use particles::BoundaryParticles;

pub(crate) use no_slip::mirror;
pub(crate) use wall_pressure::extrapolate;
