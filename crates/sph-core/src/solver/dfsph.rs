//! Divergence-free SPH, DFSPH (Bender2017): one pressure solve makes the velocity divergence-free, another restores the rest
//! density.
//!
//! 1. Density and α at the positions x: `R_i = Σ_j V W_ij`, `α_i = 1/(|Σ_j V∇W|² + Σ_j |V∇W|²)`.
//! 2. Divergence solve, with the previous dt: `dt A k_v = −dR/dt(v)`, then `v += dt a(k_v)`.
//! 3. Forces other than pressure: dt from the Courant limit, `v* = v + dt (a + g)`.
//! 4. Density solve: `dt² A k = R_target − R − dt dR/dt(v*)`, then `v = v* + dt a(k)`. Of a gap `R_target − R > 0` only what is
//!    not the deficit of a free surface counts; see `DensityAndAlpha::gap`.
//! 5. The simulation moves the particles: `x += dt v`.
//!
//! With pressure of either sign the order is another, and the density solve corrects positions only; see `Dfsph::advance_signed`.
//!
//! | symbol | name here | meaning |
//! |---|---|---|
//! | R = ρ/ρ₀ | `DensityAndAlpha::relative_density` | relative density |
//! | V = m/ρ₀ | `StepContext::rest_volume` | rest volume of a particle |
//! | α = 1/D | `DensityAndAlpha::alpha` | inverse of the negated diagonal of A |
//! | k = p/(ρ₀R²) | `Jacobi::k` | in the density solve its unknown; κ of the paper is k R |
//! | k_v | `Particles::divergence_k` | unknown of the divergence solve; κ^v of the paper is k_v R. `Particles::pressures` leaves it out, `View::acting_pressure` adds it |
//! | a(k), A | `acceleration`, with `compression_rates` of it | pressure acceleration, pressure operator |
//! | s, τ | `Jacobi::source`, `Problem::tau` | right-hand side of a solve, and dt or dt² |

use super::pressure_solve::{
    DensityAndAlpha, Jacobi, MAX_WARM_START, Prediction, Problem, compression_rates, keep_energy, target_density,
};
use super::{SolveReport, StepState};
use crate::boundary::{PlanePressures, Pressures, SolidTerms};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::{Dimensions, Iterations, PressureSign};
use crate::particles::Particles;
use crate::passes::{StepContext, sweep};
use crate::report::{Phase, PressureSolve, held};

/// Initial guess of the divergence solve over its last solution.
const DIVERGENCE_WARM_START: f32 = 0.5;

/// State and workspace of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dfsph {
    prediction: Prediction,
    /// Workspace of both solves, one after the other.
    jacobi: Jacobi,
    /// Pressures of the walls, Pa, while the density solve of signed pressure uses theirs.
    wall_pressures: Vec<f32>,
}

impl Dfsph {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, jacobi, wall_pressures } = self;
        let [pairs, particles] = prediction.memory();
        [pairs, particles + jacobi.memory() + held(wall_pressures)]
    }

    /// Computes one step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let parameters = ctx.parameters.solver.dfsph;
        if parameters.pressure == PressureSign::Signed {
            return with_kernel!(ctx.kernel, kernel => self.advance_signed(kernel, ctx, step));
        }
        let iterations = parameters.density();
        with_kernel!(ctx.kernel, kernel => {
            // Density and α: R_i = Σ_j V W_ij, α_i = 1/(|Σ_j V∇W|² + Σ_j |V∇W|²) (Bender2017).
            self.prediction.compute_density_and_alpha(kernel, ctx, step);
            self.jacobi.prepare_walls(kernel, ctx, step);
            // Divergence solve, with the previous dt: dt A k_v = −dR/dt(v), then v += dt a(k_v) (Bender2017).
            let divergence = self.solve_divergence(kernel, ctx, step);
            if ctx.is_cancelled() {
                return SolveReport::NONE;
            }
            // Forces other than pressure: dt ≤ ½ cfl dx/max|v|, v* = v + dt (a + g).
            let time_step = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
            // Density solve: dt² A k = R_target − R − dt dR/dt(v*), then v = v* + dt a(k) (Bender2017).
            let Self { prediction, jacobi, .. } = self;
            let density = prediction.solve_density(kernel, ctx, (time_step.dt, iterations), jacobi, step);
            let compression = prediction.later_compression(kernel, ctx, time_step.dt, step);
            SolveReport { time_step, density, divergence, compression, ..SolveReport::NONE }
        })
    }

    /// Divergence solve `dt A k_v = s` with `s = −dR/dt(v)`, then `v += dt a(k_v)`. Particles with few neighbours, as in spray,
    /// are left out: their divergence is noise.
    fn solve_divergence<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, buffers, reactions, phases, memory, .. } = step;
        let vectors = &mut buffers.vectors;
        let Particles { positions, divergence_k, .. } = &mut **particles;
        let (count, dt) = (positions.len(), ctx.recent_dt());
        let Self { prediction: Prediction { density_and_alpha, gradients, .. }, jacobi, .. } = self;
        std::mem::swap(&mut jacobi.k, divergence_k);
        phases.measure(Phase::Pressure, || {
            let Jacobi { k, alphas, source, floors, .. } = &mut *jacobi;
            floors.clear();
            // α, or 0 with fewer than 20 neighbours (7 in two dimensions).
            let least_neighbors = match ctx.discretization.dimensions {
                Dimensions::Two => 7.0,
                Dimensions::Three => 20.0,
            };
            let solids = SolidTerms { kernel, ctx, walls };
            sweep::map(count, alphas, |i| {
                if solids.has_neighbors(i, least_neighbors) { density_and_alpha[i].damped_alpha() } else { 0.0 }
            });
            // s = −dR/dt(v) = −Σ_j V (v_i − v_j)·∇W − Σ_b V_b (v_i − v_b)·∇W.
            sweep::map(count, vectors, |i| velocity_update.velocities[i].extend(0.0));
            compression_rates(gradients, ctx, (&*vectors, walls.velocities()), source, |_, rate| -rate);
            // Initial guess: half of the last k_v, rescaled by dt and bounded, where there is compression.
            let spacing = ctx.discretization.particle_spacing;
            let max_k = MAX_WARM_START * spacing * spacing / (dt * dt);
            let factor = DIVERGENCE_WARM_START * memory.divergence_dt / dt;
            k.resize(count, 0.0);
            sweep::update(k, |i, k| *k = if alphas[i] > 0.0 && source[i] < 0.0 { (factor * *k).min(max_k) } else { 0.0 });
        });
        // dt A k_v = s, until the mean compression in one step is within tolerance; `Jacobi::solve` tests that.
        let iterations = ctx.parameters.solver.dfsph.divergence();
        let iterations = Iterations { tolerance: iterations.tolerance / dt, ..iterations };
        let problem =
            Problem { ctx, gradients, positions, tau: dt, external: None, iterations, coarse: None, accelerations: vectors };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        std::mem::swap(&mut jacobi.k, divergence_k);
        memory.divergence_dt = dt;
        // v += dt a(k_v).
        phases.measure(Phase::Pressure, || {
            keep_energy(ctx, (positions, &velocity_update.velocities), dt, (divergence_k, walls, vectors));
            sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * vectors[i].truncate());
            let planes = PlanePressures::new(ctx, walls, false);
            let pressures = Pressures { fluid: divergence_k, walls: &walls.pressures, planes };
            SolidTerms { kernel, ctx, walls }.react_to_solve(positions, pressures, dt, reactions);
        });
        // Like the tolerance, as the compression in one step.
        PressureSolve { error: solve.error * dt, max_error: solve.max_error * dt, ..solve }
    }
}

// DFSPH with pressure of either sign inside the fluid (Cornelis2019): the divergence solve sets pressure and velocity, the
// density solve corrects positions only.
//
// Pressure that cannot pull takes energy from every fluid that expands, and cannot hold a vortex together. Correcting the
// density by the velocity gives the noise of the density to the velocity, which then has to lose it again.

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
    fn advance_signed<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) -> SolveReport {
        // Here the divergence solve has no unknown of its own, and begins with the last pressure.
        step.particles.divergence_k.clear();
        step.particles.earlier_k.clear();
        // Density and α: R_i = Σ_j V W_ij, α_i = 1/(|Σ_j V∇W|² + Σ_j |V∇W|²) (Bender2017).
        self.prediction.compute_density_and_alpha(kernel, ctx, step);
        self.jacobi.prepare_walls(kernel, ctx, step);
        if ctx.is_cancelled() {
            return SolveReport::NONE;
        }
        // Forces other than pressure: dt ≤ ½ cfl dx/max|v|, v* = v + dt (a + g).
        let time_step = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
        // Divergence solve: dt A k = s − dR/dt(v*), then v = v* + dt a(k) (Cornelis2019).
        let divergence = self.solve_velocities(kernel, ctx, time_step.dt, step);
        // Density solve: dt² A k_x = R_target − R − dt dR/dt(v), then the positions change with v + dt a(k_x) (Cornelis2019).
        let density = self.correct_positions(kernel, ctx, time_step.dt, step);
        let compression = self.prediction.later_compression(kernel, ctx, time_step.dt, step);
        SolveReport { time_step, density, divergence, compression, ..SolveReport::NONE }
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
            sweep::map(count, &mut jacobi.alphas, |i| at[i].damped_alpha());
            // Initial guess: the last k, bounded.
            let spacing = ctx.discretization.particle_spacing;
            let max_k = MAX_WARM_START * spacing * spacing / (dt * dt);
            sweep::map(count, &mut jacobi.k, |i| {
                if at[i].alpha > 0.0 { prediction.previous_k[i].clamp(floors[i].max(-max_k), max_k) } else { 0.0 }
            });
        });
        // dt A k = s − dR/dt(v*), until the mean compression or expansion in one step is within tolerance.
        let iterations = ctx.parameters.solver.dfsph.divergence();
        let iterations = Iterations { tolerance: iterations.tolerance / dt, ..iterations };
        let (gradients, external) = (&prediction.gradients, Some(ctx.external));
        let problem =
            Problem { ctx, gradients, positions, tau: dt, external, iterations, coarse: None, accelerations: vectors };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        // v = v* + dt a(k), p = ρ₀ k R².
        phases.measure(Phase::Pressure, || {
            sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * vectors[i].truncate());
            let planes = PlanePressures::new(ctx, walls, true);
            let pressures = Pressures { fluid: &jacobi.k, walls: &walls.pressures, planes };
            SolidTerms { kernel, ctx, walls }.react_to_solve(positions, pressures, dt, reactions);
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
        let problem = Problem {
            ctx,
            gradients,
            positions,
            tau: dt * dt,
            external: None,
            iterations,
            coarse: None,
            accelerations: vectors,
        };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        phases.measure(Phase::Pressure, || {
            walls.pressures.clone_from(wall_pressures);
            let velocities = &velocity_update.velocities;
            sweep::map(count, &mut velocity_update.advection_velocities, |i| velocities[i] + dt * vectors[i].truncate());
        });
        solve
    }
}
