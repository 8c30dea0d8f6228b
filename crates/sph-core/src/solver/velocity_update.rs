//! The velocities that a step ends with, and those with which particles move.

use super::shifting::Shifting;
use crate::boundary::BoundaryParticles;
use crate::forces::{self, Flow};
use crate::particles::Particles;
use crate::passes::StepContext;
use crate::report::held;
use glam::Vec3;

/// Where a step leads: one entry a particle. The particles themselves still stand where they stood, so that the step can be refused.
#[derive(Clone, Debug, Default)]
pub(crate) struct VelocityUpdate {
    /// Velocities after the step, m/s, in which walls have not been asked yet.
    pub velocities: Vec<Vec3>,
    /// Velocities with which particles get to their new places, m/s, where those are others; else empty.
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

    /// Lets particles move with a velocity smoothed over their neighbours; see [`forces::smooth`].
    pub fn smooth(&mut self, ctx: &StepContext<'_>, particles: &Particles) {
        let Self { velocities, advection_velocities, smoothed, .. } = self;
        let Particles { positions, densities, .. } = particles;
        let velocities = if advection_velocities.is_empty() { &*velocities } else { &*advection_velocities };
        forces::smooth(ctx, Flow { positions, velocities, densities }, smoothed);
        std::mem::swap(advection_velocities, smoothed);
    }

    /// Lets particles move to where there are fewer; see [`Shifting`].
    pub fn shift(&mut self, ctx: &StepContext<'_>, particles: &mut Particles, walls: &BoundaryParticles, dt: f32) {
        let Self { velocities, advection_velocities, shifting, .. } = self;
        if advection_velocities.is_empty() {
            advection_velocities.clone_from(velocities);
        }
        shifting.shift(ctx, particles, walls, dt, advection_velocities);
    }
}
