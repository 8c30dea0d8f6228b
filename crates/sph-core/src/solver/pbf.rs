//! Position-based fluids (Macklin2013): positions are corrected until nothing is too dense, and velocities are what that took.

use super::pressure_solve::{DensityAndAlpha, Prediction, acceleration, density_and_alpha};
use super::{SolveReport, StepState};
use crate::boundary::{BoundaryParticles, WallPressureExtrapolation, extend_to_planes};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::Iterations;
use crate::passes::{GatherBuffers, StepContext, sweep};
use crate::report::{Phase, PressureSolve, held};
use glam::{Vec3, Vec4};
use std::time::Instant;

/// ε dx²: softens the constraint of particles with hardly any neighbours.
const SOFTNESS: f32 = 1e-6;

/// What the solver keeps between its passes.
#[derive(Clone, Debug)]
pub(crate) struct Pbf {
    prediction: Prediction,
    /// Where the particles are going, m.
    places: Vec<Vec3>,
    /// What λ moves the particles by, the other way, m.
    pushes: Vec<Vec4>,
    density_and_alpha: Vec<DensityAndAlpha>,
    /// λ of this iteration, m².
    lambdas: Vec<f32>,
    /// −Σλ over the iterations, m²: with dt² the pressure that would have done the same.
    k: Vec<f32>,
    /// Sum over the iterations of what walls pushed with, m²/s².
    wall_k: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
}

impl Pbf {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        Self {
            prediction: Prediction::new(from_other),
            places: Vec::new(),
            pushes: Vec::new(),
            density_and_alpha: Vec::new(),
            lambdas: Vec::new(),
            k: Vec::new(),
            wall_k: Vec::new(),
            wall_extrapolation: WallPressureExtrapolation::default(),
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, places, pushes, density_and_alpha, lambdas, k, wall_k, wall_extrapolation } = self;
        let [pairs, particles] = prediction.memory();
        [
            pairs,
            particles
                + held(places)
                + held(pushes)
                + held(density_and_alpha)
                + held(lambdas)
                + held(k)
                + held(wall_k)
                + wall_extrapolation.memory(),
        ]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.prediction.reorder(order);
    }

    /// One step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let iterations = ctx.parameters.solver.pbf;
        with_kernel!(ctx.kernel, kernel => {
            self.prediction.compute_density_and_alpha(kernel, ctx, step);
            let length = self.prediction.apply_non_pressure_forces(kernel, ctx, step);
            let dt = length.dt;
            let StepState { particles, walls, velocity_update, buffers, phases, .. } = step;
            let positions = &particles.positions;
            let density = phases.measure(Phase::Pressure, || {
                sweep::map(positions.len(), &mut self.places, |i| positions[i] + dt * velocity_update.velocities[i]);
                walls.drift(dt);
                let density = self.correct(kernel, ctx, (dt, iterations), (walls, buffers));
                sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity = (self.places[i] - positions[i]) / dt);
                density
            });
            let start = Instant::now();
            sweep::update(&mut self.k, |_, k| *k /= dt * dt);
            walls.pressures.clone_from(&self.wall_k);
            self.prediction.write_pressures(ctx, &self.k, step);
            step.phases.add_since(Phase::Pressure, start);
            SolveReport { step: length, density_age: 0.0, density, divergence: PressureSolve::default() }
        })
    }

    /// Iterates `λ = −C/(D + ε)` for `C = max(0, R − R_wanted)`, `x += Σ_j V (λ_i + λ_j) ∇W + Σ_b V_b (λ_i + λ_b) ∇W`.
    ///
    /// Macklin2013 has no λ_b. The lowest row then sinks to a third of where it should be and spreads, and any other solver that takes such fluid
    /// over throws it up.
    fn correct<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        (walls, buffers): (&mut BoundaryParticles, &mut GatherBuffers),
    ) -> PressureSolve {
        let Self {
            prediction: Prediction { gradients, target_density, .. },
            places,
            pushes,
            density_and_alpha: at,
            lambdas,
            k,
            wall_k,
            wall_extrapolation,
        } = self;
        let count = places.len();
        let spacing = ctx.discretization.particle_spacing;
        let softness = SOFTNESS / (spacing * spacing);
        sweep::map(count, k, |_| 0.0);
        sweep::map(walls.len(), wall_k, |_| 0.0);
        // Of where the corrections begin: they move nothing far.
        wall_extrapolation.prepare(kernel, ctx, places, walls, Some(ctx.external));
        let mut solve = PressureSolve::default();
        loop {
            density_and_alpha(kernel, ctx, places, walls, buffers, (gradients, at));
            // Clamped at zero: fluid that is pulled together where it lacks neighbours clumps.
            let excess = |i: usize| (at[i].relative_density - target_density.target(i)).max(0.0);
            solve.error = (sweep::sum(count, |i| f64::from(excess(i))) / count as f64) as f32;
            let wanted = solve.iterations < iterations.min_iterations || solve.error > iterations.tolerance;
            if !wanted || solve.iterations >= iterations.max_iterations {
                solve.max_error = sweep::max(count, excess);
                return solve;
            }
            // α = 1/D, hence 1/(D + ε) = α/(1 + ε α).
            sweep::map(count, lambdas, |i| -excess(i) * at[i].alpha / (1.0 + softness * at[i].alpha));
            // As a pressure, −λ/dt². What gravity makes it rise into the walls it does once.
            let bear = solve.iterations == 0;
            let state = |f: usize| (-lambdas[f] / (dt * dt), f32::from(u8::from(bear)));
            wall_extrapolation.extend(ctx, walls, 0.0, state);
            extend_to_planes(kernel, ctx, places, &mut walls.at_planes, Some(ctx.external), 0.0, state);
            ctx.wall_neighbors.update(wall_k, |row, k| *k += walls.pressures[ctx.wall_neighbors.row(row).0]);
            ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure *= -dt * dt);
            // Minus what pushes with λ as pressure.
            acceleration(gradients, ctx, &walls.pressures, lambdas, pushes);
            let way = ctx.parameters.solver.walls;
            sweep::update(places, |i, place| {
                let mut push = -pushes[i].truncate();
                if !ctx.wall_integrals.is_empty() {
                    let pressures = (-lambdas[i] / (dt * dt), walls.at_planes[i]);
                    push += dt * dt * ctx.wall_integral(*place).push(way, pressures, 1.0, bear);
                }
                *place += push;
            });
            sweep::update(k, |i, k| *k -= lambdas[i]);
            solve.iterations += 1;
        }
    }
}
