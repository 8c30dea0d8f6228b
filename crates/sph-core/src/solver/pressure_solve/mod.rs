//! Pressure solve of the incompressible solvers: prediction, operator, iterations, fade of the target density.
//!
//! The unknown is k = p/(ρ₀R²), m²/s², with the relative density R = ρ/ρ₀. With the rest volume V = m/ρ₀ of a particle and V_b
//! of a wall's,
//!
//! - `a_i(k) = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W` is the acceleration by pressure,
//! - `(Ak)_i = Σ_j V (a_i − a_j)·∇W + Σ_b V_b a_i·∇W` the rate of dR/dt that it causes,
//! - `D_i = |Σ_j V∇W + Σ_b V_b∇W|² + Σ_j |V∇W|²` the negated diagonal of A, and α = 1/D,
//! - `τ Ak = s` with k ≥ 0 the equation, and `k ← max(0, k − ω α (s − τ Ak)/τ)` its relaxed Jacobi iteration (Ihmsen2014,
//!   Bender2017).

mod coarse_grid;
mod energy;
mod jacobi;
mod momentum;
mod pressure_operator;

pub(super) use energy::keep_energy;
pub(super) use jacobi::{Coarse, Jacobi, Problem, relaxation};
pub(super) use momentum::HeavyBall;
pub(super) use pressure_operator::{DensityAndAlpha, acceleration, compression_rates, density_and_alpha, relative_densities};

use std::time::Instant;

use super::gradients::Gradients;
use super::time_step::{TimeStep, courant_step, potential_range};
use super::{Past, StepState};
use crate::boundary::{PlanePressures, Pressures, SolidTerms};
use crate::forces::{Flow, ForceInput, ForceState};
use crate::kernel::SmoothingKernel;
use crate::parameters::{CoarseCorrection, Iterations, Method, TimeStepParameters};
use crate::particles::Particles;
use crate::passes::{GatherBuffers, StepContext, sweep};
use crate::report::{Phase, PressureSolve, held};
use glam::Vec3;

#[cfg(test)]
pub(crate) use pressure_operator::tests::Strewn;

// Stages that the incompressible solvers share: density and α, forces other than pressure, density solve, pressures.

/// Bound on the initial guess, in spacings squared: k dt² ≤ this × dx². Bender2017's code has 2.5e-4 m² here, which is this for
/// its usual spacing of about 2 cm. Without a bound the large k that an impact leaves makes the next steps explode.
pub(crate) const MAX_WARM_START: f32 = 0.5;

/// Largest compression that a step takes out of a particle: 0.02 C, where C = dt c/dx is the Courant number of the step and c the
/// speed of the flow or of its longest waves, the higher one; but at least ten times the `tolerance` of the solve. Steps have no
/// such bound if the Courant factor `cfl` allows more than half a spacing.
///
/// A correction of the density is a change of the positions, but the solve makes it by the velocities, which stay: a column of n
/// rows under a compression ε lifts its top by n dx ε/dt. At an impact, which leaves a compression of some per cent, that is many
/// times the speed of the impact, shortens the next step, and is faster still in that. With the bound the column gains at most
/// n/50 of c. A solve leaves compression up to its tolerance behind, which the next must be able to take out. Long steps leave too
/// much of it to let any stay: where they were bound, too, water that struck a floor was compressed to a fraction of its volume.
fn largest_correction(courant: f32, cfl: f32, tolerance: f32) -> f32 {
    const PER_COURANT: f32 = 0.02;
    const TOLERANCES: f32 = 10.0;
    if cfl > 1.0 { f32::INFINITY } else { (PER_COURANT * courant).max(TOLERANCES * tolerance) }
}

/// Density, initial guess and forces other than pressure of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prediction {
    pub density_and_alpha: Vec<DensityAndAlpha>,
    /// V∇W of all pairs, at the positions at the beginning of the step.
    pub gradients: Gradients,
    /// Pressure of the previous step as k = p/(ρ₀R²), m²/s²; after the density solve, that of the step before.
    pub previous_k: Vec<f32>,
    /// Accelerations by forces between particles other than pressure, m/s².
    accelerations: Vec<Vec3>,
    /// True in the solver's first step, when the stored pressures are not its own.
    is_first_step: bool,
    /// Speed of the fastest particle or wall before pressure, or of the longest waves if they are faster, m/s.
    flow_speed: f32,
    /// Relative densities at the end of a long step.
    later_densities: Vec<f32>,
}

impl Prediction {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { density_and_alpha, gradients, previous_k, accelerations, later_densities, .. } = self;
        let particles = held(density_and_alpha) + held(previous_k) + held(accelerations) + held(later_densities);
        [gradients.memory(), particles]
    }

    /// Computes R and α at the positions of the particles, and copies their velocities to `velocity_update`. The particles'
    /// densities are clamped to at least ρ₀: at a surface neighbours are missing, not fluid.
    pub fn compute_density_and_alpha<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) {
        let start = Instant::now();
        let rest_density = ctx.discretization.rest_density;
        let Particles { positions, velocities, densities, pressures, density_offsets, .. } = &mut *step.particles;
        // k = p/(ρ₀R²) of the previous step.
        sweep::map(positions.len(), &mut self.previous_k, |i| {
            let relative = densities[i] / ctx.rest_density_of(i);
            pressures[i] / (rest_density * relative * relative)
        });
        // R_i = Σ_j V W_ij + Σ_b V_b W_ib, α_i = 1/D_i, and the target of R_i.
        density_and_alpha(kernel, ctx, positions, step.walls, step.buffers, (&mut self.gradients, &mut self.density_and_alpha));
        self.is_first_step = advance_offsets(&mut step.memory.past, &self.density_and_alpha, pressures, density_offsets);
        sweep::map(positions.len(), densities, |i| {
            ctx.rest_density_of(i) * self.density_and_alpha[i].relative_density.max(1.0)
        });
        step.velocity_update.velocities.clone_from(velocities);
        step.phases.add_since(Phase::Density, start);
    }

    /// Applies forces other than pressure to the velocities of `velocity_update`: `v* = v + dt (a + g)`. Returns dt, by the
    /// limits of [`courant_step`].
    pub fn apply_non_pressure_forces<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        step: &mut StepState<'_>,
    ) -> TimeStep {
        let start = Instant::now();
        let velocity_update = &mut *step.velocity_update;
        let Particles { positions, densities, spins, viscosity_changes, .. } = &mut *step.particles;
        // Accelerations a: viscosity, surface tension, adhesion, micropolar.
        let flow = Flow { positions, velocities: &velocity_update.velocities, densities };
        step.forces.accelerate(kernel, ctx, flow, step.walls, spins, (step.buffers, &mut self.accelerations));
        // dt ≤ ½ cfl dx/max|v + dt (a + g)|, with the previous dt.
        let (external, accelerations) = (ctx.external, &self.accelerations);
        let previous_dt = ctx.recent_dt();
        let velocities = &velocity_update.velocities;
        let speed = sweep::max(positions.len(), |i| {
            (velocities[i] + previous_dt * (accelerations[i] + external.at(positions[i]))).length()
        });
        let speed = speed.max(step.walls.max_speed());
        let range = potential_range(&ctx.external, positions);
        let time_step = courant_step(ctx, speed, range);
        self.flow_speed = speed.max(range.sqrt());
        let flow = Flow { positions, velocities, densities };
        ForceState::react(ForceInput { kernel, ctx, flow, walls: step.walls, spins }, time_step.dt, step.reactions);
        // v* = v + dt (a + g), then implicit viscosity.
        sweep::update(&mut velocity_update.velocities, |i, velocity| {
            *velocity += time_step.dt * (accelerations[i] + external.at(positions[i]));
        });
        let velocities = (&mut *velocity_update.velocities, viscosity_changes);
        step.forces.solve_implicit_viscosity(ctx, (positions, step.walls), time_step.dt, velocities, step.reactions);
        step.phases.add_since(Phase::Forces, start);
        time_step
    }

    /// Largest compression that a step of `dt` (s) takes out of a particle, with a solve of this tolerance.
    pub fn largest_correction(&self, ctx: &StepContext<'_>, dt: f32, tolerance: f32) -> f32 {
        let courant = self.flow_speed * dt / ctx.discretization.particle_spacing;
        largest_correction(courant, ctx.parameters.time_step.cfl_factor, tolerance)
    }

    /// Density solve, for the target density at the end of the step: `dt² Ak = s` with `s = R_target − R − dt dR/dt(v*)`, then
    /// `v = v* + dt a(k)`.
    pub fn solve_density<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        (dt, iterations): (f32, Iterations),
        jacobi: &mut Jacobi,
        step: &mut StepState<'_>,
    ) -> PressureSolve {
        let StepState { particles, walls, velocity_update, buffers, reactions, phases, .. } = step;
        let GatherBuffers { vectors, positions: set } = &mut **buffers;
        let (count, tau) = (particles.len(), dt * dt);
        let positions = &particles.positions;
        let is_corrected = ctx.parameters.solver.coarse_correction == CoarseCorrection::On && !ctx.wrap.repeats();
        phases.measure(Phase::Pressure, || {
            let largest = self.largest_correction(ctx, dt, iterations.tolerance);
            let Self { density_and_alpha, gradients, previous_k, .. } = self;
            let Jacobi { k, alphas, source, floors, .. } = jacobi;
            floors.clear();
            // s = R_target − R − dt dR/dt(v*), without the deficit that a free surface accounts for, and of the compression no
            // more than a step may take out.
            sweep::map(count, vectors, |i| velocity_update.velocities[i].extend(0.0));
            compression_rates(gradients, ctx, (vectors, walls.velocities()), source, |i, rate| {
                density_and_alpha[i].gap(target_density(&particles.density_offsets, i)).max(-largest) - dt * rate
            });
            sweep::map(count, alphas, |i| density_and_alpha[i].damped_alpha());
            // Initial guess: a share of the mean of the last two k, rescaled by dt² and bounded, where there is compression, and
            // before a correction everywhere: a smooth guess with holes is not smooth. In the mean a pressure that
            // swings from step to step cancels. That the step before the last may have had another length is neglected: it is a
            // guess.
            let spacing = ctx.discretization.particle_spacing;
            let max_k = MAX_WARM_START * spacing * spacing / tau;
            let previous_dt = ctx.recent_dt();
            let warm_start = ctx.parameters.solver.warm_start;
            let factor = if self.is_first_step { 1.0 } else { warm_start * previous_dt * previous_dt / tau };
            let earlier_k = &mut particles.earlier_k;
            if earlier_k.is_empty() {
                earlier_k.clone_from(previous_k);
            }
            sweep::map(count, k, |i| {
                let mean = 0.5 * (previous_k[i].max(0.0) + earlier_k[i].max(0.0));
                let has_guess = is_corrected || source[i] < 0.0;
                if alphas[i] > 0.0 && has_guess { (factor * mean).min(max_k) } else { 0.0 }
            });
            std::mem::swap(previous_k, earlier_k);
        });
        // dt² Ak = s.
        let (gradients, external) = (&self.gradients, Some(ctx.external));
        let coarse = is_corrected.then_some(Coarse { density_and_alpha: &self.density_and_alpha, set });
        let problem = Problem { ctx, gradients, positions, tau, external, iterations, coarse, accelerations: vectors };
        let solve = jacobi.solve(kernel, problem, walls, phases);
        // v = v* + dt a(k), p = ρ₀ k R².
        let start = Instant::now();
        // With DFSPH the divergence solve has stopped the fluid before.
        if ctx.parameters.solver.method == Method::Iisph {
            keep_energy(ctx, (positions, &velocity_update.velocities), dt, (&mut jacobi.k, walls, vectors));
        }
        sweep::update(&mut velocity_update.velocities, |i, velocity| *velocity += dt * vectors[i].truncate());
        let pressures = Pressures { fluid: &jacobi.k, walls: &walls.pressures, planes: PlanePressures::new(ctx, walls, true) };
        SolidTerms { kernel, ctx, walls }.react_to_solve(positions, pressures, dt, reactions);
        self.write_pressures(ctx, &jacobi.k, step);
        step.phases.add_since(Phase::Pressure, start);
        solve
    }

    /// Largest compression at the end of a step of `dt` (s), of the particles that it compresses further; 0 in short steps, and in those
    /// of a fixed length, which nothing shortens.
    ///
    /// The solve is for densities that change in proportion to dt. What is of higher order is of the square of the way in a step, and
    /// compresses single particles of splashes by more than a tenth where a step may take them farther than half a spacing.
    pub fn later_compression<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        dt: f32,
        step: &mut StepState<'_>,
    ) -> f32 {
        let TimeStepParameters { cfl_factor, fixed_dt, .. } = ctx.parameters.time_step;
        if cfl_factor <= 1.0 || fixed_dt.is_some() {
            return 0.0;
        }
        let StepState { particles, walls, velocity_update, buffers, phases, .. } = step;
        let velocities = velocity_update.of_positions();
        let (positions, moved) = (&particles.positions, &mut buffers.positions);
        let Self { density_and_alpha, later_densities, .. } = self;
        phases.measure(Phase::Density, || {
            sweep::map(positions.len(), moved, |i| (positions[i] + dt * velocities[i]).extend(0.0));
            walls.drift(dt);
            relative_densities(kernel, ctx, moved, walls, later_densities);
            walls.drift(-dt);
            sweep::max(positions.len(), |i| {
                let later = later_densities[i];
                if later > density_and_alpha[i].relative_density { later - 1.0 } else { 0.0 }
            })
        })
    }

    /// Writes the pressures p = ρ₀ k R² of the fluid and p_b = ρ₀ k_b of the walls, Pa; before the call `walls.pressures` holds
    /// k_b.
    pub fn write_pressures(&self, ctx: &StepContext<'_>, k: &[f32], step: &mut StepState<'_>) {
        let StepState { particles, walls, .. } = step;
        let rest_density = ctx.discretization.rest_density;
        let Particles { densities, pressures, .. } = &mut **particles;
        sweep::map(k.len(), pressures, |i| {
            let relative = densities[i] / ctx.rest_density_of(i);
            rest_density * k[i] * relative * relative
        });
        ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| *pressure *= rest_density);
    }
}

// Fade of the target density from the present density to the rest density, after a change of solver or a compressed start.
//
// The density of weakly compressible fluid under pressure differs a little from the rest density, in both directions. A solver
// that corrected it in one step would accelerate the fluid violently. So the target starts at the present density of a
// particle under pressure, and the difference fades.

/// Fraction of the offset that fades in a step.
const FADING: f32 = 0.02;

/// Largest deficit of relative density that is kept at first. A larger deficit means a surface, where neighbours are missing,
/// not fluid.
const MAX_DEFICIT: f32 = 0.05;

/// Offset below which the fade ends.
const NEGLIGIBLE: f32 = 1e-5;

/// Advances the offsets of the target density from 1 by a step of a fluid with these densities and pressures (Pa). Returns true
/// in the first step of a solver. `offsets` has one entry for each particle, none after the fade.
pub(crate) fn advance_offsets(
    past: &mut Past,
    density_and_alpha: &[DensityAndAlpha],
    pressures: &[f32],
    offsets: &mut Vec<f32>,
) -> bool {
    let before = std::mem::replace(past, Past::Own);
    if before == Past::Own {
        sweep::update(offsets, |_, offset| *offset *= 1.0 - FADING);
        if sweep::max(offsets.len(), |i| offsets[i].abs()) < NEGLIGIBLE {
            offsets.clear();
        }
        return false;
    }
    sweep::map(density_and_alpha.len(), offsets, |i| {
        let excess = density_and_alpha[i].relative_density - 1.0;
        // A deficit without pressure is spray or a surface: it may contract.
        let deficit = if before == Past::TakenOver && pressures[i] > 0.0 { MAX_DEFICIT } else { 0.0 };
        excess.max(-deficit)
    });
    true
}

/// Target of the relative density of particle i.
#[inline]
pub(crate) fn target_density(offsets: &[f32], i: usize) -> f32 {
    1.0 + offsets.get(i).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::largest_correction;

    #[test]
    fn long_steps_and_wide_tolerances_correct_more() {
        assert_eq!(largest_correction(0.2, 0.4, 1e-4), 0.02 * 0.2);
        assert_eq!(largest_correction(0.0, 0.4, 1e-4), 10.0 * 1e-4);
        assert_eq!(largest_correction(0.2, 1.0, 3e-3), 10.0 * 3e-3);
        assert_eq!(largest_correction(0.2, 1.4, 1e-4), f32::INFINITY);
    }
}
