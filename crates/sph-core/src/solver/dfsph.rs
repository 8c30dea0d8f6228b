//! Divergence-free SPH (Bender2017): one solve keeps velocities free of divergence, another the density at rest density.

use super::pressure_solve::{Jacobi, Prediction, Problem, WARMEST, WARMTH, compression_rates};
use super::{DivergencePressure, SolveReport, StepState};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::{Dimensions, Iterations};
use crate::passes::{StepContext, sweep};
use crate::report::{Phase, PressureSolve, held};
use glam::Vec4;

/// What the solver keeps between its passes and its steps.
#[derive(Clone, Debug)]
pub(crate) struct Dfsph {
    prediction: Prediction,
    /// Solves for both, one after the other.
    jacobi: Jacobi,
    divergence: Divergence,
    scratch: Vec<f32>,
}

/// What came of the latest divergence solve.
#[derive(Clone, Debug, Default)]
struct Divergence {
    /// m²/s². The next first guess: this pressure is not the fluid's, which is why particles do not show it.
    k: Vec<f32>,
    /// What it does, m/s²; empty where nobody asks for the forces on bodies.
    accelerations: Vec<Vec4>,
    /// k_b of the walls, m²/s².
    walls: Vec<f32>,
    /// dt with which it was solved, s; 0 before.
    dt: f32,
    /// That dt over the length of the step.
    share: f32,
}

impl Dfsph {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        Self {
            prediction: Prediction::new(from_other),
            jacobi: Jacobi::default(),
            divergence: Divergence::default(),
            scratch: Vec::new(),
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, jacobi, divergence, scratch } = self;
        let Divergence { k, accelerations, walls, dt: _, share: _ } = divergence;
        let [pairs, particles] = prediction.memory();
        [pairs, particles + jacobi.memory() + held(k) + held(accelerations) + held(walls) + held(scratch)]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.prediction.reorder(order);
        if self.divergence.k.len() == order.len() {
            sweep::permute(order, &mut self.divergence.k, &mut self.scratch);
        }
    }

    /// What the divergence solve of the latest step pushed, besides the pressures that particles show.
    pub fn divergence_pressure(&self) -> DivergencePressure<'_> {
        let Divergence { k, accelerations, walls, dt, share } = &self.divergence;
        DivergencePressure { k, walls, dt: *dt, share: *share, accelerations }
    }

    /// One step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let iterations = ctx.parameters.solver.dfsph.density();
        with_kernel!(ctx.kernel, kernel => {
            self.prediction.compute_density_and_alpha(kernel, ctx, step);
            let divergence = self.solve_divergence(kernel, ctx, step);
            let length = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
            self.divergence.share = self.divergence.dt / length.dt;
            let Self { prediction, jacobi, .. } = self;
            let density = prediction.solve_density(kernel, ctx, (length.dt, iterations), jacobi, step);
            SolveReport { step: length, density_age: 0.0, density, divergence }
        })
    }

    /// `dt Ak = s` with `s = −dR/dt(v)`, then `v += dt a(k)`. Spray is left alone: with few neighbours there is no divergence to speak of.
    fn solve_divergence<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, buffers, phases, .. } = step;
        let field = &mut buffers.vectors;
        let positions = &particles.positions;
        let (count, dt) = (positions.len(), ctx.recent_dt());
        let Self { prediction: Prediction { density_and_alpha, gradients, .. }, jacobi, divergence, .. } = self;
        std::mem::swap(&mut jacobi.k, &mut divergence.k);
        phases.measure(Phase::Pressure, || {
            let Jacobi { k, alphas, source, .. } = &mut *jacobi;
            let enough = match ctx.discretization.dimensions {
                Dimensions::Two => 7.0,
                Dimensions::Three => 20.0,
            };
            sweep::map(count, alphas, |i| {
                let neighbors = ctx.fluid.of(i).len() + ctx.walls.of(i).len();
                // What a plane takes of a neighbourhood has no particles.
                let room = ctx.wall_integrals.get(i).map_or(1.0, |wall_integral| 1.0 - wall_integral.density);
                if (neighbors as f32) < room * enough { 0.0 } else { density_and_alpha[i].alpha }
            });
            sweep::map(count, field, |i| velocity_update.velocities[i].extend(0.0));
            compression_rates(gradients, ctx, (&*field, walls.velocities()), source, |_, rate| -rate);
            let spacing = ctx.discretization.particle_spacing;
            let most = WARMEST * spacing * spacing / (dt * dt);
            let share = WARMTH * divergence.dt / dt;
            k.resize(count, 0.0);
            sweep::update(k, |i, k| *k = if alphas[i] > 0.0 && source[i] < 0.0 { (share * *k).min(most) } else { 0.0 });
        });
        let iterations = ctx.parameters.solver.dfsph.divergence();
        let iterations = Iterations { tolerance: iterations.tolerance / dt, ..iterations };
        let problem = Problem { ctx, gradients, positions, tau: dt, external: None, iterations, accelerations: field };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        std::mem::swap(&mut jacobi.k, &mut divergence.k);
        divergence.dt = dt;
        divergence.walls.clone_from(&walls.pressures);
        phases.measure(Phase::Pressure, || {
            sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * field[i].truncate());
            if ctx.bodies {
                divergence.accelerations.clone_from(field);
            }
        });
        // As a compression in one step, like the tolerance.
        PressureSolve { error: solve.error * dt, max_error: solve.max_error * dt, ..solve }
    }
}
