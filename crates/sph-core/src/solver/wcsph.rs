//! Weakly compressible SPH, WCSPH, with density diffusion, δ-SPH (Monaghan1994, Antuono2010, Fourtakas2019).
//!
//! 1. Continuity: `dρ_i/dt = ρ_i Σ_j V_j v_ij·∇W + δ h c₀ Σ_j V_j ψ_ij·∇W` (Antuono2010, Fourtakas2019 or Molteni2009 for ψ).
//!    In spray the density relaxes to ρ₀ as well; see `ContinuityPass`.
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

use super::surface::{SurfaceIndicator, surface_indicators, threshold};
use super::time_step::{FlowMaxima, time_step};
use super::{EquationOfState, SolveReport, StepState};
use crate::boundary::{BoundaryParticles, Reactions, SolidTerms, WallPressureExtrapolation};
use crate::forces::{Flow, ForceInput, ForceState, Pair, Viscosity};
use crate::kernel::{SmoothingKernel, with_kernel};
use crate::neighbors::{ListRows, NeighborLists};
use crate::parameters::{DensityDiffusion, Integration, NegativePressure};
use crate::particles::Particles;
use crate::passes::{Gather, GatherBuffers, StepContext, gather, sweep};
use crate::report::{Clock, Phase, held};
use crate::simd::{Indices, Lanes, Vec3Lanes};
use crate::space::lattice_neighbors;
use glam::{Mat3, Vec3, Vec4};

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

// Evaluation of the equations of WCSPH: continuity, equation of state, acoustic damper, wall pressures, momentum.

impl Wcsph {
    /// Brings densities and pressures up to date with the positions, and computes accelerations from them. Returns the maxima
    /// that limit dt.
    fn evaluate(
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
                self.wall_extrapolation.prepare(kernel, ctx, positions, walls, ctx.external);
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
    fn react(
        &self,
        ctx: &StepContext<'_>,
        particles: &Particles,
        walls: &BoundaryParticles,
        (duration, reactions): (f32, &mut Reactions),
    ) {
        let Particles { positions, velocities, densities, spins, .. } = particles;
        let flow = Flow { positions, velocities, densities };
        with_kernel!(ctx.kernel, kernel => {
            let solids = SolidTerms { kernel, ctx, walls };
            // Tensile control changes the sign of p_i in the sum over all neighbours, where Σ V ∇W is about 0; in the part of the
            // walls alone it is not, and `p_b − p_i` would be no stress. So solids feel p_i + p_b (Bouscasse2013).
            let background = ctx.parameters.solver.wcsph.background_pressure;
            let own = |i: usize| particles.pressures[i] + self.damping_pressures[i] + 2.0 * background;
            solids.react_to_pressure(positions, (own, densities), duration, reactions);
            ForceState::react(ForceInput { kernel, ctx, flow, walls, spins }, duration, reactions);
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
        let solids = SolidTerms { kernel, ctx, walls };
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
                surface_indicators(SolidTerms { kernel, ctx, walls }, &buffers.positions, indicators);
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
        let solids = SolidTerms { kernel, ctx, walls };
        let pass = MomentumPass { solids, buffers, viscosity, own_pressures };
        gather(particles.len(), accelerations, &pass);
        forces.add_others(ForceInput { kernel, ctx, flow, walls, spins }, accelerations);
    }
}

// Continuity pass of WCSPH: rate of change of the density.
//
// The continuity equation sees no expansion of a particle that has no neighbours to move away from. A drop of one or two
// particles would keep the density with which it left a splash, bring its pressure along, and throw apart whatever it meets.
// So the density of spray relaxes to the rest density, in the time in which sound crosses the smoothing length.

/// Fill of the support below which a particle is spray. At a flat surface 0.57 to 0.63 of the lattice's neighbours are there, at a
/// right-angled corner in the plane 0.32 to 0.38. Nearer one half, the convex surface of a drop would be spray, and the drop too stiff.
const SPRAY_FILL: f32 = 0.35;

/// Pass for `dρ_i/dt = ρ_i Σ_j V_j v_ij·∇W + δ h c₀ Σ_j V_j ψ_ij·∇W`, `ψ_ij = 2 Δρ_ij (x_j − x_i)/(r² + η²)`.
///
/// Δρ is the density difference less the part explained by `slope`. Walls contribute to the first sum only. In spray, with a
/// fill f of the support below f₀ = 0.35, the rate has the term `−(1 − f/f₀) (ρ_i − ρ₀) c₀/h` as well.
struct ContinuityPass<'a, K, S> {
    pub solids: SolidTerms<'a, K>,
    /// Positions with volumes m/ρ, m³, and velocities with densities, kg/m³.
    pub buffers: &'a GatherBuffers,
    pub slope: S,
    /// Number of neighbours in a full support: those on the lattice.
    pub full_support: f32,
}

/// Result of the continuity pass for a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    /// Rate dρ/dt, kg/(m³ s).
    pub density: f32,
    /// Compression rate −∇·v, 1/s.
    pub compression: f32,
    /// Approach speed max |h v_ij·x_ij / (r² + η²)| over the neighbours, m/s.
    pub approach: f32,
}

/// Density gradient of a pair that diffusion leaves alone, kg/m⁴.
trait Slope: Sync {
    /// Gradient between particle i and the particles of `indices`.
    fn of<L: Lanes>(&self, i: usize, indices: Indices<'_>) -> Vec3Lanes<L>;
}

/// One gradient for all pairs: zero (Molteni2009), or hydrostatic to first order in g Δy / c₀² (Fourtakas2019), which at c₀ =
/// 10 √(gH) neglects 3 % · Δy/H.
struct Uniform(pub Vec3);

impl Slope for Uniform {
    #[inline(always)]
    fn of<L: Lanes>(&self, _: usize, _: Indices<'_>) -> Vec3Lanes<L> {
        Vec3Lanes::splat(self.0)
    }
}

/// Mean of the gradients of the two particles (Antuono2010).
struct Mean<'a>(pub &'a [Vec4]);

impl Slope for Mean<'_> {
    #[inline(always)]
    fn of<L: Lanes>(&self, i: usize, indices: Indices<'_>) -> Vec3Lanes<L> {
        let [x, y, z, _] = L::gather(self.0, indices);
        (Vec3Lanes { x, y, z } + Vec3Lanes::splat(self.0[i].truncate())) * L::splat(0.5)
    }
}

impl<K: SmoothingKernel, S: Slope> Gather for ContinuityPass<'_, K, S> {
    type Value = Rate;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.solids.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Rate {
        let Self { solids, buffers: GatherBuffers { positions, vectors: motions }, .. } = *self;
        let SolidTerms { kernel, ctx, .. } = solids;
        let fluid = &ctx.parameters.fluid;
        let (h, eta_squared) = (ctx.smoothing_length(), ctx.eta_squared());
        let (position, velocity, density) = (positions[i].truncate(), motions[i].truncate(), motions[i].w);
        let (mut divergence, mut diffused, mut approach) = (L::splat(0.0), L::splat(0.0), L::splat(0.0));
        for (block, left) in rows.blocks(i) {
            let [x, y, z, volume] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let [x, y, z, other] = L::gather(motions, block);
            let v_x = (Vec3Lanes::splat(velocity) - Vec3Lanes { x, y, z }).dot(x_ij).keep(left);
            let r_squared = x_ij.length_squared();
            let inverse = L::splat(1.0) / (r_squared + eta_squared);
            let volume_dw = (volume * kernel.dw_over_r(r_squared.sqrt())).keep(left);
            divergence = divergence + volume_dw * v_x;
            let difference = other - density + self.slope.of(i, block).dot(x_ij);
            diffused = diffused - volume_dw * difference * r_squared * inverse;
            approach = approach.max((v_x * inverse).abs());
        }
        let against = solids.compression(i, position, velocity);
        let compression = divergence.sum() + against.rate;
        let diffusion = 2.0 * fluid.density_diffusion * h * fluid.sound_speed;
        let spray = (1.0 - solids.fill(i, self.full_support) / SPRAY_FILL).max(0.0);
        let relaxation = spray * fluid.sound_speed / h * (density - ctx.discretization.rest_density);
        Rate {
            density: ctx.relative_rest_density(i) * (density * compression + diffusion * diffused.sum() - relaxation),
            compression,
            approach: h * approach.largest().max(against.approach),
        }
    }
}

// Density gradients for the density diffusion of Antuono2010.

/// Smallest determinant of L_i⁻¹, 1 inside the fluid: below it a particle has too few neighbours for a gradient.
const LEAST_DETERMINANT: f32 = 0.05;

/// Computes the density gradient of every particle, kg/m⁴: `G_i = L_i Σ_j V_j (ρ_j − ρ_i) ∇W` with
/// `L_i = [Σ_j V_j (x_j − x_i) ⊗ ∇W]⁻¹` (Antuono2010). Zero with too few neighbours.
pub(crate) fn gradients<K: SmoothingKernel>(
    kernel: K,
    ctx: &StepContext<'_>,
    (positions, densities, volumes): (&[Vec3], &[f32], &[f32]),
    out: &mut Vec<Vec4>,
) {
    let planar = ctx.discretization.dimensions.count() == 2;
    sweep::map(positions.len(), out, |i| {
        let (mut matrix, mut sum) = (Mat3::ZERO, Vec3::ZERO);
        for &j in ctx.fluid.of(i) {
            let j = j as usize;
            let x_ij = ctx.minimum_image(positions[i], positions[j]);
            let gradient = volumes[j] * kernel.grad_w(x_ij);
            sum += (ctx.lightness(j) * densities[j] - ctx.lightness(i) * densities[i]) * gradient;
            // Columns of (x_j − x_i) ⊗ ∇W; the matrix is symmetric.
            matrix -= Mat3::from_cols(x_ij * gradient.x, x_ij * gradient.y, x_ij * gradient.z);
        }
        if planar {
            matrix.z_axis.z = 1.0;
        }
        // NaN fails the comparison: no gradient.
        let gradient = if matrix.determinant() > LEAST_DETERMINANT { matrix.inverse() * sum } else { Vec3::ZERO };
        gradient.extend(0.0)
    });
}

/// Pass for `dv_i/dt = −1/ρ_i Σ_j V_j (p_i + p_j) ∇W + viscosity + external forces`. This form of the pressure term conserves
/// energy together with [`ContinuityPass`].
struct MomentumPass<'a, K> {
    pub solids: SolidTerms<'a, K>,
    /// Positions with pressures p + q, Pa, and velocities with 1/ρ, m³/kg.
    pub buffers: &'a GatherBuffers,
    pub viscosity: Option<Viscosity>,
    /// p_i of the sum p_i + p_j, Pa, with damper, background pressure and sign.
    pub own_pressures: &'a [f32],
}

impl<K: SmoothingKernel> Gather for MomentumPass<'_, K> {
    type Value = Vec3;
    type Source = NeighborLists;

    fn source(&self) -> &NeighborLists {
        self.solids.ctx.fluid
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: ListRows<'_>, i: usize) -> Vec3 {
        let Self { solids, buffers: GatherBuffers { positions, vectors: motions }, viscosity, own_pressures } = *self;
        let SolidTerms { kernel, ctx, .. } = solids;
        let (position, pressure) = (positions[i].truncate(), own_pressures[i]);
        let (velocity, per_density) = (motions[i].truncate(), motions[i].w);
        let (mut pressure_force, mut viscous) = (Vec3Lanes::<L>::zero(), Vec3Lanes::<L>::zero());
        for (block, left) in rows.blocks(i) {
            let [x, y, z, other_pressure] = L::gather(positions, block);
            let x_ij = ctx.minimum_image_lanes(position, Vec3Lanes { x, y, z });
            let [x, y, z, other_per_density] = L::gather(motions, block);
            let r_squared = x_ij.length_squared();
            let dw_over_r = kernel.dw_over_r(r_squared.sqrt()).keep(left);
            // V_j = m/ρ_j.
            pressure_force = pressure_force - x_ij * ((other_pressure + pressure) * dw_over_r * other_per_density);
            if let Some(viscosity) = &viscosity {
                let v_ij = Vec3Lanes::splat(velocity) - Vec3Lanes { x, y, z };
                let per_density = [L::splat(per_density), other_per_density];
                let pair = Pair { x_ij, v_ij, per_density, r_squared, dw_over_r };
                viscous = viscous
                    + match ctx.mixture {
                        None => viscosity.acceleration(pair),
                        Some(mixture) => viscosity.acceleration_in(mixture, i, block, pair),
                    };
            }
        }
        let at = (i, position);
        let pressure_force = solids.add_pressure_force(ctx.mass * pressure_force.sum(), at, (pressure, per_density));
        let drag = viscosity.map_or(Vec3::ZERO, |viscosity| solids.drag(viscosity.laminar, at, velocity, per_density.recip()));
        ctx.lightness(i) * (per_density * pressure_force + viscous.sum() + drag) + ctx.external.at(position)
    }
}
