//! Position-based fluids (Macklin2013): positions are corrected until nothing is too dense, and velocities are what that took.

use super::prediction::Prediction;
use super::pressure_operator::{Site, acceleration, sites};
use super::{Advance, Iterations, Step};
use crate::boundary::{BoundaryParticles, Continuation, extend_to_planes};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::memory::held;
use crate::records::Records;
use crate::stats::{Phase, PressureSolve};
use crate::surroundings::Surroundings;
use crate::sweep;
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
    sites: Vec<Site>,
    /// λ of this iteration, m².
    lambdas: Vec<f32>,
    /// −Σλ over the iterations, m²: with dt² the pressure that would have done the same.
    k: Vec<f32>,
    /// Sum over the iterations of what walls pushed with, m²/s².
    wall_k: Vec<f32>,
    continuation: Continuation,
}

impl Pbf {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        Self {
            prediction: Prediction::new(from_other),
            places: Vec::new(),
            pushes: Vec::new(),
            sites: Vec::new(),
            lambdas: Vec::new(),
            k: Vec::new(),
            wall_k: Vec::new(),
            continuation: Continuation::default(),
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { prediction, places, pushes, sites, lambdas, k, wall_k, continuation } = self;
        let [pairs, particles] = prediction.memory();
        [
            pairs,
            particles
                + held(places)
                + held(pushes)
                + held(sites)
                + held(lambdas)
                + held(k)
                + held(wall_k)
                + continuation.memory(),
        ]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.prediction.reorder(order);
    }

    /// One step.
    pub fn advance(&mut self, around: &Surroundings<'_>, step: &mut Step<'_>) -> Advance {
        let iterations = around.parameters.solver.pbf;
        with_kernel!(around.kernel, kernel => {
            self.prediction.measure(kernel, around, step);
            let length = self.prediction.move_freely(kernel, around, step);
            let dt = length.dt;
            let Step { particles, walls, moves, records, phases, .. } = step;
            let positions = &particles.positions;
            let density = phases.measure(Phase::Pressure, || {
                sweep::map(positions.len(), &mut self.places, |i| positions[i] + dt * moves.velocities[i]);
                walls.drift(dt);
                let density = self.correct(kernel, around, (dt, iterations), (walls, records));
                sweep::update(&mut moves.velocities, |i, velocity| *velocity = (self.places[i] - positions[i]) / dt);
                density
            });
            let start = Instant::now();
            sweep::update(&mut self.k, |_, k| *k /= dt * dt);
            walls.pressures.clone_from(&self.wall_k);
            self.prediction.hand_out(around, &self.k, step);
            step.phases.add_since(Phase::Pressure, start);
            Advance { step: length, lag: 0.0, density, divergence: PressureSolve::default() }
        })
    }

    /// Iterates `λ = −C/(D + ε)` for `C = max(0, R − R_wanted)`, `x += Σ_j V (λ_i + λ_j) ∇W + Σ_b V_b (λ_i + λ_b) ∇W`.
    ///
    /// Macklin2013 has no λ_b. The lowest row then sinks to a third of where it should be and spreads, and any other solver that takes such fluid
    /// over throws it up.
    fn correct<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        around: &Surroundings<'_>,
        (dt, iterations): (f32, Iterations),
        (walls, records): (&mut BoundaryParticles, &mut Records),
    ) -> PressureSolve {
        let Self {
            prediction: Prediction { gradients, handover, .. },
            places,
            pushes,
            sites: at,
            lambdas,
            k,
            wall_k,
            continuation,
        } = self;
        let count = places.len();
        let spacing = around.discretization.particle_spacing;
        let softness = SOFTNESS / (spacing * spacing);
        sweep::map(count, k, |_| 0.0);
        sweep::map(walls.len(), wall_k, |_| 0.0);
        // Of where the corrections begin: they move nothing far.
        continuation.prepare(kernel, around, places, walls, Some(around.outside));
        let mut solve = PressureSolve::default();
        loop {
            sites(kernel, around, places, walls, records, (gradients, at));
            // Clamped at zero: fluid that is pulled together where it lacks neighbours clumps.
            let excess = |i: usize| (at[i].relative_density - handover.target(i)).max(0.0);
            solve.error = (sweep::sum(count, |i| f64::from(excess(i))) / count as f64) as f32;
            let wanted = solve.iterations < iterations.minimum || solve.error > iterations.tolerance;
            if !wanted || solve.iterations >= iterations.maximum {
                solve.max_error = sweep::max(count, excess);
                return solve;
            }
            // α = 1/D, hence 1/(D + ε) = α/(1 + ε α).
            sweep::map(count, lambdas, |i| -excess(i) * at[i].alpha / (1.0 + softness * at[i].alpha));
            // As a pressure, −λ/dt². What gravity makes it rise into the walls it does once.
            let bear = solve.iterations == 0;
            let state = |f: usize| (-lambdas[f] / (dt * dt), f32::from(u8::from(bear)));
            continuation.extend(around, walls, 0.0, state);
            extend_to_planes(kernel, around, places, &mut walls.at_planes, Some(around.outside), 0.0, state);
            around.wetted.update(wall_k, |row, k| *k += walls.pressures[around.wetted.row(row).0]);
            around.wetted.update(&mut walls.pressures, |_, pressure| *pressure *= -dt * dt);
            // Minus what pushes with λ as pressure.
            acceleration(gradients, around, &walls.pressures, lambdas, pushes);
            let way = around.parameters.solver.walls;
            sweep::update(places, |i, place| {
                let mut push = -pushes[i].truncate();
                if !around.touches.is_empty() {
                    let pressures = (-lambdas[i] / (dt * dt), walls.at_planes[i]);
                    push += dt * dt * around.touch(*place).push(way, pressures, 1.0, bear);
                }
                *place += push;
            });
            sweep::update(k, |i, k| *k -= lambdas[i]);
            solve.iterations += 1;
        }
    }
}
