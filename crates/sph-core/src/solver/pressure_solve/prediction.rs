//! What the incompressible solvers do before and after pressure: measure the density, move freely, and hand the pressure out.

use super::gradients::Gradients;
use super::jacobi::{Jacobi, Problem};
use super::pressure_operator::{DensityAndAlpha, compression_rates, density_and_alpha};
use super::target_density_fade::TargetDensityFade;
use crate::forces::Flow;
use crate::kernel::SmoothingKernel;
use crate::parameters::Iterations;
use crate::particles::Particles;
use crate::passes::{StepContext, sweep};
use crate::report::{Phase, PressureSolve, held};
use crate::solver::StepState;
use crate::solver::time_step::{TimeStep, courant_step};
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
    pub density_and_alpha: Vec<DensityAndAlpha>,
    /// Of where the particles are at the beginning of the step.
    pub gradients: Gradients,
    /// Pressure of the step before as k = p/(ρ₀R²), m²/s².
    guess: Vec<f32>,
    /// From everything but pressure and what is outside, m/s².
    forces: Vec<Vec3>,
    pub target_density: TargetDensityFade,
    /// Whether the pressure before was not this solver's own.
    first: bool,
}

impl Prediction {
    /// For fluid that begins to move; or, `from_other`, that another solver has moved so far.
    pub fn new(from_other: bool) -> Self {
        let target_density = TargetDensityFade::new(from_other);
        Self {
            density_and_alpha: Vec::new(),
            gradients: Gradients::default(),
            guess: Vec::new(),
            forces: Vec::new(),
            target_density,
            first: true,
        }
    }

    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { density_and_alpha, gradients, guess, forces, target_density, first: _ } = self;
        [gradients.memory(), held(density_and_alpha) + held(guess) + held(forces) + target_density.memory()]
    }

    /// The particles have been put into `order`.
    pub fn reorder(&mut self, order: &[u32]) {
        self.target_density.reorder(order);
    }

    /// R and α where the particles are, and the velocities that they have in `velocity_update`. The densities that particles show are at least ρ₀: what a surface lacks is neighbours, not fluid.
    pub fn compute_density_and_alpha<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) {
        let start = Instant::now();
        let rest_density = ctx.discretization.rest_density;
        let Particles { positions, velocities, densities, pressures, .. } = &mut *step.particles;
        sweep::map(positions.len(), &mut self.guess, |i| {
            let relative = densities[i] / rest_density;
            pressures[i].max(0.0) / (rest_density * relative * relative)
        });
        density_and_alpha(kernel, ctx, positions, step.walls, step.buffers, (&mut self.gradients, &mut self.density_and_alpha));
        self.first = self.target_density.advance(&self.density_and_alpha, pressures);
        sweep::map(positions.len(), densities, |i| rest_density * self.density_and_alpha[i].relative_density.max(1.0));
        step.velocity_update.velocities.clone_from(velocities);
        step.phases.add_since(Phase::Density, start);
    }

    /// `v* = v + dt (a + g)` in `velocity_update`, from the velocities that are there; and dt.
    pub fn apply_non_pressure_forces<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) -> TimeStep {
        let start = Instant::now();
        let velocity_update = &mut *step.velocity_update;
        let Particles { positions, densities, .. } = &*step.particles;
        let flow = Flow { positions, velocities: &velocity_update.velocities, densities };
        step.forces.accelerate(kernel, ctx, flow, step.walls, (step.buffers, &mut self.forces));
        let (external, forces) = (ctx.external, &self.forces);
        let before = ctx.recent_dt();
        let velocities = &velocity_update.velocities;
        let speed =
            sweep::max(positions.len(), |i| (velocities[i] + before * (forces[i] + external.at(positions[i]))).length());
        let length = courant_step(ctx, speed.max(step.walls.max_speed()));
        sweep::update(&mut velocity_update.velocities, |i, velocity| {
            *velocity += length.dt * (forces[i] + external.at(positions[i]));
        });
        step.forces.solve_implicit_viscosity(ctx, (positions, step.walls), length.dt, &mut velocity_update.velocities);
        step.phases.add_since(Phase::Forces, start);
        length
    }

    /// The pressure that brings the density to what it should be at the end of the step: `dt² Ak = s` with
    /// `s = R_wanted − R − dt dR/dt(v*)`; afterwards `v = v* + dt a(k)`.
    pub fn solve_density<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        jacobi: &mut Jacobi,
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, buffers, phases, .. } = step;
        let field = &mut buffers.vectors;
        let (count, tau) = (particles.len(), dt * dt);
        let positions = &particles.positions;
        phases.measure(Phase::Pressure, || {
            let Self { density_and_alpha, gradients, guess, target_density, .. } = self;
            let Jacobi { k, alphas, source, .. } = jacobi;
            sweep::map(count, field, |i| velocity_update.velocities[i].extend(0.0));
            compression_rates(gradients, ctx, (field, walls.velocities()), source, |i, rate| {
                target_density.target(i) - density_and_alpha[i].relative_density - dt * rate
            });
            sweep::map(count, alphas, |i| density_and_alpha[i].alpha);
            let spacing = ctx.discretization.particle_spacing;
            let most = WARMEST * spacing * spacing / tau;
            let before = ctx.recent_dt();
            let share = if self.first { 1.0 } else { WARMTH * before * before / tau };
            sweep::map(count, k, |i| if alphas[i] > 0.0 && source[i] < 0.0 { (share * guess[i]).min(most) } else { 0.0 });
        });
        let (gradients, external) = (&self.gradients, Some(ctx.external));
        let problem = Problem { ctx, gradients, positions, tau, external, iterations, accelerations: field };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        let start = Instant::now();
        sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * field[i].truncate());
        self.write_pressures(ctx, &jacobi.k, step);
        step.phases.add_since(Phase::Pressure, start);
        solve
    }

    /// Pressures p = ρ₀ k R² of fluid and walls, Pa; `walls.pressures` are k_b before.
    pub fn write_pressures(&self, ctx: &StepContext<'_>, k: &[f32], step: &mut StepState<'_>) {
        let StepState { particles, walls, .. } = step;
        let rest_density = ctx.discretization.rest_density;
        let Particles { densities, pressures, .. } = &mut **particles;
        sweep::map(k.len(), pressures, |i| {
            let relative = densities[i] / rest_density;
            rest_density * k[i] * relative * relative
        });
        ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure *= rest_density);
    }
}
