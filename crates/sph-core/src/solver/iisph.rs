//! Implicit incompressible SPH, IISPH (Ihmsen2014): the pressure equation for the density at the end of the step.
//!
//! 1. Density at the positions x: `R_i = Σ_j V W_ij`, and the diagonal −D_i of the operator.
//! 2. Advection by forces other than pressure: `v* = v + dt (a + g)`.
//! 3. Pressure solve: `dt² A k = R_target − R − dt dR/dt(v*)`, then `v = v* + dt a(k)`. Of a gap `R_target − R > 0` only what is
//!    not the deficit of a free surface counts; see `DensityAndAlpha::gap`.
//! 4. The simulation moves the particles: `x += dt v`.
//!
//! The paper writes the operator with coefficients d_ii, d_ij and a_ii. Collected, they are the operator A of
//! [`super::pressure_solve`], and the iteration is the paper's relaxed Jacobi with momentum.
//!
//! | paper | name here | meaning |
//! |---|---|---|
//! | ρ_i | ρ₀ R, `DensityAndAlpha::relative_density` | density by summation |
//! | v^adv | v*, `VelocityUpdate::velocities` | velocity without pressure |
//! | ρ₀ − ρ^adv | ρ₀ s, `Jacobi::source` | source: minus the compression without pressure |
//! | p_i | ρ₀ k R², `Jacobi::k` | unknown: pressure |
//! | a_ii | −dt² D = −dt²/α, `DensityAndAlpha::alpha` | diagonal, in our unknown |
//! | ω | `Jacobi::relaxation` | relaxation of the Jacobi iteration; with momentum, the unit of its steps |

use super::pressure_solve::{Jacobi, Prediction};
use super::{SolveReport, StepState};
use crate::kernel::with_kernel;
use crate::passes::StepContext;

/// State and workspace of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iisph {
    prediction: Prediction,
    jacobi: Jacobi,
}

impl Iisph {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let [pairs, particles] = self.prediction.memory();
        [pairs, particles + self.jacobi.memory()]
    }

    /// Computes one step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let Self { prediction, jacobi } = self;
        let iterations = ctx.parameters.solver.iisph;
        with_kernel!(ctx.kernel, kernel => {
            // Density and diagonal: R_i = Σ_j V W_ij, D_i = |Σ_j V∇W|² + Σ_j |V∇W|² (Ihmsen2014).
            prediction.compute_density_and_alpha(kernel, ctx, step);
            if ctx.is_cancelled() {
                return SolveReport::NONE;
            }
            // Predicted advection: dt ≤ ½ cfl dx/max|v|, v* = v + dt (a + g) (Ihmsen2014).
            let time_step = prediction.apply_non_pressure_forces(kernel, ctx, step);
            // Pressure solve: dt² A k = R_target − R − dt dR/dt(v*), then v = v* + dt a(k) (Ihmsen2014).
            jacobi.prepare_walls(kernel, ctx, step);
            let density = prediction.solve_density(kernel, ctx, (time_step.dt, iterations), jacobi, step);
            let compression = prediction.later_compression(kernel, ctx, time_step.dt, step);
            SolveReport { time_step, density, compression, ..SolveReport::NONE }
        })
    }
}
