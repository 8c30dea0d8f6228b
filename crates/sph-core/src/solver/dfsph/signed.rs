//! DFSPH with pressure of either sign inside the fluid (Cornelis2019): the divergence solve sets pressure and velocity, the
//! density solve corrects positions only.
//!
//! Pressure that cannot pull takes energy from every fluid that expands, and cannot hold a vortex together. Correcting the
//! density by the velocity gives the noise of the density to the velocity, which then has to lose it again.

use super::Dfsph;
use crate::boundary::{PlanePressures, Pressures, Solids};
use crate::kernel::SmoothingKernel;
use crate::parameters::Iterations;
use crate::passes::{StepContext, sweep};
use crate::report::{Phase, PressureSolve};
use crate::solver::pressure_solve::{DensityAndAlpha, MAX_WARM_START, Problem, compression_rates, target_density};
use crate::solver::{SolveReport, StepState};

/// Largest gap of the relative density inside the fluid: beyond it a void is near, across which pressure must not pull.
const MAX_GAP: f32 = 0.03;

/// Least relative density inside the fluid; the topmost row of particles has less.
const LEAST_DENSITY: f32 = 0.75;

/// True inside the fluid, where pressure has either sign.
fn is_inside(at: &DensityAndAlpha, target: f32) -> bool {
    at.relative_density >= LEAST_DENSITY && at.gap(target) <= MAX_GAP
}

impl Dfsph {
    /// Computes one step with pressure of either sign.
    pub(super) fn advance_signed<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) -> SolveReport {
        // Density and α: R_i = Σ_j V W_ij, α_i = 1/(|Σ_j V∇W|² + Σ_j |V∇W|²) (Bender2017).
        self.prediction.compute_density_and_alpha(kernel, ctx, step);
        if ctx.is_cancelled() {
            return SolveReport::NONE;
        }
        // Forces other than pressure: dt ≤ ½ cfl dx/max|v|, v* = v + dt (a + g).
        let time_step = self.prediction.apply_non_pressure_forces(kernel, ctx, step, 0.0);
        // Divergence solve: dt A k = s − dR/dt(v*), then v = v* + dt a(k) (Cornelis2019).
        let divergence = self.solve_velocities(kernel, ctx, time_step.dt, step);
        // Density solve: dt² A k_x = R_target − R − dt dR/dt(v), then the positions change with v + dt a(k_x) (Cornelis2019).
        let density = self.correct_positions(kernel, ctx, time_step.dt, step);
        SolveReport { time_step, density_age: 0.0, density, divergence }
    }

    /// Divergence solve `dt A k = s − dR/dt(v*)`, then `v = v* + dt a(k)` and `p = ρ₀ k R²`. Inside the fluid s = 0 and k has
    /// either sign; elsewhere k ≥ 0, and s dt is the gap of the density that the fluid may close in the step.
    fn solve_velocities<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        dt: f32,
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, buffers, reactions, phases, .. } = step;
        let vectors = &mut buffers.vectors;
        let (count, positions, offsets) = (particles.len(), &particles.positions, &particles.density_offsets);
        let Self { prediction, jacobi, .. } = self;
        let at = &prediction.density_and_alpha;
        phases.measure(Phase::Pressure, || {
            sweep::map(count, &mut jacobi.floors, |i| {
                if is_inside(&at[i], target_density(offsets, i)) { f32::NEG_INFINITY } else { 0.0 }
            });
            // s − dR/dt(v*).
            sweep::map(count, vectors, |i| velocity_update.velocities[i].extend(0.0));
            let floors = &jacobi.floors;
            let velocities = (&**vectors, walls.velocities());
            compression_rates(&prediction.gradients, ctx, velocities, &mut jacobi.source, |i, rate| {
                let gap = if floors[i] < 0.0 { 0.0 } else { at[i].gap(target_density(offsets, i)).max(0.0) };
                gap / dt - rate
            });
            sweep::map(count, &mut jacobi.alphas, |i| at[i].alpha);
            // Initial guess: the last k, bounded.
            let spacing = ctx.discretization.particle_spacing;
            let max_k = MAX_WARM_START * spacing * spacing / (dt * dt);
            sweep::map(count, &mut jacobi.k, |i| {
                if at[i].alpha > 0.0 { prediction.guess[i].clamp(floors[i].max(-max_k), max_k) } else { 0.0 }
            });
        });
        // dt A k = s − dR/dt(v*), until the mean compression or expansion in one step is within tolerance.
        let iterations = ctx.parameters.solver.dfsph.divergence();
        let iterations = Iterations { tolerance: iterations.tolerance / dt, ..iterations };
        let (gradients, external) = (&prediction.gradients, Some(ctx.external));
        let problem = Problem { ctx, gradients, positions, tau: dt, external, iterations, accelerations: vectors };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        // v = v* + dt a(k), p = ρ₀ k R².
        phases.measure(Phase::Pressure, || {
            sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * vectors[i].truncate());
            let planes = PlanePressures::new(ctx, walls, true);
            let pressures = Pressures { fluid: &jacobi.k, walls: &walls.pressures, planes };
            Solids { kernel, ctx, walls }.react_to_solve(positions, pressures, dt, reactions);
        });
        prediction.write_pressures(ctx, &jacobi.k, step);
        // Like the tolerance, as the compression in one step.
        PressureSolve { error: solve.error * dt, max_error: solve.max_error * dt, ..solve }
    }

    /// Density solve `dt² A k_x = R_target − R − dt dR/dt(v)` for k_x ≥ 0; the positions change with `v + dt a(k_x)`, the
    /// velocities stay. k_x is no pressure, so walls keep theirs and solids do not feel it.
    fn correct_positions<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        dt: f32,
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, buffers, phases, .. } = step;
        let vectors = &mut buffers.vectors;
        let (count, positions, offsets) = (particles.len(), &particles.positions, &particles.density_offsets);
        let Self { prediction, jacobi, wall_pressures } = self;
        let at = &prediction.density_and_alpha;
        phases.measure(Phase::Pressure, || {
            wall_pressures.clone_from(&walls.pressures);
            // R_target − R − dt dR/dt(v).
            sweep::map(count, vectors, |i| velocity_update.velocities[i].extend(0.0));
            let velocities = (&**vectors, walls.velocities());
            compression_rates(&prediction.gradients, ctx, velocities, &mut jacobi.source, |i, rate| {
                at[i].gap(target_density(offsets, i)) - dt * rate
            });
            jacobi.floors.clear();
            sweep::map(count, &mut jacobi.k, |_| 0.0);
        });
        let (gradients, iterations) = (&prediction.gradients, ctx.parameters.solver.dfsph.density());
        let problem = Problem { ctx, gradients, positions, tau: dt * dt, external: None, iterations, accelerations: vectors };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        phases.measure(Phase::Pressure, || {
            walls.pressures.clone_from(wall_pressures);
            let velocities = &velocity_update.velocities;
            sweep::map(count, &mut velocity_update.advection_velocities, |i| velocities[i] + dt * vectors[i].truncate());
        });
        solve
    }
}
