//! Result of a solver's step: velocities after the step, and velocities of advection.

use super::shifting::Shifting;
use crate::boundary::BoundaryParticles;
use crate::forces::{self, Flow};
use crate::particles::Particles;
use crate::passes::StepContext;
use crate::report::held;
use glam::Vec3;

/// Velocities that a step leads to, one entry per particle. The particles keep their state until the step is accepted.
#[derive(Clone, Debug, Default)]
pub(crate) struct VelocityUpdate {
    /// Velocities after the step, m/s, before they are confined by containers and bodies.
    pub velocities: Vec<Vec3>,
    /// Advection velocities, m/s, with which the positions change; empty if they are the velocities.
    pub advection_velocities: Vec<Vec3>,
    smoothed: Vec<Vec3>,
    shifting: Shifting,
}

impl VelocityUpdate {
    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let Self { velocities, advection_velocities, smoothed, shifting } = self;
        held(velocities) + held(advection_velocities) + held(smoothed) + shifting.memory()
    }

    /// Smooths the advection velocities over the neighbours by XSPH; see [`forces::smooth`].
    pub fn smooth(&mut self, ctx: &StepContext<'_>, particles: &Particles) {
        let Self { velocities, advection_velocities, smoothed, .. } = self;
        let Particles { positions, densities, .. } = particles;
        let velocities = if advection_velocities.is_empty() { &*velocities } else { &*advection_velocities };
        forces::smooth(ctx, Flow { positions, velocities, densities }, smoothed);
        std::mem::swap(advection_velocities, smoothed);
    }

    /// Adds the shifting velocity to the advection velocities; see [`Shifting`].
    pub fn shift(&mut self, ctx: &StepContext<'_>, particles: &mut Particles, walls: &BoundaryParticles, dt: f32) {
        let Self { velocities, advection_velocities, shifting, .. } = self;
        if advection_velocities.is_empty() {
            advection_velocities.clone_from(velocities);
        }
        shifting.shift(ctx, particles, walls, dt, advection_velocities);
    }
}
