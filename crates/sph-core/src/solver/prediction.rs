//! What the incompressible solvers do before and after pressure: measure the density, move freely, and hand the pressure out.

use super::gradients::Gradients;
use super::handover::Handover;
use super::jacobi::{Jacobi, Problem};
use super::pressure_operator::{Site, compression_rates, sites};
use super::{Iterations, Step};
use crate::forces::Flow;
use crate::kernel::SmoothingKernel;
use crate::memory::held;
use crate::particles::Particles;
use crate::stats::{Phase, PressureSolve};
use crate::surroundings::Surroundings;
use crate::sweep;
use crate::time_step::{TimeStep, courant_step};
use glam::Vec3;
use std::time::Instant;

/// Most that a first guess may displace a particle in one step, in spacings over a spacing: k dt² ≤ this × dx². Bender2017's code has
/// 2.5e-4 m² here, which is this for its usual spacing of about 2 cm. Without a bound what an impact leaves behind explodes.
pub(crate) const WARMEST: f32 = 0.5;

/// Share of the last solution that is the first guess.
pub(crate) const WARMTH: f32 = 0.5;

/// Density, first guess and free motion of a step.
#[derive(Clone, Debug)]
pub(crate) struct Prediction {
    pub sites: Vec<Site>,
    /// Of where the particles are at the beginning of the step.
    pub gradients: Gradients,
    /// Pressure of the step before as k = p/(ρ₀R²), m²/s².
    guess: Vec<f32>,
    /// From everything but pressure and what is outside, m/s².
    forces: Vec<Vec3>,
    pub handover: Handover,
    /// Whether the pressure before was not this solver's own.
    first: bool,
}

impl Prediction {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        let handover = Handover::new(from_other);
        Self {
            sites: Vec::new(),
            gradients: Gradients::default(),
            guess: Vec::new(),
            forces: Vec::new(),
            handover,
            first: true,
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { sites, gradients, guess, forces, handover, first: _ } = self;
        [gradients.memory(), held(sites) + held(guess) + held(forces) + handover.memory()]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.handover.reorder(order);
    }

    /// R and α where the particles are, and the velocities that they have in `moves`. The densities that particles show are at least ρ₀: what a surface lacks is neighbours, not fluid.
    pub fn measure<K: SmoothingKernel>(&mut self, kernel: K, around: &Surroundings<'_>, step: &mut Step<'_>) {
        let start = Instant::now();
        let rest_density = around.discretization.rest_density;
        let Particles { positions, velocities, densities, pressures, .. } = &mut *step.particles;
        sweep::map(positions.len(), &mut self.guess, |i| {
            let relative = densities[i] / rest_density;
            pressures[i].max(0.0) / (rest_density * relative * relative)
        });
        sites(kernel, around, positions, step.walls, step.records, (&mut self.gradients, &mut self.sites));
        self.first = self.handover.advance(&self.sites, pressures);
        sweep::map(positions.len(), densities, |i| rest_density * self.sites[i].relative_density.max(1.0));
        step.moves.velocities.clone_from(velocities);
        step.phases.add_since(Phase::Density, start);
    }

    /// `v* = v + dt (a + g)` in `moves`, from the velocities that are there; and dt.
    pub fn move_freely<K: SmoothingKernel>(&mut self, kernel: K, around: &Surroundings<'_>, step: &mut Step<'_>) -> TimeStep {
        let start = Instant::now();
        let moves = &mut *step.moves;
        let Particles { positions, densities, .. } = &*step.particles;
        let flow = Flow { positions, velocities: &moves.velocities, densities };
        step.forces.accelerate(kernel, around, flow, step.walls, (step.records, &mut self.forces));
        let (outside, forces) = (around.outside, &self.forces);
        let before = around.recent_dt();
        let velocities = &moves.velocities;
        let speed = sweep::max(positions.len(), |i| (velocities[i] + before * (forces[i] + outside.at(positions[i]))).length());
        let length = courant_step(around, speed.max(step.walls.max_speed()));
        sweep::update(&mut moves.velocities, |i, velocity| *velocity += length.dt * (forces[i] + outside.at(positions[i])));
        step.forces.resist(around, (positions, step.walls), length.dt, &mut moves.velocities);
        step.phases.add_since(Phase::Forces, start);
        length
    }

    /// The pressure that brings the density to what it should be at the end of the step: `dt² Ak = s` with
    /// `s = R_wanted − R − dt dR/dt(v*)`; afterwards `v = v* + dt a(k)`.
    pub fn solve_density<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        around: &Surroundings<'_>,
        (dt, iterations): (f32, Iterations),
        jacobi: &mut Jacobi,
        step: &mut Step<'_>,
    ) -> PressureSolve {
        let Step { particles, walls, moves, records, phases, .. } = step;
        let field = &mut records.vectors;
        let (count, tau) = (particles.len(), dt * dt);
        let positions = &particles.positions;
        phases.measure(Phase::Pressure, || {
            let Self { sites, gradients, guess, handover, .. } = self;
            let Jacobi { k, alphas, source, .. } = jacobi;
            sweep::map(count, field, |i| moves.velocities[i].extend(0.0));
            compression_rates(gradients, around, (field, walls.velocities()), source, |i, rate| {
                handover.target(i) - sites[i].relative_density - dt * rate
            });
            sweep::map(count, alphas, |i| sites[i].alpha);
            let spacing = around.discretization.particle_spacing;
            let most = WARMEST * spacing * spacing / tau;
            let before = around.recent_dt();
            let share = if self.first { 1.0 } else { WARMTH * before * before / tau };
            sweep::map(count, k, |i| if alphas[i] > 0.0 && source[i] < 0.0 { (share * guess[i]).min(most) } else { 0.0 });
        });
        let (gradients, outside) = (&self.gradients, Some(around.outside));
        let problem = Problem { around, gradients, positions, tau, outside, iterations, accelerations: field };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        let start = Instant::now();
        sweep::update(&mut moves.velocities, |i, velocity| *velocity += dt * field[i].truncate());
        self.hand_out(around, &jacobi.k, step);
        step.phases.add_since(Phase::Pressure, start);
        solve
    }

    /// Pressures p = ρ₀ k R² of fluid and walls, Pa; `walls.pressures` are k_b before.
    pub fn hand_out(&self, around: &Surroundings<'_>, k: &[f32], step: &mut Step<'_>) {
        let Step { particles, walls, .. } = step;
        let rest_density = around.discretization.rest_density;
        let Particles { densities, pressures, .. } = &mut **particles;
        sweep::map(k.len(), pressures, |i| {
            let relative = densities[i] / rest_density;
            rest_density * k[i] * relative * relative
        });
        around.wetted.update(&mut walls.pressures, |_, pressure| *pressure *= rest_density);
    }
}
