//! Interface of the solvers: the state that a step changes, and the report of the step.

use super::memory::SolverMemory;
use super::time_step::{TimeStep, TimeStepLimit};
use super::velocity_update::VelocityUpdate;
use crate::boundary::{BoundaryParticles, Reactions};
use crate::forces::ForceState;
use crate::particles::Particles;
use crate::passes::GatherBuffers;
use crate::report::{Clock, PressureSolve};

/// State that a step changes.
pub(crate) struct StepState<'a> {
    pub particles: &'a mut Particles,
    pub walls: &'a mut BoundaryParticles,
    pub velocity_update: &'a mut VelocityUpdate,
    pub forces: &'a mut ForceState,
    pub memory: &'a mut SolverMemory,
    /// Workspace of the passes: the fluid in the layout for gathering.
    pub buffers: &'a mut GatherBuffers,
    /// Impulses on solids, to which every stage adds that acts on the fluid from them.
    pub reactions: &'a mut Reactions,
    pub phases: &'a mut Clock,
}

/// Report of a solver about its step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolveReport {
    /// Length of the step, and the limit that set it.
    pub time_step: TimeStep,
    /// Age of the densities after the step: time by which they lag behind the positions, s.
    pub density_age: f32,
    /// The solve for the density at the end of the step.
    pub density: PressureSolve,
    /// The solve for a divergence-free velocity.
    pub divergence: PressureSolve,
}

impl SolveReport {
    /// Report of a step that did not take place.
    pub const NONE: Self = Self {
        time_step: TimeStep { dt: 0.0, limit: TimeStepLimit::Maximum, exceeded: None },
        density_age: 0.0,
        density: PressureSolve::NONE,
        divergence: PressureSolve::NONE,
    };
}
