//! Weakly compressible SPH with density diffusion, δ-SPH (Monaghan1994, Antuono2010, Fourtakas2019).
//!
//! Density follows the continuity equation and pressure follows density; both are explicit. Integration is one of two.
//!
//! Symplectic Euler evaluates the equations once: the density of a step uses the velocities that moved the particles there, the
//! velocities use the pressure of that density, and the positions use those velocities. The symplectic predictor–corrector evaluates
//! them at the beginning and in the middle of the step, and is of second order (Dominguez2022).

mod continuity;
mod density_diffusion;
mod momentum;

use crate::boundary::{BoundaryParticles, WallPressureExtrapolation, extend_to_planes};
use crate::forces::{Flow, ForceState, Viscosity};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::{DensityDiffusion, Integration, NegativePressure};
use crate::particles::Particles;
use crate::passes::{GatherBuffers, StepContext, gather, sweep};
use crate::report::{Clock, Phase, held};
use crate::solver::surface::{SurfaceIndicator, surface_indicators, threshold};
use crate::solver::time_step::{Motion, time_step};
use crate::solver::{EquationOfState, SolveReport, StepState};
use continuity::{Continuity, Mean, Rate, Uniform};
use density_diffusion::gradients;
use glam::{Vec3, Vec4};
use momentum::Momentum;

/// What the solver keeps between its passes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wcsph {
    /// V = m/ρ, m³.
    volumes: Vec<f32>,
    rates: Vec<Rate>,
    /// Of density, kg/m⁴, for the diffusion that needs them.
    gradients: Vec<Vec4>,
    /// Where pressure may be negative: what tells the particles at free surfaces.
    surface_indicators: Vec<SurfaceIndicator>,
    /// p_i of the sum p_i + p_j that acts between particle i and its neighbours, Pa, background and sign included.
    own_pressures: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
    /// The particles in the middle of the step, where it is looked at.
    midpoint: Particles,
    /// dv/dt, m/s².
    accelerations: Vec<Vec3>,
}

impl Wcsph {
    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { volumes, rates, gradients, surface_indicators, own_pressures, wall_extrapolation, midpoint, accelerations } =
            self;
        let numbers = held(volumes) + held(rates) + held(surface_indicators) + held(own_pressures);
        [0, numbers + held(gradients) + held(accelerations) + midpoint.memory() + wall_extrapolation.memory()]
    }

    /// dv/dt of every particle, m/s², from the last evaluation.
    #[cfg(test)]
    pub fn accelerations(&self) -> &[Vec3] {
        &self.accelerations
    }

    /// One step: densities and pressures of the present positions, then accelerations and dt, then velocities.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let StepState { particles, walls, forces, buffers, phases, .. } = step;
        let motion = self.evaluate(ctx, particles, walls, (forces, buffers), phases);
        let length = time_step(ctx, motion);
        let dt = length.dt;
        let density_age = match ctx.parameters.solver.wcsph.integration {
            Integration::SymplecticEuler => {
                self.step_once(ctx, dt, step);
                dt
            }
            Integration::PredictorCorrector => {
                self.step_twice(ctx, dt, step);
                0.0
            }
        };
        SolveReport { step: length, density_age, ..SolveReport::NONE }
    }

    /// `v += dt a`. Positions follow with the new velocities, densities in the next step.
    fn step_once(&self, ctx: &StepContext<'_>, dt: f32, step: &mut StepState<'_>) {
        let StepState { particles, walls, velocity_update, phases, forces, .. } = step;
        let (velocities, accelerations) = (&particles.velocities, &self.accelerations);
        phases.measure(Phase::Integrate, || {
            sweep::map(particles.len(), &mut velocity_update.velocities, |i| velocities[i] + dt * accelerations[i]);
        });
        phases.measure(Phase::Forces, || {
            forces.solve_implicit_viscosity(ctx, (&particles.positions, walls), dt, &mut velocity_update.velocities).is_some()
        });
    }

    /// Half a step with what the beginning says, then the whole step with what the middle says; `x += ½ dt (v + v_new)`,
    /// `ρ ← ρ (2 − ε)/(2 + ε)` with `ε = −dt ρ'/ρ` of the middle.
    fn step_twice(&mut self, ctx: &StepContext<'_>, dt: f32, step: &mut StepState<'_>) {
        let StepState { particles, walls, velocity_update, phases, forces, buffers } = step;
        let (count, half) = (particles.len(), 0.5 * dt);
        let mut midpoint = std::mem::take(&mut self.midpoint);
        phases.measure(Phase::Integrate, || {
            let (accelerations, rates) = (&self.accelerations, &self.rates);
            let Particles { positions, velocities, densities, pressures, .. } = &**particles;
            sweep::map(count, &mut midpoint.positions, |i| positions[i] + half * velocities[i]);
            sweep::map(count, &mut midpoint.velocities, |i| velocities[i] + half * accelerations[i]);
            sweep::map(count, &mut midpoint.densities, |i| densities[i] + half * rates[i].density);
            midpoint.pressures.clone_from(pressures);
        });
        walls.drift(half);
        // The midpoint's densities are of the midpoint, and so are the forces from outside.
        let middle = StepContext { density_age: 0.0, external: ctx.external.later(half), ..*ctx };
        self.evaluate(&middle, &mut midpoint, walls, (forces, buffers), phases);
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
            sweep::map(count, pressures, |i| state.pressure(densities[i]));
        });
        phases.measure(Phase::Forces, || {
            if let Some(change) =
                forces.solve_implicit_viscosity(ctx, (&midpoint.positions, walls), dt, &mut velocity_update.velocities)
            {
                sweep::update(&mut velocity_update.advection_velocities, |i, velocity| *velocity += 0.5 * change[i]);
            }
        });
        self.midpoint = midpoint;
    }

    /// Brings densities and pressures to the present positions, and computes accelerations from them.
    pub fn evaluate(
        &mut self,
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &mut BoundaryParticles,
        (forces, buffers): (&mut ForceState, &mut GatherBuffers),
        phases: &mut Clock,
    ) -> Motion {
        with_kernel!(ctx.kernel, kernel => {
            phases.measure(Phase::Density, || self.advance_density(kernel, ctx, particles, walls, buffers));
            phases.measure(Phase::Density, || self.choose_signs(kernel, ctx, particles, walls, buffers));
            phases.measure(Phase::Walls, || {
                let Particles { positions, densities, pressures, .. } = &*particles;
                let state = |f: usize| (pressures[f], densities[f]);
                let floor = EquationOfState::of(ctx.discretization, ctx.parameters).floor();
                self.wall_extrapolation.prepare(kernel, ctx, positions, walls, Some(ctx.external));
                self.wall_extrapolation.extend(ctx, walls, floor, state);
                extend_to_planes(kernel, ctx, positions, &mut walls.at_planes, Some(ctx.external), floor, state);
            });
            phases.measure(Phase::Forces, || self.compute_accelerations(kernel, ctx, particles, walls, (forces, buffers)));
        });
        let count = particles.len();
        phases.measure(Phase::Integrate, || Motion {
            approach_speed: sweep::max(count, |i| self.rates[i].approach),
            acceleration: sweep::max(count, |i| self.accelerations[i].length()),
        })
    }

    /// Continuity with density diffusion, then the equation of state.
    fn advance_density<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        buffers: &mut GatherBuffers,
    ) {
        let count = particles.len();
        sweep::map(count, &mut self.volumes, |i| ctx.mass / particles.densities[i]);
        self.compute_rates(kernel, ctx, particles, walls, buffers);
        let Self { volumes, rates, .. } = self;
        let Particles { densities, pressures, .. } = particles;
        let state = EquationOfState::of(ctx.discretization, ctx.parameters);
        sweep::update(densities, |i, density| *density += ctx.density_age * rates[i].density);
        sweep::map(count, pressures, |i| state.pressure(densities[i]));
        sweep::map(count, volumes, |i| ctx.mass / densities[i]);
    }

    /// Continuity, with the diffusion that is chosen.
    fn compute_rates<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        buffers: &mut GatherBuffers,
    ) {
        let Self { volumes, rates, gradients: slopes, .. } = self;
        let Particles { positions, velocities, densities, .. } = particles;
        let count = particles.len();
        buffers.fill((positions, |i| volumes[i]), (velocities, |i| densities[i]));
        let buffers = &*buffers;
        let sound_speed = ctx.parameters.fluid.sound_speed;
        let compressibility = ctx.discretization.rest_density / (sound_speed * sound_speed);
        let hydrostatic = |position| compressibility * ctx.external.balanced_at(position);
        let uniform = match ctx.parameters.solver.wcsph.diffusion {
            DensityDiffusion::Molteni => Some(Vec3::ZERO),
            DensityDiffusion::Fourtakas if ctx.external.is_uniform() => Some(hydrostatic(Vec3::ZERO)),
            DensityDiffusion::Fourtakas => {
                sweep::map(count, slopes, |i| hydrostatic(positions[i]).extend(0.0));
                None
            }
            DensityDiffusion::Antuono => {
                gradients(kernel, ctx, (positions, densities, volumes), slopes);
                None
            }
        };
        match uniform {
            Some(slope) => {
                gather(count, rates, &Continuity { kernel, ctx, walls, buffers, slope: Uniform(slope) });
            }
            None => gather(count, rates, &Continuity { kernel, ctx, walls, buffers, slope: Mean(slopes) }),
        }
    }

    /// Decides how pressures act: the p_i of `p_i + p_j` below is the pressure and twice the background. Inside the fluid, where particles
    /// pull on each other and would clump, it is the opposite of the pressure (Sun2018).
    fn choose_signs<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        buffers: &GatherBuffers,
    ) {
        let Self { surface_indicators: indicators, own_pressures, .. } = self;
        let pressures = &particles.pressures;
        let wcsph = ctx.parameters.solver.wcsph;
        let background = wcsph.background_pressure;
        match wcsph.negative_pressure {
            NegativePressure::None => sweep::map(pressures.len(), own_pressures, |i| pressures[i] + 2.0 * background),
            NegativePressure::TensileControl => {
                // The buffers are of these positions since the densities were advanced.
                surface_indicators(kernel, ctx, &buffers.positions, walls, indicators);
                let least = threshold(ctx.discretization.dimensions);
                sweep::map(pressures.len(), own_pressures, |i| {
                    let pulls = pressures[i] + background < 0.0 && indicators[i].divergence >= least;
                    if pulls { -pressures[i] } else { pressures[i] + 2.0 * background }
                });
            }
        }
    }

    /// Pressure and viscosity in one pass, then whatever else acts between particles.
    fn compute_accelerations<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &mut BoundaryParticles,
        (forces, buffers): (&mut ForceState, &mut GatherBuffers),
    ) {
        let Self { own_pressures, accelerations, .. } = self;
        let Particles { positions, velocities, densities, pressures, .. } = particles;
        let flow = Flow { positions, velocities, densities };
        ForceState::prepare_walls(kernel, ctx, flow, walls);
        buffers.fill((positions, |i| pressures[i]), (velocities, |i| densities[i].recip()));
        let viscosity = Viscosity::of(ctx);
        let momentum = Momentum { kernel, ctx, walls, buffers, viscosity, own_pressures };
        gather(particles.len(), accelerations, &momentum);
        forces.add_others(kernel, ctx, flow, walls, accelerations);
    }
}
