//! Weakly compressible SPH with density diffusion, δ-SPH (Monaghan1994, Antuono2010, Fourtakas2019).
//!
//! Density follows the continuity equation and pressure follows density; both are explicit. Integration is one of two.
//!
//! Symplectic Euler evaluates the equations once: the density of a step uses the velocities that moved the particles there, the
//! velocities use the pressure of that density, and the positions use those velocities. The symplectic predictor–corrector evaluates
//! them at the beginning and in the middle of the step, and is of second order (Dominguez2022).

mod continuity;
mod momentum;

use super::density_diffusion::gradients;
use super::surface::{Filling, fillings, threshold};
use super::{Advance, DensityDiffusion, EquationOfState, Integration, NegativePressure, Step};
use crate::boundary::{BoundaryParticles, Continuation, extend_to_planes};
use crate::clock::Clock;
use crate::forces::{Flow, ForceState, Viscosity};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::memory::held;
use crate::particles::Particles;
use crate::records::Records;
use crate::stats::Phase;
use crate::surroundings::Surroundings;
use crate::sweep;
use crate::time_step::{Motion, time_step};
use continuity::{Continuity, Mean, Uniform};
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
    fillings: Vec<Filling>,
    /// p_i of the sum p_i + p_j that acts between particle i and its neighbours, Pa, background and sign included.
    own_pressures: Vec<f32>,
    continuation: Continuation,
    /// The particles in the middle of the step, where it is looked at.
    midpoint: Particles,
    /// dv/dt, m/s².
    accelerations: Vec<Vec3>,
}

/// What the continuity pass finds out about a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    /// dρ/dt, kg/(m³ s).
    density: f32,
    /// max |h v_ij·x_ij / (r² + η²)| over its neighbours, m/s.
    approach: f32,
}

impl Wcsph {
    /// Bytes on the heap: of every pair, and of every particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self { volumes, rates, gradients, fillings, own_pressures, continuation, midpoint, accelerations } = self;
        let numbers = held(volumes) + held(rates) + held(fillings) + held(own_pressures);
        [0, numbers + held(gradients) + held(accelerations) + midpoint.memory() + continuation.memory()]
    }

    /// dv/dt of every particle, m/s², from the last evaluation.
    #[cfg(test)]
    pub fn accelerations(&self) -> &[Vec3] {
        &self.accelerations
    }

    /// One step: densities and pressures of the present positions, then accelerations and dt, then velocities.
    pub fn advance(&mut self, around: &Surroundings<'_>, step: &mut Step<'_>) -> Advance {
        let Step { particles, walls, forces, records, phases, .. } = step;
        let motion = self.evaluate(around, particles, walls, (forces, records), phases);
        let length = time_step(around, motion);
        let dt = length.dt;
        let lag = match around.parameters.solver.wcsph.integration {
            Integration::SymplecticEuler => {
                self.step_once(around, dt, step);
                dt
            }
            Integration::PredictorCorrector => {
                self.step_twice(around, dt, step);
                0.0
            }
        };
        Advance { step: length, lag, ..Advance::NONE }
    }

    /// `v += dt a`. Positions follow with the new velocities, densities in the next step.
    fn step_once(&self, around: &Surroundings<'_>, dt: f32, step: &mut Step<'_>) {
        let Step { particles, walls, moves, phases, forces, .. } = step;
        let (velocities, accelerations) = (&particles.velocities, &self.accelerations);
        phases.measure(Phase::Integrate, || {
            sweep::map(particles.len(), &mut moves.velocities, |i| velocities[i] + dt * accelerations[i]);
        });
        phases.measure(Phase::Forces, || {
            forces.resist(around, (&particles.positions, walls), dt, &mut moves.velocities).is_some()
        });
    }

    /// Half a step with what the beginning says, then the whole step with what the middle says; `x += ½ dt (v + v_new)`,
    /// `ρ ← ρ (2 − ε)/(2 + ε)` with `ε = −dt ρ'/ρ` of the middle.
    fn step_twice(&mut self, around: &Surroundings<'_>, dt: f32, step: &mut Step<'_>) {
        let Step { particles, walls, moves, phases, forces, records } = step;
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
        let middle = Surroundings { lag: 0.0, outside: around.outside.later(half), ..*around };
        self.evaluate(&middle, &mut midpoint, walls, (forces, records), phases);
        phases.measure(Phase::Integrate, || {
            let (accelerations, rates) = (&self.accelerations, &self.rates);
            let Particles { velocities, densities, pressures, .. } = &mut **particles;
            sweep::map(count, &mut moves.velocities, |i| velocities[i] + dt * accelerations[i]);
            sweep::map(count, &mut moves.transport, |i| velocities[i] + half * accelerations[i]);
            sweep::update(densities, |i, density| {
                let epsilon = -dt * rates[i].density / midpoint.densities[i];
                *density *= (2.0 - epsilon) / (2.0 + epsilon);
            });
            let state = EquationOfState::of(around.discretization, around.parameters);
            sweep::map(count, pressures, |i| state.pressure(densities[i]));
        });
        phases.measure(Phase::Forces, || {
            if let Some(change) = forces.resist(around, (&midpoint.positions, walls), dt, &mut moves.velocities) {
                sweep::update(&mut moves.transport, |i, velocity| *velocity += 0.5 * change[i]);
            }
        });
        self.midpoint = midpoint;
    }

    /// Brings densities and pressures to the present positions, and computes accelerations from them.
    pub fn evaluate(
        &mut self,
        around: &Surroundings<'_>,
        particles: &mut Particles,
        walls: &mut BoundaryParticles,
        (forces, records): (&mut ForceState, &mut Records),
        phases: &mut Clock,
    ) -> Motion {
        with_kernel!(around.kernel, kernel => {
            phases.measure(Phase::Density, || self.advance_density(kernel, around, particles, walls, records));
            phases.measure(Phase::Density, || self.choose_signs(kernel, around, particles, walls, records));
            phases.measure(Phase::Walls, || {
                let Particles { positions, densities, pressures, .. } = &*particles;
                let state = |f: usize| (pressures[f], densities[f]);
                let floor = EquationOfState::of(around.discretization, around.parameters).floor();
                self.continuation.prepare(kernel, around, positions, walls, Some(around.outside));
                self.continuation.extend(around, walls, floor, state);
                extend_to_planes(kernel, around, positions, &mut walls.at_planes, Some(around.outside), floor, state);
            });
            phases.measure(Phase::Forces, || self.compute_accelerations(kernel, around, particles, walls, (forces, records)));
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
        around: &Surroundings<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        records: &mut Records,
    ) {
        let count = particles.len();
        sweep::map(count, &mut self.volumes, |i| around.mass / particles.densities[i]);
        self.compute_rates(kernel, around, particles, walls, records);
        let Self { volumes, rates, .. } = self;
        let Particles { densities, pressures, .. } = particles;
        let state = EquationOfState::of(around.discretization, around.parameters);
        sweep::update(densities, |i, density| *density += around.lag * rates[i].density);
        sweep::map(count, pressures, |i| state.pressure(densities[i]));
        sweep::map(count, volumes, |i| around.mass / densities[i]);
    }

    /// Continuity, with the diffusion that is chosen.
    fn compute_rates<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        around: &Surroundings<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        records: &mut Records,
    ) {
        let Self { volumes, rates, gradients: slopes, .. } = self;
        let Particles { positions, velocities, densities, .. } = particles;
        let count = particles.len();
        records.fill((positions, |i| volumes[i]), (velocities, |i| densities[i]));
        let records = &*records;
        let sound_speed = around.parameters.fluid.sound_speed;
        let compressibility = around.discretization.rest_density / (sound_speed * sound_speed);
        let hydrostatic = |place| compressibility * around.outside.balanced_at(place);
        let uniform = match around.parameters.solver.wcsph.diffusion {
            DensityDiffusion::Molteni => Some(Vec3::ZERO),
            DensityDiffusion::Fourtakas if around.outside.is_uniform() => Some(hydrostatic(Vec3::ZERO)),
            DensityDiffusion::Fourtakas => {
                sweep::map(count, slopes, |i| hydrostatic(positions[i]).extend(0.0));
                None
            }
            DensityDiffusion::Antuono => {
                gradients(kernel, around, (positions, densities, volumes), slopes);
                None
            }
        };
        match uniform {
            Some(slope) => {
                sweep::gather(count, rates, &Continuity { kernel, around, walls, records, slope: Uniform(slope) });
            }
            None => sweep::gather(count, rates, &Continuity { kernel, around, walls, records, slope: Mean(slopes) }),
        }
    }

    /// Decides how pressures act: the p_i of `p_i + p_j` below is the pressure and twice the background. Inside the fluid, where particles
    /// pull on each other and would clump, it is the opposite of the pressure (Sun2018).
    fn choose_signs<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        around: &Surroundings<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        records: &Records,
    ) {
        let Self { fillings: filled, own_pressures, .. } = self;
        let pressures = &particles.pressures;
        let wcsph = around.parameters.solver.wcsph;
        let background = wcsph.background_pressure;
        match wcsph.negative_pressure {
            NegativePressure::None => sweep::map(pressures.len(), own_pressures, |i| pressures[i] + 2.0 * background),
            NegativePressure::TensileControl => {
                // The records are of these positions since the densities were advanced.
                fillings(kernel, around, &records.places, walls, filled);
                let least = threshold(around.discretization.dimensions);
                sweep::map(pressures.len(), own_pressures, |i| {
                    let pulls = pressures[i] + background < 0.0 && filled[i].divergence >= least;
                    if pulls { -pressures[i] } else { pressures[i] + 2.0 * background }
                });
            }
        }
    }

    /// Pressure and viscosity in one pass, then whatever else acts between particles.
    fn compute_accelerations<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        around: &Surroundings<'_>,
        particles: &Particles,
        walls: &mut BoundaryParticles,
        (forces, records): (&mut ForceState, &mut Records),
    ) {
        let Self { own_pressures, accelerations, .. } = self;
        let Particles { positions, velocities, densities, pressures, .. } = particles;
        let flow = Flow { positions, velocities, densities };
        ForceState::prepare_walls(kernel, around, flow, walls);
        records.fill((positions, |i| pressures[i]), (velocities, |i| densities[i].recip()));
        let viscosity = Viscosity::of(around);
        let momentum = Momentum { kernel, around, walls, records, viscosity, own_pressures };
        sweep::gather(particles.len(), accelerations, &momentum);
        forces.add_others(kernel, around, flow, walls, accelerations);
    }
}
