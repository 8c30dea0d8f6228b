//! Pressure solvers, one file per paper, and their interface; the pressure solve that the incompressible ones share; equation of
//! state, time step, advection, surface detection.

mod advection;
mod dfsph;
mod equation_of_state;
mod gradients;
mod iisph;
mod pbf;
mod pcisph;
mod pressure_solve;
mod surface;
mod time_step;
mod wcsph;

pub use time_step::{StepBound, TimeStepLimit};

pub(crate) use advection::VelocityUpdate;
pub(crate) use equation_of_state::EquationOfState;
pub(crate) use time_step::{expected_step, expected_step_of_solids};

use crate::boundary::{BoundaryParticles, Reactions};
use crate::forces::ForceState;
use crate::parameters::{Discretization, Fluid, Integration, Method, Parameters, SolverParameters, lightness};
use crate::particles::Particles;
use crate::passes::{GatherBuffers, StepContext, sweep};
use crate::report::{Clock, PressureSolve};
use dfsph::Dfsph;
use iisph::Iisph;
use pbf::Pbf;
use pcisph::Pcisph;
use time_step::TimeStep;
use wcsph::Wcsph;

#[cfg(test)]
pub(crate) use pressure_solve::Strewn;

// Enum of the solvers, matched once per step.

/// Extra search radius, in support radii, of solvers that evaluate predicted positions with the neighbour lists of the present
/// ones.
const SKIN: f32 = 0.1;

/// Extra search radius of the predictor–corrector, in support radii: in half a step, limited by sound, the fluid moves a tenth
/// as far as sound.
const HALF_STEP_SKIN: f32 = 0.025;

/// Pressure solver in use.
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

/// Search radius of the neighbour lists, m: the support radius, or more for solvers in which particles move between the search and its use.
pub fn search_radius(solver: &SolverParameters, discretization: &Discretization) -> f32 {
    let skin = match (solver.method, solver.wcsph.integration) {
        (Method::Wcsph, Integration::SymplecticEuler) | (Method::Iisph | Method::Dfsph, _) => {
            return discretization.support_radius;
        }
        (Method::Wcsph, Integration::PredictorCorrector) => HALF_STEP_SKIN,
        (Method::Pcisph | Method::Pbf, _) => SKIN,
    };
    (1.0 + skin) * discretization.support_radius
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

impl Solver {
    /// Solver of `method`.
    pub fn new(method: Method) -> Self {
        match method {
            Method::Wcsph => Self::Wcsph(Wcsph::default()),
            Method::Pcisph => Self::Pcisph(Pcisph::default()),
            Method::Iisph => Self::Iisph(Iisph::default()),
            Method::Dfsph => Self::Dfsph(Dfsph::default()),
            Method::Pbf => Self::Pbf(Pbf::default()),
        }
    }

    /// Solver of the method in `parameters`, for fluid that another solver has moved so far.
    ///
    /// It takes over the pressure: WCSPH derives the densities from it by the equation of state, the others use it as the
    /// initial guess. All else that the other solver remembered is forgotten.
    pub fn take_over(
        parameters: &Parameters,
        (discretization, fluids): (&Discretization, &[Fluid]),
        particles: &mut Particles,
        memory: &mut SolverMemory,
    ) -> Self {
        *memory = SolverMemory { past: Past::TakenOver, ..SolverMemory::default() };
        particles.earlier_k.clear();
        particles.divergence_k.clear();
        particles.density_offsets.clear();
        if parameters.solver.method == Method::Wcsph {
            let state = EquationOfState::of(discretization, parameters);
            let Particles { densities, pressures, fluids: particle_fluids, .. } = particles;
            sweep::map(pressures.len(), densities, |i| {
                let fluid = particle_fluids.get(i).copied().map(usize::from);
                state.density(pressures[i]) / lightness(fluids, discretization.rest_density, fluid)
            });
        }
        Self::new(parameters.solver.method)
    }

    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        with_solver!(self, solver => solver.memory())
    }

    /// Computes one step: densities and pressures of the particles, pressures of the walls, and velocities.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        with_solver!(self, solver => solver.advance(ctx, step))
    }
}

// Interface of the solvers: the state that a step changes, and the report of the step.

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
    /// Number of acoustic steps in it; 0 with solvers without sound.
    pub acoustic_steps: u32,
    /// Age of the densities after the step: time by which they lag behind the velocities, s.
    pub density_age: f32,
    /// The solve for the density at the end of the step.
    pub density: PressureSolve,
    /// The solve for a divergence-free velocity.
    pub divergence: PressureSolve,
    /// Largest compression that a long step leaves, of the particles that it compresses further; 0 where it is not computed.
    pub compression: f32,
}

impl SolveReport {
    /// Report of a step that did not take place.
    pub const NONE: Self = Self {
        time_step: TimeStep { dt: 0.0, limit: TimeStepLimit::Maximum, exceeded: None },
        acoustic_steps: 0,
        density_age: 0.0,
        density: PressureSolve::NONE,
        divergence: PressureSolve::NONE,
        compression: 0.0,
    };
}

/// Numbers that a solver carries from step to step. With the attributes of the particles they are all that it remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolverMemory {
    /// Past of the fluid, as far as the solver has to know it.
    pub past: Past,
    /// Length of the step of the last divergence solve of DFSPH, s; 0 before the first.
    pub divergence_dt: f32,
}

/// Past of the fluid before the next step of its solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Past {
    /// No solver has moved the fluid yet.
    #[default]
    Initial,
    /// Another solver has moved the fluid so far.
    TakenOver,
    /// The solver has moved the fluid in the last step.
    Own,
}
