//! Implicit incompressible SPH (Ihmsen2014): the pressure equation for the density at the end of the step.
//!
//! The paper writes the operator with coefficients d_ii, d_ij and a_ii; collected, they are the one of
//! [`pressure_operator`](super::pressure_solve), and the iteration is the same relaxed Jacobi.

use super::pressure_solve::{Jacobi, Prediction};
use super::{SolveReport, StepState};
use crate::kernel::with_kernel;
use crate::passes::StepContext;
use crate::report::PressureSolve;

/// What the solver keeps between its passes.
#[derive(Clone, Debug)]
pub(crate) struct Iisph {
    prediction: Prediction,
    jacobi: Jacobi,
}

impl Iisph {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        Self { prediction: Prediction::new(from_other), jacobi: Jacobi::default() }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let [pairs, particles] = self.prediction.memory();
        [pairs, particles + self.jacobi.memory()]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.prediction.reorder(order);
    }

    /// One step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let Self { prediction, jacobi } = self;
        let iterations = ctx.parameters.solver.iisph;
        with_kernel!(ctx.kernel, kernel => {
            prediction.compute_density_and_alpha(kernel, ctx, step);
            let length = prediction.apply_non_pressure_forces(kernel, ctx, step);
            let density = prediction.solve_density(kernel, ctx, (length.dt, iterations), jacobi, step);
            SolveReport { step: length, density_age: 0.0, density, divergence: PressureSolve::default() }
        })
    }
}
