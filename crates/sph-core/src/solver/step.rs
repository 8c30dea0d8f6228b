//! A step as a solver sees it: the state that it changes, and the report that it gives.

use super::time_step::{TimeStep, TimeStepLimit};
use super::velocity_update::VelocityUpdate;
use crate::boundary::BoundaryParticles;
use crate::forces::ForceState;
use crate::particles::Particles;
use crate::passes::GatherBuffers;
use crate::report::{Clock, PressureSolve};
use glam::Vec4;

/// What a step changes.
pub(crate) struct StepState<'a> {
    pub particles: &'a mut Particles,
    pub walls: &'a mut BoundaryParticles,
    pub velocity_update: &'a mut VelocityUpdate,
    pub forces: &'a mut ForceState,
    /// Workspace: the fluid as the passes gather it.
    pub buffers: &'a mut GatherBuffers,
    pub phases: &'a mut Clock,
}

/// What a solver says of its step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolveReport {
    /// Length of the step, and why.
    pub step: TimeStep,
    /// How far the particles' densities will be behind their positions, s.
    pub density_age: f32,
    /// The solve for the density at the end of the step.
    pub density: PressureSolve,
    /// The solve for a velocity free of divergence.
    pub divergence: PressureSolve,
}

impl SolveReport {
    /// A step that was not made.
    pub const NONE: Self = Self {
        step: TimeStep { dt: 0.0, limit: TimeStepLimit::Maximum, exceeded: None },
        density_age: 0.0,
        density: PressureSolve::NONE,
        divergence: PressureSolve::NONE,
    };
}

/// Pressures of a solve that particles do not show, but which pushed them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DivergencePressure<'a> {
    /// k of the fluid, m²/s².
    pub k: &'a [f32],
    /// k of the walls, m²/s².
    pub walls: &'a [f32],
    /// For how long they pushed, s.
    pub dt: f32,
    /// The same over the length of the step.
    pub share: f32,
    /// What they did to the fluid before other forces acted, m/s², and a number that means nothing; empty where there are no bodies.
    pub accelerations: &'a [Vec4],
}
