//! Weakly compressible SPH, WCSPH, with density diffusion, δ-SPH (Monaghan1994, Antuono2010, Fourtakas2019).
//!
//! 1. Continuity: `dρ_i/dt = ρ_i Σ_j V_j v_ij·∇W + δ h c₀ Σ_j V_j ψ_ij·∇W` (Antuono2010, Fourtakas2019 or Molteni2009 for ψ).
//!    In spray the density relaxes to ρ₀ as well; see `continuity`.
//! 2. Equation of state: `p = B[(ρ/ρ₀)⁷ − 1]`, `B = ρ₀c₀²/7` (Monaghan1994).
//! 3. Acoustic damper: `q = −α₂ ρ₀ c₀ h ∇·v`, added to the pressure between particles (Sun2023).
//! 4. Wall pressures p_b, extrapolated from the fluid (Adami2012, eq. 27).
//! 5. Momentum: `dv_i/dt = −1/ρ_i Σ_j V_j (p_i + q_i + p_j + q_j) ∇W + viscosity + g`.
//! 6. dt from the limits of sound, force, viscosity and surface tension.
//! 7. Integration, with one of two schemes. Symplectic Euler evaluates 1 to 5 once: the density of a step uses the velocities
//!    that moved the particles there, the velocities use the pressure of that density, and the positions use those velocities.
//!    The symplectic predictor–corrector evaluates them at the beginning and in the middle of the step, and is of second order
//!    (Dominguez2022).
//!
//! | symbol | name here | meaning |
//! |---|---|---|
//! | V = m/ρ | `volumes` | volume of a particle |
//! | dρ/dt | `rates` | rate of the density |
//! | G_i | `gradients` | density gradient that diffusion leaves alone |
//! | p | `Particles::pressures` | pressure by the equation of state |
//! | q | `damping_pressures` | pressure of the acoustic damper |
//! | p_i of p_i + p_j | `own_pressures` | with damper, background pressure and tensile control (Sun2018) |
//! | dv/dt | `accelerations` | acceleration |

mod continuity;
mod density_diffusion;
mod evaluation;
mod momentum;

use crate::boundary::WallPressureExtrapolation;
use crate::parameters::Integration;
use crate::particles::Particles;
use crate::passes::{StepContext, sweep};
use crate::report::{Phase, held};
use crate::solver::surface::SurfaceIndicator;
use crate::solver::time_step::time_step;
use crate::solver::{EquationOfState, SolveReport, StepState};
use continuity::Rate;
use glam::{Vec3, Vec4};

/// State and workspace of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wcsph {
    /// V = m/ρ, m³.
    volumes: Vec<f32>,
    rates: Vec<Rate>,
    /// Density gradients, kg/m⁴, for the forms of diffusion that need one per particle.
    gradients: Vec<Vec4>,
    /// Surface indicators, for tensile control.
    surface_indicators: Vec<SurfaceIndicator>,
    /// q = −α₂ ρ₀ c₀ h ∇·v, Pa.
    damping_pressures: Vec<f32>,
    /// p_i of the sum p_i + p_j that acts between particle i and its neighbours, Pa, with damper, background pressure and sign.
    own_pressures: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
    /// Particles in the middle of the step, for the predictor–corrector.
    midpoint: Particles,
    /// dv/dt, m/s².
    accelerations: Vec<Vec3>,
}

impl Wcsph {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self {
            volumes,
            rates,
            gradients,
            surface_indicators,
            damping_pressures,
            own_pressures,
            wall_extrapolation,
            midpoint,
            accelerations,
        } = self;
        let numbers = held(volumes) + held(rates) + held(surface_indicators) + held(damping_pressures) + held(own_pressures);
        [0, numbers + held(gradients) + held(accelerations) + midpoint.memory() + wall_extrapolation.memory()]
    }

    /// dv/dt of every particle, m/s², from the last evaluation.
    #[cfg(test)]
    pub fn accelerations(&self) -> &[Vec3] {
        &self.accelerations
    }

    /// Computes one step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let StepState { particles, walls, forces, buffers, phases, .. } = step;
        // Continuity, equation of state, acoustic damper, wall pressures, momentum, at the present positions.
        let maxima = self.evaluate(ctx, particles, walls, (forces, buffers), phases);
        if ctx.is_cancelled() {
            return SolveReport::NONE;
        }
        // dt: the tightest of the limits of sound, force, viscosity and surface tension.
        let time_step = time_step(ctx, maxima);
        let dt = time_step.dt;
        // Integration: v += dt dv/dt; with a second evaluation in the middle of the step (Dominguez2022).
        let density_age = match ctx.parameters.solver.wcsph.integration {
            Integration::SymplecticEuler => {
                self.integrate_symplectic_euler(ctx, dt, step);
                dt
            }
            Integration::PredictorCorrector => {
                self.integrate_predictor_corrector(ctx, dt, step);
                0.0
            }
        };
        SolveReport { time_step, density_age, ..SolveReport::NONE }
    }

    /// Symplectic Euler: `v += dt dv/dt`. Positions follow with the new velocities, densities in the next step.
    fn integrate_symplectic_euler(&self, ctx: &StepContext<'_>, dt: f32, step: &mut StepState<'_>) {
        let StepState { particles, walls, velocity_update, phases, forces, reactions, .. } = step;
        phases.measure(Phase::Forces, || self.react(ctx, particles, walls, (dt, reactions)));
        let (velocities, accelerations) = (&particles.velocities, &self.accelerations);
        phases.measure(Phase::Integrate, || {
            sweep::map(particles.len(), &mut velocity_update.velocities, |i| velocities[i] + dt * accelerations[i]);
        });
        phases.measure(Phase::Forces, || {
            let Particles { positions, viscosity_changes, .. } = &mut **particles;
            let velocities = (&mut *velocity_update.velocities, viscosity_changes);
            forces.solve_implicit_viscosity(ctx, (positions, walls), dt, velocities, reactions).is_some()
        });
    }

    /// Symplectic predictor–corrector (Dominguez2022): half a step with the rates of the beginning, then the whole step with
    /// the rates of the middle; `x += ½ dt (v + v_new)`, `ρ ← ρ (2 − ε)/(2 + ε)` with `ε = −dt ρ'/ρ` of the middle.
    fn integrate_predictor_corrector(&mut self, ctx: &StepContext<'_>, dt: f32, step: &mut StepState<'_>) {
        let StepState { particles, walls, velocity_update, phases, forces, buffers, reactions, .. } = step;
        let (count, half) = (particles.len(), 0.5 * dt);
        // Predictor: x, v and ρ after half a step.
        let mut midpoint = std::mem::take(&mut self.midpoint);
        phases.measure(Phase::Integrate, || {
            let (accelerations, rates) = (&self.accelerations, &self.rates);
            let Particles { positions, velocities, densities, pressures, spins, .. } = &**particles;
            sweep::map(count, &mut midpoint.positions, |i| positions[i] + half * velocities[i]);
            sweep::map(count, &mut midpoint.velocities, |i| velocities[i] + half * accelerations[i]);
            sweep::map(count, &mut midpoint.densities, |i| densities[i] + half * rates[i].density);
            midpoint.pressures.clone_from(pressures);
            midpoint.spins.clone_from(spins);
        });
        walls.drift(half);
        reactions.drift(half);
        // Rates in the middle: the densities are up to date there (age 0), and the external forces are those of that time.
        let middle = StepContext { density_age: 0.0, external: ctx.external.later(half), ..*ctx };
        self.evaluate(&middle, &mut midpoint, walls, (forces, buffers), phases);
        phases.measure(Phase::Forces, || self.react(&middle, &midpoint, walls, (dt, reactions)));
        // Corrector: v, ρ and p after the whole step; the advection velocity is ½ (v + v_new).
        phases.measure(Phase::Integrate, || {
            let (accelerations, rates) = (&self.accelerations, &self.rates);
            let Particles { velocities, densities, pressures, .. } = &mut **particles;
            sweep::map(count, &mut velocity_update.velocities, |i| velocities[i] + dt * accelerations[i]);
            sweep::map(count, &mut velocity_update.advection_velocities, |i| velocities[i] + half * accelerations[i]);
            sweep::update(densities, |i, density| {
                let epsilon = -dt * rates[i].density / midpoint.densities[i];
                *density *= (2.0 - epsilon) / (2.0 + epsilon);
            });
            let state = EquationOfState::of(ctx.discretization, ctx.parameters);
            sweep::map(count, pressures, |i| state.pressure(ctx.lightness(i) * densities[i]));
        });
        // Implicit viscosity, with half of its change in the advection velocity.
        phases.measure(Phase::Forces, || {
            let velocities = (&mut *velocity_update.velocities, &mut particles.viscosity_changes);
            let solved = forces.solve_implicit_viscosity(ctx, (&midpoint.positions, walls), dt, velocities, reactions);
            if let Some(changes) = solved {
                sweep::update(&mut velocity_update.advection_velocities, |i, velocity| *velocity += 0.5 * changes[i]);
            }
        });
        self.midpoint = midpoint;
    }
}
