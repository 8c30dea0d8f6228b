//! Divergence-free SPH (Bender2017): one solve keeps velocities free of divergence, another the density at rest density.

use super::jacobi::{Jacobi, Problem};
use super::prediction::{Prediction, WARMEST, WARMTH};
use super::pressure_operator::compression_rates;
use super::{Advance, Iterations, Pushed, Step};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::memory::held;
use crate::parameters::Dimensions;
use crate::stats::{Phase, PressureSolve};
use crate::surroundings::Surroundings;
use crate::sweep;

/// What the solver keeps between its passes and its steps.
#[derive(Clone, Debug)]
pub(crate) struct Dfsph {
    prediction: Prediction,
    density: Jacobi,
    /// Its k is kept from step to step as the next first guess: this pressure is not the fluid's, which is why particles do not show it.
    divergence: Jacobi,
    /// dt with which `divergence` was solved, s; 0 before.
    divergence_dt: f32,
    /// k_b of the walls in that solve, m²/s².
    divergence_walls: Vec<f32>,
    /// The dt of that solve over the length of the step.
    divergence_share: f32,
    scratch: Vec<f32>,
}

impl Dfsph {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        Self {
            prediction: Prediction::new(from_other),
            density: Jacobi::default(),
            divergence: Jacobi::default(),
            divergence_dt: 0.0,
            divergence_walls: Vec::new(),
            divergence_share: 0.0,
            scratch: Vec::new(),
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, density, divergence, divergence_dt: _, divergence_walls, divergence_share: _, scratch } = self;
        let [pairs, particles] = prediction.memory();
        [pairs, particles + density.memory() + divergence.memory() + held(divergence_walls) + held(scratch)]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.prediction.reorder(order);
        if self.divergence.k.len() == order.len() {
            sweep::permute(order, &mut self.divergence.k, &mut self.scratch);
        }
    }

    /// What the divergence solve of the latest step pushed, besides the pressures that particles show.
    pub fn pushed(&self) -> Pushed<'_> {
        let Self { divergence: Jacobi { k, accelerations, .. }, divergence_walls, divergence_dt, divergence_share, .. } = self;
        Pushed { k, walls: divergence_walls, dt: *divergence_dt, share: *divergence_share, accelerations }
    }

    /// One step.
    pub fn advance(&mut self, around: &Surroundings<'_>, step: &mut Step<'_>) -> Advance {
        let iterations = around.parameters.solver.dfsph;
        with_kernel!(around.kernel, kernel => {
            self.prediction.measure(kernel, around, step);
            let divergence = self.solve_divergence(kernel, around, step);
            let length = self.prediction.move_freely(kernel, around, step);
            self.divergence_share = self.divergence_dt / length.dt;
            let Self { prediction, density, .. } = self;
            let density = prediction.solve_density(kernel, around, (length.dt, iterations), density, step);
            Advance { step: length, lag: 0.0, density, divergence }
        })
    }

    /// `dt Ak = s` with `s = −dR/dt(v)`, then `v += dt a(k)`. Spray is left alone: with few neighbours there is no divergence to speak of.
    fn solve_divergence<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        around: &Surroundings<'_>,
        step: &mut Step<'_>,
    ) -> PressureSolve {
        let Step { particles, walls, moves, phases, .. } = step;
        let positions = &particles.positions;
        let (count, dt) = (positions.len(), around.recent_dt());
        phases.measure(Phase::Pressure, || {
            let Prediction { sites, gradients, .. } = &self.prediction;
            let Jacobi { k, alphas, source, accelerations: field, .. } = &mut self.divergence;
            let enough = match around.discretization.dimensions {
                Dimensions::Two => 7.0,
                Dimensions::Three => 20.0,
            };
            sweep::map(count, alphas, |i| {
                let neighbors = around.fluid.of(i).len() + around.walls.of(i).len();
                // What a plane takes of a neighbourhood has no particles.
                let room = around.touches.get(i).map_or(1.0, |touch| 1.0 - touch.density);
                if (neighbors as f32) < room * enough { 0.0 } else { sites[i].alpha }
            });
            sweep::map(count, field, |i| moves.velocities[i].extend(0.0));
            compression_rates(gradients, around, (field, Some(&walls.velocities)), source, |_, rate| -rate);
            let spacing = around.discretization.particle_spacing;
            let most = WARMEST * spacing * spacing / (dt * dt);
            let share = WARMTH * self.divergence_dt / dt;
            k.resize(count, 0.0);
            sweep::update(k, |i, k| *k = if alphas[i] > 0.0 && source[i] < 0.0 { (share * *k).min(most) } else { 0.0 });
        });
        self.divergence_dt = dt;
        let Iterations { tolerance, minimum, maximum } = around.parameters.solver.dfsph_divergence;
        let iterations = Iterations { tolerance: tolerance / dt, minimum, maximum };
        let problem =
            Problem { around, gradients: &mut self.prediction.gradients, positions, tau: dt, outside: None, iterations };
        let solve = self.divergence.solve(kernel, problem, walls, phases);
        self.divergence_walls.clone_from(&walls.pressures);
        let accelerations = &self.divergence.accelerations;
        phases.measure(Phase::Pressure, || {
            sweep::update(&mut moves.velocities, |i, velocity| *velocity += dt * accelerations[i].truncate());
        });
        // As a compression in one step, like the tolerance.
        PressureSolve { error: solve.error * dt, max_error: solve.max_error * dt, ..solve }
    }
}
