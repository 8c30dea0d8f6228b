//! Evaluation of the equations of WCSPH: continuity, equation of state, acoustic damper, wall pressures, momentum.

use super::Wcsph;
use super::continuity::{ContinuityPass, Mean, Uniform};
use super::density_diffusion::gradients;
use super::momentum::MomentumPass;
use crate::boundary::{BoundaryParticles, Reactions, Solids};
use crate::forces::{Flow, ForceState, Viscosity};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::parameters::{DensityDiffusion, NegativePressure};
use crate::particles::Particles;
use crate::passes::{GatherBuffers, StepContext, gather, sweep};
use crate::report::{Clock, Phase};
use crate::solver::EquationOfState;
use crate::solver::surface::{surface_indicators, threshold};
use crate::solver::time_step::FlowMaxima;
use crate::space::lattice_neighbors;
use glam::Vec3;

impl Wcsph {
    /// Brings densities and pressures up to date with the positions, and computes accelerations from them. Returns the maxima
    /// that limit dt.
    pub(super) fn evaluate(
        &mut self,
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &mut BoundaryParticles,
        (forces, buffers): (&mut ForceState, &mut GatherBuffers),
        phases: &mut Clock,
    ) -> FlowMaxima {
        with_kernel!(ctx.kernel, kernel => {
            // Continuity: ρ += Δt dρ/dt, with the age Δt of the densities; equation of state: p = p(ρ) (Monaghan1994).
            phases.measure(Phase::Density, || self.advance_density(kernel, ctx, particles, walls, buffers));
            // Acoustic damper: q_i = −α₂ ρ₀ c₀ h ∇·v (Sun2023).
            phases.measure(Phase::Density, || self.compute_damping_pressures(ctx));
            // Tensile control: p_i of the sum p_i + p_j (Sun2018).
            phases.measure(Phase::Density, || self.compute_own_pressures(kernel, ctx, particles, walls, buffers));
            // Wall pressures: p_b = Σ_f [p_f + ρ_f (g − a_b)·(x_b − x_f)] W_bf / Σ_f W_bf (Adami2012, eq. 27), or as chosen.
            phases.measure(Phase::Walls, || {
                let Particles { positions, densities, pressures, .. } = &*particles;
                let state = |f: usize| (pressures[f], densities[f]);
                let floor = EquationOfState::of(ctx.discretization, ctx.parameters).floor();
                self.wall_extrapolation.prepare(kernel, ctx, positions, walls, Some(ctx.external));
                self.wall_extrapolation.extend(kernel, ctx, (positions, walls), (Some(ctx.external), floor), state);
            });
            // Momentum: dv_i/dt = −1/ρ_i Σ_j V_j (p_i + p_j) ∇W + viscosity + g.
            phases.measure(Phase::Forces, || self.compute_accelerations(kernel, ctx, particles, walls, (forces, buffers)));
        });
        let (count, state) = (particles.len(), EquationOfState::of(ctx.discretization, ctx.parameters));
        phases.measure(Phase::Integrate, || FlowMaxima {
            stiffening: state.stiffening(sweep::max(count, |i| ctx.lightness(i) * particles.densities[i])),
            approach_speed: sweep::max(count, |i| self.rates[i].approach),
            acceleration: sweep::max(count, |i| self.accelerations[i].length()),
            solid_speed: walls.max_speed(),
        })
    }

    /// Adds the reactions to the accelerations of the last evaluation, which act for `duration`, s.
    pub(super) fn react(
        &self,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        (duration, reactions): (f32, &mut Reactions),
    ) {
        let Particles { positions, velocities, densities, .. } = particles;
        let flow = Flow { positions, velocities, densities };
        with_kernel!(ctx.kernel, kernel => {
            let solids = Solids { kernel, ctx, walls };
            // Tensile control changes the sign of p_i in the sum over all neighbours, where Σ V ∇W is about 0; in the part of the
            // walls alone it is not, and `p_b − p_i` would be no stress. So solids feel p_i + p_b (Bouscasse2013).
            let background = ctx.parameters.solver.wcsph.background_pressure;
            let own = |i: usize| particles.pressures[i] + self.damping_pressures[i] + 2.0 * background;
            solids.react_to_pressure(positions, (own, densities), duration, reactions);
            ForceState::react(kernel, ctx, flow, walls, (duration, reactions));
        });
    }

    /// Advances the densities by the continuity equation with density diffusion, then sets the pressures by the equation of
    /// state.
    fn advance_density<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &mut Particles,
        walls: &BoundaryParticles,
        buffers: &mut GatherBuffers,
    ) {
        let count = particles.len();
        sweep::map(count, &mut self.volumes, |i| ctx.mass / (ctx.lightness(i) * particles.densities[i]));
        self.compute_rates(kernel, ctx, particles, walls, buffers);
        let Self { volumes, rates, .. } = self;
        let Particles { densities, pressures, .. } = particles;
        let state = EquationOfState::of(ctx.discretization, ctx.parameters);
        sweep::update(densities, |i, density| *density += ctx.density_age * rates[i].density);
        sweep::map(count, pressures, |i| state.pressure(ctx.lightness(i) * densities[i]));
        sweep::map(count, volumes, |i| ctx.mass / (ctx.lightness(i) * densities[i]));
    }

    /// Computes dρ/dt, with the form of density diffusion in the parameters.
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
        buffers.fill((positions, |i| volumes[i]), (velocities, |i| ctx.lightness(i) * densities[i]));
        let buffers = &*buffers;
        let sound_speed = ctx.parameters.fluid.sound_speed;
        let compressibility = ctx.discretization.rest_density / (sound_speed * sound_speed);
        let hydrostatic = |position| compressibility * ctx.external.balanced_at(position);
        let uniform = match ctx.parameters.solver.wcsph.diffusion {
            DensityDiffusion::Molteni => Some(Vec3::ZERO),
            DensityDiffusion::Fourtakas if ctx.external.is_uniform() && ctx.mixture.is_none() => Some(hydrostatic(Vec3::ZERO)),
            DensityDiffusion::Fourtakas => {
                sweep::map(count, slopes, |i| (ctx.relative_rest_density(i) * hydrostatic(positions[i])).extend(0.0));
                None
            }
            DensityDiffusion::Antuono => {
                gradients(kernel, ctx, (positions, densities, volumes), slopes);
                None
            }
        };
        let solids = Solids { kernel, ctx, walls };
        let full_support = lattice_neighbors(ctx.discretization) as f32;
        match uniform {
            Some(slope) => {
                gather(count, rates, &ContinuityPass { solids, buffers, slope: Uniform(slope), full_support });
            }
            None => gather(count, rates, &ContinuityPass { solids, buffers, slope: Mean(slopes), full_support }),
        }
    }

    /// Computes the pressure of the acoustic damper, `q_i = −α₂ ρ₀ c₀ h ∇·v` (Sun2023): a bulk viscosity, which damps sound and
    /// what an impact sets off, and nothing in an incompressible flow. As the pressure force is the adjoint of the divergence, it
    /// takes energy and never gives any.
    fn compute_damping_pressures(&mut self, ctx: &StepContext<'_>) {
        let Self { rates, damping_pressures, .. } = self;
        let impedance = ctx.discretization.rest_density * ctx.parameters.fluid.sound_speed;
        let coefficient = ctx.parameters.solver.wcsph.damping(ctx.discretization) * impedance * ctx.smoothing_length();
        // Fluids of the same stiffness ρ₀c² have impedances ρ₀c that fall with the root of their lightness.
        sweep::map(rates.len(), damping_pressures, |i| coefficient / ctx.lightness(i).sqrt() * rates[i].compression);
    }

    /// Computes p_i of the sum `p_i + p_j`: the pressure and that of the damper plus twice the background pressure. With tensile
    /// control a negative pressure inside the fluid changes its sign, so that the sum is `p_j − p_i` and particles do not clump
    /// (Sun2018).
    fn compute_own_pressures<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        buffers: &GatherBuffers,
    ) {
        let Self { surface_indicators: indicators, own_pressures, damping_pressures: damping, .. } = self;
        let pressures = &particles.pressures;
        let wcsph = ctx.parameters.solver.wcsph;
        let background = wcsph.background_pressure;
        match wcsph.negative_pressure {
            NegativePressure::None | NegativePressure::Kept => {
                sweep::map(pressures.len(), own_pressures, |i| pressures[i] + damping[i] + 2.0 * background);
            }
            NegativePressure::TensileControl => {
                // The buffers still hold these positions, from advancing the densities.
                surface_indicators(Solids { kernel, ctx, walls }, &buffers.positions, indicators);
                let threshold = threshold(ctx.discretization.dimensions);
                sweep::map(pressures.len(), own_pressures, |i| {
                    let is_tension = pressures[i] + background < 0.0 && indicators[i].divergence >= threshold;
                    damping[i] + if is_tension { -pressures[i] } else { pressures[i] + 2.0 * background }
                });
            }
        }
    }

    /// Computes dv/dt: pressure and viscosity in one pass, then the other forces between particles.
    fn compute_accelerations<K: SmoothingKernel>(
        &mut self,
        kernel: K,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &mut BoundaryParticles,
        (forces, buffers): (&mut ForceState, &mut GatherBuffers),
    ) {
        let Self { own_pressures, accelerations, damping_pressures: damping, .. } = self;
        let Particles { positions, velocities, densities, pressures, spins, .. } = particles;
        let flow = Flow { positions, velocities, densities };
        ForceState::prepare_walls(kernel, ctx, flow, walls);
        buffers.fill((positions, |i| pressures[i] + damping[i]), (velocities, |i| (ctx.lightness(i) * densities[i]).recip()));
        let viscosity = Viscosity::of(ctx);
        let solids = Solids { kernel, ctx, walls };
        let pass = MomentumPass { solids, buffers, viscosity, own_pressures };
        gather(particles.len(), accelerations, &pass);
        forces.add_others(kernel, ctx, flow, walls, spins, accelerations);
    }
}
