//! The interface of a force between particles.

use crate::boundary::{BoundaryParticles, Reactions};
use crate::kernel::SmoothingKernel;
use crate::passes::StepContext;
use glam::Vec3;

/// State of the fluid that the forces read: one entry per particle in every array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow<'a> {
    /// Positions, m.
    pub positions: &'a [Vec3],
    /// Velocities, m/s.
    pub velocities: &'a [Vec3],
    /// Densities, kg/m³.
    pub densities: &'a [f32],
}

/// All that a force between particles reads.
#[derive(Clone, Copy)]
pub(crate) struct ForceInput<'a, K> {
    pub kernel: K,
    pub ctx: &'a StepContext<'a>,
    pub flow: Flow<'a>,
    pub walls: &'a BoundaryParticles,
    /// Angular velocities of the particles, 1/s; empty if nothing spins.
    pub spins: &'a [Vec3],
}

/// A force between particles, other than viscosity and pressure: its workspace, and what it keeps from step to step.
///
/// `forces/list.rs` has a line for each.
pub(crate) trait ParticleForce: Clone + Default {
    /// True if [`ParticleForce::react`] does anything: if the force acts between fluid and solids.
    const REACTS: bool = false;

    /// True if the force acts with the present parameters.
    fn acts(ctx: &StepContext<'_>) -> bool;

    /// Adds the accelerations by the force, m/s². Called only while it acts.
    fn add<K: SmoothingKernel>(&mut self, input: ForceInput<'_, K>, accelerations: &mut [Vec3]);

    /// Adds the reactions on solids to the accelerations by the force, which act for `duration`, s. Called only while it acts.
    fn react<K: SmoothingKernel>(_input: ForceInput<'_, K>, _duration: f32, _reactions: &mut Reactions) {}

    /// Bytes on the heap.
    fn memory(&self) -> usize {
        0
    }
}
