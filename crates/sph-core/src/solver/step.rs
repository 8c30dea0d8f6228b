//! Interface of the solvers: the state that a step changes, and the report of the step.

use super::memory::SolverMemory;
use super::time_step::{TimeStep, TimeStepLimit};
use super::velocity_update::VelocityUpdate;
use crate::boundary::BoundaryParticles;
use crate::forces::ForceState;
use crate::particles::Particles;
use crate::passes::GatherBuffers;
use crate::report::{Clock, PressureSolve};
use glam::Vec4;

/// State that a step changes.
pub(crate) struct StepState<'a> {
    pub particles: &'a mut Particles,
    pub walls: &'a mut BoundaryParticles,
    pub velocity_update: &'a mut VelocityUpdate,
    pub forces: &'a mut ForceState,
    pub memory: &'a mut SolverMemory,
    /// Workspace of the passes: the fluid in the layout for gathering.
    pub buffers: &'a mut GatherBuffers,
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

/// Pressure of a divergence solve, which accelerates the fluid but is not in the pressures of the particles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DivergencePressure<'a> {
    /// k of the fluid, m²/s².
    pub k: &'a [f32],
    /// k_b of the walls, m²/s².
    pub wall_k: &'a [f32],
    /// Time for which the pressure acted, s.
    pub dt: f32,
    /// That time over the length of the step.
    pub dt_ratio: f32,
    /// Accelerations of the fluid by it, m/s², before other forces acted; w is unused. Empty without bodies.
    pub accelerations: &'a [Vec4],
}
