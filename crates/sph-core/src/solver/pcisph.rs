//! Predictive–corrective incompressible SPH, PCISPH (Solenthaler2009): predict positions by the pressure, measure their
//! density, correct the pressure.
//!
//! 1. Density R and the gradients V∇W at the positions x.
//! 2. Forces other than pressure: `v* = v + dt (a + g)`.
//! 3. Corrections, from k = 0: `x* = x + dt (v* + dt a(k))`, then `k ← max(0, k + δ (R(x*) − R_target))`, with the momentum of a
//!    [`HeavyBall`]. R_target is what a step may reach: `DensityAndAlpha::attainable` at a free surface, and where the fluid is
//!    compressed, R less `Prediction::largest_correction`. The last k is the one whose error is the tolerance.
//! 4. `v = v* + dt a(k)`, of an impact no more than [`keep_energy`] leaves, and the simulation moves the particles: `x += dt v`.
//!
//! | paper | name here | meaning |
//! |---|---|---|
//! | x*(t+1) | `predicted` | positions at the end of the step |
//! | ρ*_err | ρ₀ `excess` | predicted density less the target |
//! | δ, eq. (8) | `delta` = ω/(dt² D) | correction factor, from a full neighbourhood |
//! | β, eq. (7), and the sums in δ | D = Σ_j \|V∇W\|², `lattice_stiffness` | stiffness inside a full lattice |
//! | p_i | ρ₀ k R², `k` | pressure |

use super::pressure_solve::{HeavyBall, Prediction, acceleration, keep_energy, relative_densities, relaxation, target_density};
use super::{SolveReport, StepState};
use crate::boundary::{PlanePressures, Pressures, SolidTerms, WallPressureExtrapolation};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::Iterations;
use crate::passes::{StepContext, sum_cells, sweep};
use crate::report::{Phase, PressureSolve, held};
use crate::space::lattice_points;
use glam::Vec4;
use std::time::Instant;

/// State and workspace of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pcisph {
    prediction: Prediction,
    /// k = p/(ρ₀R²), m²/s²; 0 at the start of every step.
    k: Vec<f32>,
    heavy_ball: HeavyBall,
    accelerations: Vec<Vec4>,
    /// x*: positions predicted with the present pressure, m; w is unused.
    predicted: Vec<Vec4>,
    /// R(x*) − R_target.
    excess: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
    /// Relaxation ω; `None` before the first step.
    relaxation: Option<f32>,
}

impl Pcisph {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, k, heavy_ball, accelerations, predicted, excess, wall_extrapolation, relaxation: _ } = self;
        let [pairs, particles] = prediction.memory();
        [
            pairs,
            particles
                + held(k)
                + held(accelerations)
                + held(predicted)
                + held(excess)
                + heavy_ball.memory()
                + wall_extrapolation.memory(),
        ]
    }

    /// Computes one step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let iterations = ctx.parameters.solver.pcisph;
        with_kernel!(ctx.kernel, kernel => {
            // Density and gradients: R_i = Σ_j V W_ij, V∇W of every pair.
            self.prediction.compute_density_and_alpha(kernel, ctx, step);
            if ctx.is_cancelled() {
                return SolveReport::NONE;
            }
            // Forces other than pressure: dt ≤ ½ cfl dx/max(|v|, √Δφ), v* = v + dt (a + g).
            let time_step = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
            // Prediction–correction: x* = x + dt (v* + dt a(k)), k ← max(0, k + δ (R(x*) − R_target)) (Solenthaler2009, eq. 8);
            // then v = v* + dt a(k).
            let density = self.predict_and_correct(kernel, ctx, (time_step.dt, iterations), step);
            // Pressures: p = ρ₀ k R².
            let start = Instant::now();
            self.prediction.write_pressures(ctx, &self.k, step);
            step.phases.add_since(Phase::Pressure, start);
            SolveReport { time_step, density, ..SolveReport::NONE }
        })
    }

    /// Iterates `k ← max(0, k + δ (R(x*) − R_target))` with `δ = ω/(dt² D)`, then sets `v = v* + dt a(k)`. ω is that of Jacobi
    /// iterations. D is that of a full lattice: the D of a neighbourhood cut off at a surface is smaller, and its correction
    /// would diverge.
    fn predict_and_correct<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        // δ = ω/(dt² D) (Solenthaler2009, eq. 8), and k = 0.
        let omega = *self.relaxation.get_or_insert_with(|| relaxation(kernel, ctx.discretization));
        let delta = omega / (dt * dt * lattice_stiffness(kernel, ctx));
        sweep::map(step.particles.len(), &mut self.k, |_| 0.0);
        self.heavy_ball.begin(&self.k);
        let StepState { particles, walls, phases, .. } = step;
        let extrapolation = &mut self.wall_extrapolation;
        phases.measure(Phase::Walls, || extrapolation.prepare(kernel, ctx, &particles.positions, walls, ctx.external));
        let mut solve = PressureSolve::default();
        loop {
            solve.error = self.predict(kernel, ctx, (dt, iterations), step);
            if ctx.is_cancelled() || !iterations.needs_another(solve.iterations, solve.error) {
                break;
            }
            // Correction: k ← max(0, k + δ (R(x*) − R_target)), with momentum; less where the fluid is compressed, whose
            // particles have more neighbours than on a lattice.
            let Self { prediction, k, heavy_ball, excess, .. } = self;
            step.phases.measure(Phase::Pressure, || {
                let stiffer = |i: usize| max_lightness(ctx, i) * prediction.density_and_alpha[i].relative_density.max(1.0);
                heavy_ball.advance(k, solve.error, |i, step| step * delta / stiffer(i) * excess[i], |_| 0.0);
            });
            solve.iterations += 1;
        }
        // The last k is the one between two iterations whose error is about the tolerance: pressure would jump from step to step
        // with the number of iterations. Its density is summed once more.
        if !ctx.is_cancelled() && self.heavy_ball.end_at_tolerance(iterations, &solve, &mut self.k).is_some() {
            solve.error = self.predict(kernel, ctx, (dt, iterations), step);
        }
        // v = v* + dt a(k).
        let start = Instant::now();
        let Self { k, accelerations, excess, .. } = self;
        let StepState { particles, walls, velocity_update, reactions, phases, .. } = step;
        let positions = &particles.positions;
        solve.max_error = sweep::max(excess.len(), |i| excess[i]);
        keep_energy(ctx, (positions, &velocity_update.velocities), dt, (k, walls, accelerations));
        sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * accelerations[i].truncate());
        let pressures = Pressures { fluid: k, walls: &walls.pressures, planes: PlanePressures::new(ctx, walls, true) };
        SolidTerms { kernel, ctx, walls }.react_to_solve(positions, pressures, dt, reactions);
        phases.add_since(Phase::Pressure, start);
        solve
    }

    /// Predicts the density: wall pressures k_b extrapolated from k, a(k), `x* = x + dt (v* + dt a(k))` and R(x*) − R_target. Returns the
    /// mean of what is positive of it.
    fn predict<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        StepState { particles, walls, velocity_update, phases, .. }: &mut StepState<'_>,
    ) -> f32 {
        let largest = self.prediction.largest_correction(ctx, dt, iterations.tolerance);
        let Self { prediction, k, accelerations, predicted, excess, wall_extrapolation, .. } = self;
        let positions = &particles.positions;
        phases.measure(Phase::Walls, || {
            wall_extrapolation
                .extend(kernel, ctx, (positions, walls), (Some(ctx.external), 0.0), |f| (k[f], ctx.relative_rest_density(f)));
        });
        phases.measure(Phase::Pressure, || {
            let pressures = Pressures { fluid: k, walls: &walls.pressures, planes: PlanePressures::new(ctx, walls, true) };
            acceleration(&prediction.gradients, ctx, pressures, accelerations);
            sweep::map(positions.len(), predicted, |i| {
                (positions[i] + dt * (velocity_update.velocities[i] + dt * accelerations[i].truncate())).extend(0.0)
            });
            // With the walls where they are at the end of the step.
            walls.drift(dt);
            relative_densities(kernel, ctx, predicted, walls, excess);
            walls.drift(-dt);
            // R_target: without the deficit of a free surface, plus the compression that the step may not take out.
            sweep::update(excess, |i, excess| {
                let at = prediction.density_and_alpha[i];
                let attainable = at.attainable(target_density(&particles.density_offsets, i));
                *excess -= attainable.max(at.relative_density - largest);
            });
            let [error] = sum_cells(ctx.cells, |i| [f64::from(excess[i].max(0.0))]);
            (error / positions.len().max(1) as f64) as f32
        })
    }
}

/// Largest lightness b of particle i and its neighbours: a bound on the factor of D inside a full lattice of several fluids. The
/// mean is too small beside an interface, where corrections of light and heavy particles add up.
fn max_lightness(ctx: &StepContext<'_>, i: usize) -> f32 {
    let Some(mixture) = ctx.mixture else { return 1.0 };
    ctx.fluid.of(i).iter().map(|&j| mixture.lightness[j as usize]).fold(mixture.lightness[i], f32::max)
}

/// D inside a full lattice, where the sum of the gradients is zero: `Σ_j |V∇W|²`, 1/m².
fn lattice_stiffness<K: SmoothingKernel>(kernel: K, ctx: &StepContext<'_>) -> f32 {
    let volume = ctx.rest_volume();
    lattice_points(ctx.discretization).map(|place| (volume * kernel.grad_w(place)).length_squared()).sum()
}
