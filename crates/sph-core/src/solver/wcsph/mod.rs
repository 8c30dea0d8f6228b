//! Weakly compressible SPH, WCSPH, with density diffusion, δ-SPH (Monaghan1994, Antuono2010, Fourtakas2019).
//!
//! What depends on where the particles are is computed once, at the beginning of a step: V∇W of all pairs, with the rest volume
//! V = m/ρ₀, viscosity and other forces. Then come one or more acoustic steps, each within the limit of sound:
//!
//! 1. Continuity: `dρ_i/dt = ρ₀ Σ_j V v_ij·∇W + δ h c₀ Σ_j V ψ_ij·∇W` (Antuono2010, Fourtakas2019 or Molteni2009 for ψ).
//!    In spray the density relaxes to ρ₀ as well; see `ContinuityPass`.
//! 2. Equation of state: `p = B[(ρ/ρ₀)⁷ − 1]`, `B = ρ₀c₀²/7` (Monaghan1994).
//! 3. Acoustic damper: `q = −α ρ₀ c₀ h ∇·v`, added to the pressure between particles (Sun2023); see `Damper`.
//! 4. Wall pressures p_b, extrapolated from the fluid (Adami2012, eq. 27).
//! 5. Momentum: `dv_i/dt = −Σ_j V (k_i + k_j) ∇W + viscosity + g` with k = ρ₀(p + q)/ρ². With the continuity equation above this
//!    form conserves energy and momentum (Monaghan1994). Walls have the density of the fluid beside them: their parts of both sums
//!    have the factor R = ρ/ρ₀, as their volumes do not shrink.
//! 6. dt from the limits of sound, force, viscosity and surface tension.
//! 7. Integration, with one of two schemes. Symplectic Euler evaluates 1 to 5 once in an acoustic step: the density uses the
//!    velocities of the acoustic step before, the velocities use the pressure of that density. After the last one the positions follow
//!    with its velocities (docs/adr/0042). The symplectic predictor–corrector evaluates 1 to 5 at the beginning and in the middle of
//!    a step of a single acoustic step, and is of second order (Dominguez2022).
//!
//! With several fluids ρ stands for the density times the lightness b, as if of the reference fluid, and accelerations have the
//! factor b.
//!
//! | symbol | name here | meaning |
//! |---|---|---|
//! | dρ/dt | `rates` | rate of the density |
//! | G_i | `slopes` | density gradient that diffusion leaves alone |
//! | p | `Particles::pressures` | pressure by the equation of state |
//! | k_j of k_i + k_j | `k` | ρ₀(p + q)/ρ², with the pressure q of the acoustic damper |
//! | k_i of k_i + k_j | `own_k` | the same with background pressure and tensile control (Sun2018) |
//! | dv/dt | `accelerations` | acceleration |

mod standing;

use self::standing::Standing;
use super::gradients::{BothRows, Gradients, Pairs};
use super::surface::{SurfaceIndicator, threshold};
use super::time_step::{AcousticSteps, FlowMaxima, explicit_factor, strongest_damping, time_step};
use super::{EquationOfState, SolveReport, StepState};
use crate::boundary::{BoundaryParticles, PlanePressures, Pressures, Reactions, SolidTerms, WallPressureExtrapolation};
use crate::forces::{Flow, ForceInput, ForceState};
use crate::kernel::with_kernel;
use crate::parameters::{Discretization, Integration, NegativePressure, Parameters, TimeStepParameters};
use crate::particles::Particles;
use crate::passes::{Gather, GatherBuffers, StepContext, gather, sweep};
use crate::report::{Clock, Phase, held};
use crate::simd::Lanes;
use glam::{Vec3, Vec4};

/// State and workspace of the solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wcsph {
    /// V∇W of all pairs, and the weights of their density diffusion.
    gradients: Gradients,
    /// Sums over the neighbours at the beginning of the step, the same in all its acoustic steps.
    standing: Vec<Standing>,
    /// dv/dt by all forces but pressure, m/s².
    forces: Vec<Vec3>,
    /// Densities at the beginning of the step, kg/m³, of which `forces` are.
    densities: Vec<f32>,
    /// Approach speed, the largest of all particles, m/s.
    approach_speed: f32,
    /// Density gradients, kg/m⁴, for the forms of diffusion that need one per particle.
    slopes: Vec<Vec4>,
    /// Surface indicators, for tensile control.
    surface_indicators: Vec<SurfaceIndicator>,
    rates: Vec<Rate>,
    /// ρ₀(p + q)/ρ², m²/s².
    k: Vec<f32>,
    /// k_i of the sum k_i + k_j that acts between particle i and its neighbours, m²/s², with background pressure and sign.
    own_k: Vec<f32>,
    /// k_i that solids feel, where it is another, m²/s².
    felt_k: Vec<f32>,
    wall_extrapolation: WallPressureExtrapolation,
    /// Particles in the middle of the step, for the predictor–corrector.
    midpoint: Particles,
    /// dv/dt, m/s².
    accelerations: Vec<Vec3>,
    mean_pressure: MeanPressure,
}

impl Wcsph {
    /// Bytes on the heap: per pair, and per particle.
    pub fn memory(&self) -> [usize; 2] {
        let Self {
            gradients,
            standing,
            forces,
            densities,
            approach_speed: _,
            slopes,
            surface_indicators,
            rates,
            k,
            own_k,
            felt_k,
            wall_extrapolation,
            midpoint,
            accelerations,
            mean_pressure,
        } = self;
        let numbers = held(standing)
            + held(densities)
            + held(surface_indicators)
            + held(rates)
            + held(k)
            + held(own_k)
            + held(felt_k)
            + mean_pressure.memory();
        let vectors = held(forces) + held(slopes) + held(accelerations);
        [gradients.memory(), numbers + vectors + midpoint.memory() + wall_extrapolation.memory()]
    }

    /// dv/dt of every particle, m/s², from the last evaluation.
    #[cfg(test)]
    pub fn accelerations(&self) -> &[Vec3] {
        &self.accelerations
    }

    /// Computes one step.
    pub fn advance(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        match ctx.parameters.solver.wcsph.integration {
            Integration::SymplecticEuler => self.advance_symplectic_euler(ctx, step),
            Integration::PredictorCorrector => self.advance_predictor_corrector(ctx, step),
        }
    }

    /// Symplectic Euler in acoustic steps: `v += dt dv/dt` in each, with the densities that the velocities before have made.
    /// Positions follow with the last velocities, and in the next step the densities of the last acoustic step.
    fn advance_symplectic_euler(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let StepState { particles, walls, velocity_update, forces, buffers, reactions, phases, .. } = step;
        let Particles { positions, velocities: before, densities, pressures, spins, viscosity_changes, .. } = &mut **particles;
        let velocities = &mut velocity_update.velocities;
        velocities.clone_from(before);
        let flow = Flow { positions, velocities: before, densities };
        self.prepare(ctx, (flow, spins), walls, (forces, buffers), phases);
        self.densities.clone_from(densities);
        let mut acoustic = AcousticSteps::of(ctx);
        let mut age = ctx.density_age;
        loop {
            let fluid = Fluid { positions, velocities, densities, pressures };
            let maxima = self.evaluate(ctx, age, fluid, walls, buffers, phases);
            if ctx.is_cancelled() {
                return SolveReport::NONE;
            }
            // dt: the tightest of the limits of sound, force, viscosity and surface tension.
            let dt = acoustic.add(time_step(ctx, maxima));
            phases.measure(Phase::Forces, || self.react_to_pressure(ctx, (positions, densities), walls, (dt, reactions)));
            // v += dt dv/dt.
            let speed = phases.measure(Phase::Integrate, || {
                let Self { accelerations, mean_pressure, .. } = self;
                sweep::update(velocities, |i, velocity| *velocity += dt * accelerations[i]);
                mean_pressure.add(ctx, (pressures, walls), dt, acoustic.count() == 1);
                sweep::max(velocities.len(), |i| velocities[i].length_squared()).sqrt()
            });
            age = dt;
            if acoustic.are_over(speed.max(maxima.solid_speed)) {
                break;
            }
        }
        let (acoustic_steps, time_step) = (acoustic.count(), acoustic.sum());
        if acoustic_steps > 1 {
            self.mean_pressure.write(ctx, time_step.dt, (pressures, walls));
        }
        write_wall_pressures(ctx, walls);
        phases.measure(Phase::Forces, || {
            let flow = Flow { positions, velocities: before, densities: &self.densities };
            react_to_forces(ctx, (flow, spins), walls, (time_step.dt, reactions));
            forces.solve_implicit_viscosity(ctx, (positions, walls), time_step.dt, (velocities, viscosity_changes), reactions);
        });
        SolveReport { time_step, acoustic_steps, density_age: age, ..SolveReport::NONE }
    }

    /// Symplectic predictor–corrector (Dominguez2022): half a step with the rates of the beginning, then the whole step with
    /// the rates of the middle; `x += ½ dt (v + v_new)`, `ρ ← ρ (2 − ε)/(2 + ε)` with `ε = −dt ρ'/ρ` of the middle.
    fn advance_predictor_corrector(&mut self, ctx: &StepContext<'_>, step: &mut StepState<'_>) -> SolveReport {
        let StepState { particles, walls, velocity_update, phases, forces, buffers, reactions, .. } = step;
        let count = particles.len();
        // Rates at the beginning, and dt.
        let maxima = self.evaluate_anew(ctx, particles, walls, (forces, buffers), phases);
        if ctx.is_cancelled() {
            return SolveReport::NONE;
        }
        let time_step = time_step(ctx, maxima);
        let (dt, half) = (time_step.dt, 0.5 * time_step.dt);
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
        self.evaluate_anew(&middle, &mut midpoint, walls, (forces, buffers), phases);
        phases.measure(Phase::Forces, || {
            let Particles { positions, velocities, densities, spins, .. } = &midpoint;
            self.react_to_pressure(&middle, (positions, densities), walls, (dt, reactions));
            react_to_forces(&middle, (Flow { positions, velocities, densities }, spins), walls, (dt, reactions));
        });
        write_wall_pressures(ctx, walls);
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
        SolveReport { time_step, acoustic_steps: 1, ..SolveReport::NONE }
    }

    /// Prepares and evaluates the equations for `particles`.
    fn evaluate_anew(
        &mut self,
        ctx: &StepContext<'_>,
        Particles { positions, velocities, densities, pressures, spins, .. }: &mut Particles,
        walls: &mut BoundaryParticles,
        (forces, buffers): (&mut ForceState, &mut GatherBuffers),
        phases: &mut Clock,
    ) -> FlowMaxima {
        self.prepare(ctx, (Flow { positions, velocities, densities }, spins), walls, (forces, buffers), phases);
        self.evaluate(ctx, ctx.density_age, Fluid { positions, velocities, densities, pressures }, walls, buffers, phases)
    }
}

/// Mean over the acoustic steps of a step: the pressure with which the impulse on walls is that of the step.
#[derive(Clone, Debug, Default)]
struct MeanPressure {
    /// Σ dt p of the fluid, Pa s.
    fluid: Vec<f32>,
    /// Σ dt k_b of the walls, m²/s.
    walls: Vec<f32>,
}

impl MeanPressure {
    fn memory(&self) -> usize {
        let Self { fluid, walls } = self;
        held(fluid) + held(walls)
    }

    /// Adds the pressures of an acoustic step of `dt`, s; those before are forgotten if it `is_first`.
    fn add(&mut self, ctx: &StepContext<'_>, (pressures, walls): (&[f32], &BoundaryParticles), dt: f32, is_first: bool) {
        let sum = |before: f32, pressure: f32| if is_first { dt * pressure } else { before + dt * pressure };
        self.fluid.resize(pressures.len(), 0.0);
        self.walls.resize(walls.len(), 0.0);
        sweep::update(&mut self.fluid, |i, impulse| *impulse = sum(*impulse, pressures[i]));
        ctx.wall_neighbors.update(&mut self.walls, |row, impulse| {
            *impulse = sum(*impulse, walls.pressures[ctx.wall_neighbors.row(row).0]);
        });
    }

    /// Writes the means over `time`, s.
    fn write(&self, ctx: &StepContext<'_>, time: f32, (pressures, walls): (&mut [f32], &mut BoundaryParticles)) {
        sweep::update(pressures, |i, pressure| *pressure = self.fluid[i] / time);
        ctx.wall_neighbors.update(&mut walls.pressures, |row, pressure| {
            *pressure = self.walls[ctx.wall_neighbors.row(row).0] / time;
        });
    }
}

/// Fluid of an evaluation.
struct Fluid<'a> {
    /// Positions, m, the same as those it was prepared for.
    positions: &'a [Vec3],
    velocities: &'a [Vec3],
    densities: &'a mut Vec<f32>,
    pressures: &'a mut Vec<f32>,
}

// Evaluation of the equations: continuity, equation of state, acoustic damper, wall pressures, momentum.

impl Wcsph {
    /// Advances the densities of `fluid`, which lag behind its velocities by `age` (s), and computes pressures and accelerations
    /// from them. Afterwards `walls.pressures` holds k_b, m²/s². Returns the maxima that limit dt.
    fn evaluate(
        &mut self,
        ctx: &StepContext<'_>,
        age: f32,
        fluid: Fluid<'_>,
        walls: &mut BoundaryParticles,
        buffers: &mut GatherBuffers,
        phases: &mut Clock,
    ) -> FlowMaxima {
        let Fluid { positions, velocities, densities, pressures } = fluid;
        let (count, rest_density) = (positions.len(), ctx.discretization.rest_density);
        let state = EquationOfState::of(ctx.discretization, ctx.parameters);
        let pairs = Pairs { ctx, gradients: &self.gradients };
        phases.measure(Phase::Density, || {
            // Continuity: ρ += Δt dρ/dt, with the age Δt of the densities.
            let motions = &mut buffers.vectors;
            sweep::map(count, motions, |i| velocities[i].extend(ctx.lightness(i) * densities[i]));
            let pass = ContinuityPass { pairs, motions, walls: walls.velocities(), standing: &self.standing };
            gather(count, &mut self.rates, &pass);
            let rates = &self.rates;
            sweep::update(densities, |i, density| *density += age * rates[i].density);
            // Equation of state: p = p(ρ) (Monaghan1994).
            sweep::map(count, pressures, |i| state.pressure(ctx.lightness(i) * densities[i]));
        });
        phases.measure(Phase::Density, || self.compute_k(ctx, densities, pressures));
        // Wall pressures: p_b = Σ_f [p_f + ρ_f (g − a_b)·(x_b − x_f)] W_bf / Σ_f W_bf (Adami2012, eq. 27), or as chosen.
        phases.measure(Phase::Walls, || {
            let state_of = |f: usize| {
                let relative = ctx.lightness(f) * densities[f] / rest_density;
                (pressures[f] / (rest_density * relative * relative), ctx.relative_rest_density(f) / relative)
            };
            let (external, floor) = (Some(ctx.external), state.floor() / rest_density);
            with_kernel!(ctx.kernel, kernel => {
                self.wall_extrapolation.extend(kernel, ctx, (positions, walls), (external, floor), state_of);
            });
        });
        // Momentum: dv_i/dt = −Σ_j V (k_i + k_j) ∇W + viscosity + g.
        phases.measure(Phase::Forces, || {
            let Self { k, own_k, forces, accelerations, .. } = self;
            let planes = PlanePressures::new(ctx, walls, true);
            let pass = MomentumPass {
                pairs: Pairs { ctx, gradients: &self.gradients },
                k,
                own_k,
                walls: &walls.pressures,
                planes,
                densities,
                forces,
            };
            gather(count, accelerations, &pass);
        });
        phases.measure(Phase::Integrate, || FlowMaxima {
            stiffening: state.stiffening(sweep::max(count, |i| ctx.lightness(i) * densities[i])),
            approach_speed: self.approach_speed,
            acceleration: sweep::max(count, |i| self.accelerations[i].length_squared()).sqrt(),
            solid_speed: walls.max_speed(),
        })
    }

    /// Computes k of the sum `k_i + k_j` from the pressures and those of the acoustic damper.
    ///
    /// The k_i of a particle itself has twice the background pressure over ρ₀ as well. With tensile control a negative pressure inside the
    /// fluid changes its sign there, so that the sum is that of `p_j − p_i` and particles do not clump (Sun2018).
    fn compute_k(&mut self, ctx: &StepContext<'_>, densities: &[f32], pressures: &[f32]) {
        let Self { rates, standing, surface_indicators: indicators, k, own_k, .. } = self;
        let wcsph = ctx.parameters.solver.wcsph;
        let (background, threshold) = (wcsph.background_pressure, threshold(ctx.discretization.dimensions));
        let has_control = wcsph.negative_pressure == NegativePressure::TensileControl;
        let rest_density = ctx.discretization.rest_density;
        let factor = |i: usize| rest_density / (ctx.lightness(i) * densities[i]).powi(2);
        let damper = Damper::of(ctx.discretization, ctx.parameters);
        let damping = |i: usize| {
            let lightness = ctx.lightness(i);
            damper.pressure(rates[i].compression, standing[i].stiffness, [lightness, lightness * densities[i] / rest_density])
        };
        sweep::map(densities.len(), k, |i| (pressures[i] + damping(i)) * factor(i));
        let twice = 2.0 * background / rest_density;
        sweep::map(densities.len(), own_k, |i| {
            let is_tension = has_control && pressures[i] + background < 0.0 && indicators[i].divergence >= threshold;
            if is_tension { (damping(i) - pressures[i]) * factor(i) } else { k[i] + twice }
        });
    }

    /// Adds the reactions to the pressure of the last evaluation, which acts for `duration`, s.
    fn react_to_pressure(
        &mut self,
        ctx: &StepContext<'_>,
        (positions, densities): (&[Vec3], &[f32]),
        walls: &BoundaryParticles,
        (duration, reactions): (f32, &mut Reactions),
    ) {
        let Self { k, own_k, felt_k, .. } = self;
        let rest_density = ctx.discretization.rest_density;
        let wcsph = ctx.parameters.solver.wcsph;
        // Tensile control changes the sign of p_i in the sum over all neighbours, where Σ V ∇W is about 0; in the part of the
        // walls alone it is not, and `p_b − p_i` would be no stress. So solids feel p_i + p_b (Bouscasse2013).
        let fluid = if wcsph.negative_pressure == NegativePressure::TensileControl && reactions.are_wanted() {
            let twice = 2.0 * wcsph.background_pressure / rest_density;
            sweep::map(k.len(), felt_k, |i| k[i] + twice);
            felt_k
        } else {
            own_k
        };
        let pressures = Pressures { fluid, walls: &walls.pressures, planes: PlanePressures::new(ctx, walls, true) };
        with_kernel!(ctx.kernel, kernel => {
            let solids = SolidTerms { kernel, ctx, walls };
            solids.react_to_pressure((positions, |i| ctx.lightness(i) * densities[i] / rest_density), pressures, duration, reactions);
        });
    }
}

/// Acoustic damper: the pressure `q = −α ρ₀ c₀ h ∇·v` (Sun2023), a bulk viscosity. It damps sound and what an impact sets off, and
/// does nothing in an incompressible flow. As the pressure force is the adjoint of the divergence, it takes energy and never gives any,
/// whatever α each particle has. That is the α₂ of the parameters, with three exceptions:
///
/// - With short support radii only [`WcsphParameters::calm_damping`](crate::parameters::WcsphParameters) acts up to the rate of fast compression
///   or expansion, and all of it on what exceeds the rate. So q has no jump, and its slope never exceeds the larger α.
/// - On what exceeds the rate it is at most what is stable in steps of the time-step factor, or of `fixed_dt` or `min_dt` if these are
///   longer; see [`strongest_damping`].
/// - Where particles lie so close together that a pressure changes ∇·v far more than on a lattice, it is less in proportion, as a step would
///   overshoot. Splashes leave such clusters: the continuity equation knows how fast particles approach, not how close they are.
struct Damper {
    /// α up to the rate of fast compression or expansion, and of what exceeds it.
    alpha: [f32; 2],
    /// ρ₀ c₀ h, Pa s.
    viscosity: f32,
    /// Rate from which compression is fast, 1/s.
    fast_rate: f32,
}

/// Fast compression, in units of c₀/h. It is thirty times that of the waves in which still water begins to swing.
const FAST_COMPRESSION: f32 = 0.001;

/// Stiffness up to which the damper has its full strength. In one fluid lattices, their surfaces, edges and corners have 0.1 to 0.67 with the
/// cubic spline and Wendland's C2, and up to 0.92 with C4.
const USUAL_STIFFNESS: f32 = 0.7;

impl Damper {
    fn of(discretization: &Discretization, parameters: &Parameters) -> Self {
        let (wcsph, sound_speed, h) =
            (&parameters.solver.wcsph, parameters.fluid.sound_speed, 0.5 * discretization.support_radius);
        let calm = wcsph.calm_damping(discretization);
        // Steps that the user makes longer than the time-step factor does.
        let TimeStepParameters { fixed_dt, min_dt, .. } = parameters.time_step;
        let forced = fixed_dt.unwrap_or(min_dt) * sound_speed / h;
        let strongest = strongest_damping(explicit_factor(discretization, parameters).max(forced));
        Self {
            alpha: [calm, wcsph.acoustic_damping.min(strongest).max(calm)],
            viscosity: discretization.rest_density * sound_speed * h,
            fast_rate: FAST_COMPRESSION * sound_speed / h,
        }
    }

    /// Pressure q (Pa) of a particle with this lightness and relative density ρ/ρ₀, by its compression rate −∇·v (1/s) and
    /// [`Standing::stiffness`].
    fn pressure(&self, compression: f32, stiffness: f32, [lightness, relative_density]: [f32; 2]) -> f32 {
        // Fluids of the same ρc² have sound that is faster by √b, and less impedance ρc.
        let root = lightness.sqrt();
        let excess = (1.0 - self.fast_rate * root / compression.abs()).max(0.0);
        let [calm, fast] = self.alpha;
        // k = ρ₀q/ρ² and ∇·v, by the rest volume, have three factors ρ₀/ρ together.
        let by_stiffness = (USUAL_STIFFNESS * relative_density.powi(3) / stiffness).clamp(0.0, 1.0);
        by_stiffness * (calm + excess * (fast - calm)) * self.viscosity / root * compression
    }
}

/// Adds the reactions to viscosity and the other forces on `flow`, which act for `duration`, s.
fn react_to_forces(
    ctx: &StepContext<'_>,
    (flow, spins): (Flow<'_>, &[Vec3]),
    walls: &BoundaryParticles,
    (duration, reactions): (f32, &mut Reactions),
) {
    with_kernel!(ctx.kernel, kernel => {
        ForceState::react(ForceInput { kernel, ctx, flow, walls, spins }, duration, reactions);
    });
}

/// Writes the pressures `p_b = ρ(p_b)² k_b/ρ₀` of the walls, Pa; before the call `walls.pressures` holds k_b. ρ is taken at the pressure
/// ρ₀ k_b in place of p_b, which is too low by twice the compression.
fn write_wall_pressures(ctx: &StepContext<'_>, walls: &mut BoundaryParticles) {
    let rest_density = ctx.discretization.rest_density;
    let state = EquationOfState::of(ctx.discretization, ctx.parameters);
    ctx.wall_neighbors.update(&mut walls.pressures, |_, pressure| {
        *pressure *= state.density(rest_density * *pressure).powi(2) / rest_density;
    });
}

/// Pass for `dρ_i/dt = ρ₀ Σ_j V v_ij·∇W + δ h c₀ Σ_j V ψ_ij·∇W`, `ψ_ij = 2 Δρ_ij (x_j − x_i)/(r² + η²)`.
///
/// Δρ is the density difference less the part that diffusion leaves alone. Walls contribute to the first sum only. In spray, with
/// a fill f of the support below f₀ = 0.35, the rate has the term `−(1 − f/f₀) (ρ_i − ρ₀) c₀/h` as well.
struct ContinuityPass<'a> {
    pairs: Pairs<'a>,
    /// Velocities with densities, kg/m³.
    motions: &'a [Vec4],
    /// Velocities of the walls, m/s; `None` at rest.
    walls: Option<&'a [Vec3]>,
    standing: &'a [Standing],
}

/// Result of the continuity pass for a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    /// Rate dρ/dt, kg/(m³ s).
    density: f32,
    /// Compression rate −∇·v, 1/s.
    compression: f32,
}

impl<'p> Gather for ContinuityPass<'p> {
    type Value = Rate;
    type Source = Pairs<'p>;

    fn source(&self) -> &Self::Source {
        &self.pairs
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: BothRows<'_>, i: usize) -> Rate {
        let Self { pairs: Pairs { ctx, .. }, motions, walls, standing } = *self;
        let (own, fluid, h) = (motions[i], &ctx.parameters.fluid, ctx.smoothing_length());
        let (of_fluid, differences) = rows.fluid.of(i).difference_and_diffusion::<L>(own, motions);
        let rest_density = ctx.discretization.rest_density;
        let of_solids = rows.solids.add_compression::<L>(i, 0.0, own.truncate(), walls);
        // −ρ ∇·v over ρ₀.
        let compression = of_fluid + own.w / rest_density * of_solids;
        let diffusion = 2.0 * fluid.density_diffusion * h * fluid.sound_speed;
        let relaxation = standing[i].spray * fluid.sound_speed / h * (own.w - rest_density);
        let rate = rest_density * compression + diffusion * (standing[i].diffusion - differences) - relaxation;
        Rate { density: ctx.relative_rest_density(i) * rate, compression: compression * rest_density / own.w }
    }
}

/// Pass for `dv_i/dt = −Σ_j V (k_i + k_j) ∇W − Σ_b V_b (k_i + k_b) ∇W`, plus the push of planes and the other forces.
struct MomentumPass<'a> {
    pairs: Pairs<'a>,
    k: &'a [f32],
    own_k: &'a [f32],
    /// k_b of the boundary particles, m²/s².
    walls: &'a [f32],
    planes: PlanePressures<'a>,
    densities: &'a [f32],
    /// Accelerations by all other forces, m/s².
    forces: &'a [Vec3],
}

impl<'p> Gather for MomentumPass<'p> {
    type Value = Vec3;
    type Source = Pairs<'p>;

    fn source(&self) -> &Self::Source {
        &self.pairs
    }

    #[inline(always)]
    fn value<L: Lanes>(&self, rows: BothRows<'_>, i: usize) -> Vec3 {
        let Self { pairs: Pairs { ctx, .. }, k, own_k, walls, planes, densities, forces } = *self;
        let (lightness, own) = (ctx.lightness(i), own_k[i]);
        let relative_density = lightness * densities[i] / ctx.discretization.rest_density;
        let by_solids = rows.solids.acceleration::<L>(i, Vec4::ZERO, own, (walls, planes));
        let by_pressure = relative_density * by_solids - rows.fluid.of(i).weighted::<L>(own, k);
        lightness * by_pressure.truncate() + forces[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{Dimensions, KernelKind};

    /// α of the damper with α₂ = 2 and a short support radius; compression is fast from 1/s on.
    fn alpha(compression: f32, stiffness: f32, relative_density: f32) -> f32 {
        let damper = Damper { alpha: [0.5, 2.0], viscosity: 1.0, fast_rate: 1.0 };
        damper.pressure(compression, stiffness, [1.0, relative_density]) / compression
    }

    #[test]
    fn the_step_and_the_support_bound_the_damper() {
        let mut discretization = Discretization {
            dimensions: Dimensions::Three,
            particle_spacing: 0.1,
            kernel: KernelKind::CubicSpline,
            support_radius: 0.2,
            rest_density: 1000.0,
        };
        let mut parameters = Parameters::default();
        assert_eq!(
            Damper::of(&discretization, &parameters).alpha,
            [0.5, 2.0],
            "the usual factor is {}",
            parameters.time_step.cfl_factor
        );
        // x² + 2 α₂ x = 3 with x = 0.8/0.7.
        parameters.time_step.cfl_factor = 0.8;
        let [calm, fast] = Damper::of(&discretization, &parameters).alpha;
        assert!(calm == 0.5 && (fast - 0.741).abs() < 1e-3, "{calm}, {fast}");
        parameters.time_step =
            TimeStepParameters { fixed_dt: Some(0.8 * 0.1 / parameters.fluid.sound_speed), ..Default::default() };
        let [_, fast] = Damper::of(&discretization, &parameters).alpha;
        assert!((fast - 0.741).abs() < 1e-3, "a fixed step of this length: {fast}");
        parameters.time_step.fixed_dt = Some(1.0);
        assert_eq!(Damper::of(&discretization, &parameters).alpha, [0.5, 0.5], "a far too long one");
        parameters.time_step = TimeStepParameters { cfl_factor: 0.8, ..Default::default() };
        discretization.support_radius = 0.26;
        assert_eq!(Damper::of(&discretization, &parameters).alpha, [2.0, 2.0], "it limits the step instead");
    }

    #[test]
    fn the_damper_is_strong_where_compression_or_expansion_is_fast() {
        for (compression, expected) in [(1e-6, 0.5), (1.0, 0.5), (2.0, 1.25), (1e6, 2.0)] {
            for compression in [compression, -compression] {
                assert!((alpha(compression, 0.3, 1.0) - expected).abs() < 1e-5, "{compression}");
            }
        }
    }

    /// A particle changes its own rate of compression by `α` times the stiffness times `(ρ₀/ρ)³`.
    #[test]
    fn the_damper_weakens_in_proportion_to_the_stiffness() {
        let usual = 2.0 * USUAL_STIFFNESS;
        for (stiffness, density) in [(USUAL_STIFFNESS, 1.0f32), (3.0, 1.0), (3.0, 0.8), (0.5, 0.6)] {
            let taken = alpha(1e6, stiffness, density) * stiffness / density.powi(3);
            assert!((taken - usual).abs() < 1e-4, "{stiffness}, {density}: {taken}");
        }
        assert!((alpha(1e6, 0.3, 1.0) - 2.0).abs() < 1e-5);
    }

    /// The same state, with all densities and pressures those of a fluid half as dense: c is larger by √2, ρc smaller.
    #[test]
    fn a_light_fluid_has_the_damper_of_its_impedance() {
        let damper = Damper { alpha: [0.5, 2.0], viscosity: 1.0, fast_rate: 1.0 };
        let light = damper.pressure(2.0 * 2f32.sqrt(), 0.3, [2.0, 1.0]);
        assert!((light - 1.25 * 2.0).abs() < 1e-6, "{light}");
    }
}
