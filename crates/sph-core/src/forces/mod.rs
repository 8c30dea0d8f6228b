//! Everything that accelerates the fluid except pressure. Every solver has them in common.

mod parameters;
mod viscosity;
mod xsph;

pub use parameters::ForceParameters;

pub(crate) use viscosity::wall_drag;
pub(crate) use xsph::smooth;

use crate::boundary::{BoundaryParticles, mirror};
use crate::kernel::SmoothingKernel;
use crate::surroundings::Surroundings;
use glam::Vec3;

/// The fluid as the forces see it: one entry a particle in every array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    /// m.
    pub positions: &'a [Vec3],
    /// m/s.
    pub velocities: &'a [Vec3],
    /// kg/m³.
    pub densities: &'a [f32],
}

/// `accelerations[i]`, m/s², from all forces between particles but pressure; gravity, the same for all, is not among them. Walls that
/// drag are given the velocities with which they do.
pub(crate) fn accelerate<K: SmoothingKernel>(
    kernel: K,
    around: &Surroundings<'_>,
    flow: Flow<'_>,
    walls: &mut BoundaryParticles,
    accelerations: &mut Vec<Vec3>,
) {
    if walls.drag() && around.parameters.fluid.kinematic_viscosity > 0.0 {
        mirror(kernel, (flow.positions, flow.velocities), around.fluid_of_walls, walls);
    } else {
        walls.mirrored.clear();
    }
    viscosity::accelerate(kernel, around, flow, walls, accelerations);
}
