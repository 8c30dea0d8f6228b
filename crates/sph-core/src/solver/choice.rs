//! Enum of the solvers, matched once per step.

use super::dfsph::Dfsph;
use super::equation_of_state::EquationOfState;
use super::iisph::Iisph;
use super::memory::{Past, SolverMemory};
use super::pbf::Pbf;
use super::pcisph::Pcisph;
use super::step::{SolveReport, StepState};
use super::wcsph::Wcsph;
use crate::parameters::{Discretization, Fluid, Integration, Method, Parameters, SolverParameters, lightness};
use crate::particles::Particles;
use crate::passes::{StepContext, sweep};

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

    /// Search radius of the neighbour lists, m.
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

    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        with_solver!(self, solver => solver.memory())
    }

    /// Computes one step: densities and pressures of the particles, pressures of the walls, and velocities.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        with_solver!(self, solver => solver.advance(ctx, step))
    }
}
