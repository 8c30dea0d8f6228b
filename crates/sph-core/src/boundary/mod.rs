//! Walls: layers of boundary particles, the pressure that the fluid gives them, and the drag that they give the fluid.

mod body;
mod container;
mod motion;
mod no_slip;
mod particles;
mod wall_pressure;

pub use body::Body;
pub use container::{Container, Face, Faces, Slip};
pub use motion::{Motion, MotionError};
pub use particles::BoundaryParticles;

use crate::parameters::Discretization;

/// Layers of particles that a wall needs for fluid at its face to see nothing behind it.
fn layers(discretization: &Discretization) -> u32 {
    let Discretization { particle_spacing, support_radius, .. } = *discretization;
    // Bounded, so that sums with counts fit even when the discretisation has not been validated yet.
    ((support_radius / particle_spacing - 1e-3).ceil() as u32).min(1 << 10)
}

pub(crate) use no_slip::mirror;
pub(crate) use wall_pressure::extrapolate;
