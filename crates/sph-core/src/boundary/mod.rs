//! Walls: layers of boundary particles, and the pressure that the fluid gives them.

mod container;
mod wall_pressure;

pub use container::{BoundaryParticles, Container, Face, Faces};

pub(crate) use wall_pressure::extrapolate;
