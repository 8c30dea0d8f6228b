//! Position-based fluids, PBF (Macklin2013): positions are corrected until no density exceeds its target, and velocities follow
//! from them.
//!
//! 1. Density R at the positions x.
//! 2. Forces other than pressure, and predicted positions: `v* = v + dt (a + g)`, `x* = x + dt v*`.
//! 3. Constraint iterations: `C = max(0, R(x*) − R_target)`, `λ = −C/(D + ε)`, `x* += Δx(λ)`. At a free surface R_target is what
//!    a step may reach, `DensityAndAlpha::attainable`: with the rest density as the target the topmost rows sink.
//! 4. Velocities `v = (x* − x)/dt`; the simulation moves the particles: `x += dt v`.
//!
//! | paper | name here | meaning |
//! |---|---|---|
//! | x*_i | `predicted` | predicted positions |
//! | C_i, eq. (1), clamped at 0 | `excess` | density constraint |
//! | Σ_k \|∇C\|², eq. (8) | D = 1/α, `DensityAndAlpha::alpha` | stiffness of the constraint |
//! | λ_i, eq. (11) | `lambdas` | Lagrange multiplier |
//! | ε | `SOFTNESS`/dx² | relaxation of the constraint |
//! | Δp_i, eq. (12) | −`negative_corrections` | correction of the position |
//! | – | k = −Σλ/dt² | pressure p/(ρ₀R²) with the same effect |

use super::pressure_solve::{DensityAndAlpha, Prediction, acceleration, density_and_alpha, target_density};
use super::{SolveReport, StepState};
use crate::boundary::{BoundaryParticles, PlanePressures, Pressures, Reactions, SolidTerms, WallPressureExtrapolation};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::Iterations;
use crate::passes::{GatherBuffers, StepContext, sum_cells, sweep};
use crate::report::{Phase, PressureSolve, held};
use glam::{Vec3, Vec4};
use std::time::Instant;

/// ε dx²: softens the constraint of particles with few neighbours, whose D is small.
const SOFTNESS: f32 = 1e-6;

/// State and workspace of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pbf {
    prediction: Prediction,
    /// x*: predicted positions, m.
    predicted: Vec<Vec3>,
    /// −Δx of an iteration, m; w is unused.
    negative_corrections: Vec<Vec4>,
    density_and_alpha: Vec<DensityAndAlpha>,
    /// λ of an iteration, m².
    lambdas: Vec<f32>,
    /// −Σλ over the iterations, m²; divided by dt², the pressure k with the same effect, m²/s².
    k: Vec<f32>,
    /// Sum over the iterations of the walls' pressures k_b, m²/s².
    wall_k: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
}

impl Pbf {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, predicted, negative_corrections, density_and_alpha, lambdas, k, wall_k, wall_extrapolation } =
            self;
        let [pairs, particles] = prediction.memory();
        [
            pairs,
            particles
                + held(predicted)
                + held(negative_corrections)
                + held(density_and_alpha)
                + held(lambdas)
                + held(k)
                + held(wall_k)
                + wall_extrapolation.memory(),
        ]
    }

    /// Computes one step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let iterations = ctx.parameters.solver.pbf;
        with_kernel!(ctx.kernel, kernel => {
            // Density: R_i = Σ_j V W_ij, for the densities that forces and outputs use.
            self.prediction.compute_density_and_alpha(kernel, ctx, step);
            if ctx.is_cancelled() {
                return SolveReport::NONE;
            }
            // Forces other than pressure: dt ≤ ½ cfl dx/max(|v|, √Δφ), v* = v + dt (a + g).
            let time_step = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
            let dt = time_step.dt;
            let StepState { particles, walls, velocity_update, buffers, reactions, phases, .. } = step;
            let positions = &particles.positions;
            let density = phases.measure(Phase::Pressure, || {
                // Predicted positions: x* = x + dt v*, walls where they are at the end of the step (Macklin2013).
                sweep::map(positions.len(), &mut self.predicted, |i| positions[i] + dt * velocity_update.velocities[i]);
                walls.drift(dt);
                reactions.drift(dt);
                // Constraint iterations: λ = −C/(D + ε), x* += Δx(λ) (Macklin2013, eqs. 11 and 12).
                let solids = (&mut **walls, &mut **reactions);
                let density =
                    self.project_density(kernel, ctx, (dt, iterations), (solids, buffers), &particles.density_offsets);
                // Velocities: v = (x* − x)/dt (Macklin2013).
                sweep::update(&mut velocity_update.velocities, |i, velocity| {
                    *velocity = (self.predicted[i] - positions[i]) / dt;
                });
                density
            });
            // Pressures: k = −Σλ/dt², p = ρ₀ k R².
            let start = Instant::now();
            sweep::update(&mut self.k, |_, k| *k /= dt * dt);
            walls.pressures.clone_from(&self.wall_k);
            self.prediction.write_pressures(ctx, &self.k, step);
            step.phases.add_since(Phase::Pressure, start);
            SolveReport { time_step, density, ..SolveReport::NONE }
        })
    }

    /// Iterates `λ = −C/(D + ε)` with `C = max(0, R − R_target)`, then `x* += Σ_j V (λ_i + λ_j) ∇W + Σ_b V_b (λ_i + λ_b) ∇W`.
    ///
    /// Macklin2013 has no λ_b. Without it the lowest row of still water sinks to a third of its right height and spreads, and
    /// any other solver that takes such fluid over throws it up.
    fn project_density<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        ((walls, reactions), buffers): ((&mut BoundaryParticles, &mut Reactions), &mut GatherBuffers),
        density_offsets: &[f32],
    ) -> PressureSolve {
        let Self {
            prediction: Prediction { gradients, density_and_alpha: before, .. },
            predicted,
            negative_corrections,
            density_and_alpha: at,
            lambdas,
            k,
            wall_k,
            wall_extrapolation,
        } = self;
        let count = predicted.len();
        let spacing = ctx.discretization.particle_spacing;
        let softness = SOFTNESS / (spacing * spacing);
        sweep::map(count, k, |_| 0.0);
        sweep::map(walls.len(), wall_k, |_| 0.0);
        // Weights of the wall pressures at the first x*: the corrections are short.
        wall_extrapolation.prepare(kernel, ctx, predicted, walls, ctx.external);
        let mut solve = PressureSolve::default();
        loop {
            // Constraint: C_i = max(0, R(x*) − R_target), and D_i = 1/α_i. Clamped at zero: negative C would clump particles
            // that lack neighbours. The deficit of a free surface at x is no room.
            density_and_alpha(kernel, ctx, predicted, walls, buffers, (gradients, at));
            let target = |i: usize| before[i].attainable(target_density(density_offsets, i));
            let excess = |i: usize| (at[i].relative_density - target(i)).max(0.0);
            let [error] = sum_cells(ctx.cells, |i| [f64::from(excess(i))]);
            solve.error = (error / count.max(1) as f64) as f32;
            if ctx.is_cancelled() || !iterations.needs_another(solve.iterations, solve.error) {
                solve.max_error = sweep::max(count, excess);
                return solve;
            }
            // Multiplier: λ_i = −C_i/(D_i + ε) (Macklin2013, eq. 11), with 1/(D + ε) = α/(1 + ε α).
            sweep::map(count, lambdas, |i| -excess(i) * at[i].alpha / (1.0 + softness * at[i].alpha));
            // Walls: k_b extrapolated from k = −λ/dt², with the hydrostatic rise in the first iteration only; λ_b = −dt² k_b.
            let hydrostatic = solve.iterations == 0;
            let density = |f: usize| if hydrostatic { ctx.relative_rest_density(f) } else { 0.0 };
            let state = |f: usize| (-lambdas[f] / (dt * dt), density(f));
            wall_extrapolation.extend(kernel, ctx, (predicted, walls), (Some(ctx.external), 0.0), state);
            ctx.wall_neighbors.update(wall_k, |row, k| *k += walls.pressures[ctx.wall_neighbors.row(row).0]);
            ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure *= -dt * dt);
            // Correction: Δx_i = Σ_j V (λ_i + λ_j) ∇W + Σ_b V_b (λ_i + λ_b) ∇W = −a(λ) (Macklin2013, eq. 12).
            let planes = PlanePressures::new(ctx, walls, hydrostatic).at(ctx, predicted, -dt * dt);
            let multipliers = Pressures { fluid: lambdas, walls: &walls.pressures, planes };
            acceleration(gradients, ctx, multipliers, negative_corrections);
            // Δx/dt is the change of the velocity: a(λ) that acts for −1/dt.
            SolidTerms { kernel, ctx, walls }.react_to_solve(predicted, multipliers, -dt.recip(), reactions);
            sweep::update(predicted, |i, position| *position -= negative_corrections[i].truncate());
            sweep::update(k, |i, k| *k -= lambdas[i]);
            solve.iterations += 1;
        }
    }
}
