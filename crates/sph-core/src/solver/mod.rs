//! Pressure solvers, one file each, reading as the paper.

mod dfsph;
mod equation_of_state;
mod iisph;
mod parameters;
mod pbf;
mod pcisph;
mod pressure_solve;
mod shifting;
mod surface;
mod time_step;
mod wcsph;

pub use parameters::{
    DensityDiffusion, Integration, Iterations, Method, NegativePressure, SolverParameters, StateEquation, WcsphParameters,
};

pub use time_step::{StepBound, TimeStepLimit};

pub(crate) use equation_of_state::EquationOfState;

#[cfg(test)]
pub(crate) use pressure_solve::Strewn;

use crate::boundary::BoundaryParticles;
use crate::forces::{self, Flow, ForceState};
use crate::parameters::{Discretization, Parameters};
use crate::particles::Particles;
use crate::passes::{GatherBuffers, StepContext, sweep};
use crate::report::{Clock, PressureSolve, held};
use dfsph::Dfsph;
use glam::{Vec3, Vec4};
use iisph::Iisph;
use pbf::Pbf;
use pcisph::Pcisph;
use shifting::Shifting;
use time_step::TimeStep;
use wcsph::Wcsph;

/// Farther than the support radius that neighbours are looked for, in support radii, by solvers that look at where particles are going
/// with the lists of where they are.
const SKIN: f32 = 0.1;

/// The same for half a step that sound limits, in which the fluid gets a tenth as far as sound.
const THIN_SKIN: f32 = 0.025;

/// Any one of the solvers.
#[derive(Clone, Debug)]
pub(crate) enum Solver {
    /// Weakly compressible.
    Wcsph(Wcsph),
    /// Predictive–corrective.
    Pcisph(Pcisph),
    /// Implicit.
    Iisph(Iisph),
    /// Divergence-free.
    Dfsph(Dfsph),
    /// Position-based.
    Pbf(Pbf),
}

/// Runs `$body` with `$solver` bound to the solver inside.
macro_rules! with_solver {
    ($choice:expr, $solver:ident => $body:expr) => {
        match $choice {
            Self::Wcsph($solver) => $body,
            Self::Pcisph($solver) => $body,
            Self::Iisph($solver) => $body,
            Self::Dfsph($solver) => $body,
            Self::Pbf($solver) => $body,
        }
    };
}

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

impl SolveReport {
    /// A step that was not made.
    pub const NONE: Self = Self {
        step: TimeStep { dt: 0.0, limit: TimeStepLimit::Maximum, exceeded: None },
        density_age: 0.0,
        density: PressureSolve::NONE,
        divergence: PressureSolve::NONE,
    };
}

impl Solver {
    /// The solver of `method` for fluid that begins to move.
    pub fn new(method: Method) -> Self {
        Self::make(method, false)
    }

    fn make(method: Method, from_other: bool) -> Self {
        match method {
            Method::Wcsph => Self::Wcsph(Wcsph::default()),
            Method::Pcisph => Self::Pcisph(Pcisph::new(from_other)),
            Method::Iisph => Self::Iisph(Iisph::new(from_other)),
            Method::Dfsph => Self::Dfsph(Dfsph::new(from_other)),
            Method::Pbf => Self::Pbf(Pbf::new(from_other)),
        }
    }

    /// The solver of the method that `parameters` name, for fluid that another solver has moved so far.
    ///
    /// What they hand on is the pressure: an equation of state turns it into a density, an iteration begins with it.
    pub fn take_over(parameters: &Parameters, discretization: &Discretization, particles: &mut Particles) -> Self {
        if parameters.solver.method == Method::Wcsph {
            let state = EquationOfState::of(discretization, parameters);
            let Particles { densities, pressures, .. } = particles;
            sweep::map(pressures.len(), densities, |i| state.density(pressures[i]));
        }
        Self::make(parameters.solver.method, true)
    }

    /// How far neighbours are looked for, m.
    pub fn search_radius(solver: &SolverParameters, discretization: &Discretization) -> f32 {
        let skin = match (solver.method, solver.wcsph.integration) {
            (Method::Wcsph, Integration::SymplecticEuler) | (Method::Iisph | Method::Dfsph, _) => {
                return discretization.support_radius;
            }
            (Method::Wcsph, Integration::PredictorCorrector) => THIN_SKIN,
            (Method::Pcisph | Method::Pbf, _) => SKIN,
        };
        (1.0 + skin) * discretization.support_radius
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        with_solver!(self, solver => solver.memory())
    }

    /// Computes one step: densities and pressures of `particles` and `walls`, and where they move.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        with_solver!(self, solver => solver.advance(ctx, step))
    }

    /// What pushed in the latest step besides the pressures that particles show.
    pub fn divergence_pressure(&self) -> Option<DivergencePressure<'_>> {
        match self {
            Self::Dfsph(solver) => Some(solver.divergence_pressure()),
            Self::Wcsph(_) | Self::Pcisph(_) | Self::Iisph(_) | Self::Pbf(_) => None,
        }
    }

    /// The particles have been put into `order`: so is what the solver remembers of them.
    pub fn reorder(&mut self, order: &[u32]) {
        match self {
            // It remembers nothing.
            Self::Wcsph(_) => {}
            Self::Pcisph(solver) => solver.reorder(order),
            Self::Iisph(solver) => solver.reorder(order),
            Self::Dfsph(solver) => solver.reorder(order),
            Self::Pbf(solver) => solver.reorder(order),
        }
    }
}
