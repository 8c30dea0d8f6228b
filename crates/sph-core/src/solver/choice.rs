//! The choice of solver: one enum, matched once a step.

use super::dfsph::Dfsph;
use super::equation_of_state::EquationOfState;
use super::iisph::Iisph;
use super::pbf::Pbf;
use super::pcisph::Pcisph;
use super::step::{DivergencePressure, SolveReport, StepState};
use super::wcsph::Wcsph;
use crate::parameters::{Discretization, Integration, Method, Parameters, SolverParameters};
use crate::particles::Particles;
use crate::passes::{StepContext, sweep};

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
