//! Limits on the time step dt, and the choice of the tightest.

use crate::forces::ExternalForces;
use crate::parameters::{
    Discretization, Fluid, FluidParameters, Integration, Method, Parameters, SolverParameters, TimeStepParameters,
    ViscosityModel, WallPressure,
};
use crate::passes::{FluidCoefficients, Mixture, StepContext, sweep};
use glam::Vec3;

/// Limit that sets the length of a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeStepLimit {
    /// Sound and approaching particles must not cross the smoothing length.
    Sound,
    /// The largest acceleration.
    Force,
    /// Particles must not pass each other, in solvers without sound; nor solids pass particles.
    Courant,
    /// Waves as long as the fluid is deep must not cross more than a part of a spacing, in solvers without sound.
    Waves,
    /// Diffusion of momentum by viscosity.
    Viscous,
    /// Capillary waves, driven by surface tension.
    Capillary,
    /// The user's `max_dt`.
    Maximum,
    /// The user's `min_dt`, longer than the other limits allow.
    Minimum,
    /// The user's `fixed_dt`.
    Fixed,
    /// A longer step would have thrown a particle, or compressed one too much, and was made again.
    Retry,
}

impl TimeStepLimit {
    /// Name for tables and files: one lower-case word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Force => "force",
            Self::Courant => "courant",
            Self::Waves => "waves",
            Self::Viscous => "viscous",
            Self::Capillary => "capillary",
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::Fixed => "fixed",
            Self::Retry => "retry",
        }
    }

    /// Name on the screen: what keeps the step short.
    pub fn label(self) -> &'static str {
        match self {
            Self::Sound => "speed of sound",
            Self::Force => "acceleration",
            Self::Courant => "maximum speed",
            Self::Waves => "wave speed",
            Self::Viscous => "viscosity",
            Self::Capillary => "surface tension",
            Self::Maximum => "maximum step",
            Self::Minimum => "minimum step",
            Self::Fixed => "fixed step",
            Self::Retry => "retry of a longer step",
        }
    }
}

/// Maxima over all particles that limit the time step of WCSPH.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FlowMaxima {
    /// Highest speed of sound over c₀, at least 1: compressed fluid is stiffer.
    pub stiffening: f32,
    /// max |h v_ij·x_ij / (r² + η²)| over all pairs, m/s, with h = half the support radius.
    pub approach_speed: f32,
    /// Largest acceleration, m/s².
    pub acceleration: f32,
    /// Highest speed of a wall or body, m/s.
    pub solid_speed: f32,
}

/// A limit, and the longest step that it allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepBound {
    /// The limit.
    pub limit: TimeStepLimit,
    /// Longest step within the limit, s.
    pub dt: f32,
}

/// Length of a step, and the limit that set it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeStep {
    /// Length, s.
    pub dt: f32,
    /// Limit that set the length.
    pub limit: TimeStepLimit,
    /// Tightest limit, if the user's `min_dt` or `fixed_dt` exceeds it.
    pub exceeded: Option<StepBound>,
}

/// Length of an acoustic step of WCSPH, or of a step of a single one: the longest within all limits, subject to the user's bounds.
/// Without fluid only solids limit it: sound, force, viscosity and surface tension are the fluid's.
pub(crate) fn time_step(ctx: &StepContext<'_>, maxima: FlowMaxima) -> TimeStep {
    let time_step = &ctx.parameters.time_step;
    // Solids must not jump over the fluid or each other, near which no particle need be.
    let courant = courant_limit(ctx.discretization, time_step.cfl_factor.min(1.0), maxima.solid_speed);
    if !ctx.has_fluid {
        return choose(&[courant], time_step);
    }
    let cfl = explicit_factor(ctx.discretization, ctx.parameters);
    let [sound, force, viscous] =
        explicit_limits(ctx.discretization, &strictest_fluid(&ctx.parameters.fluid, fluids_of(ctx)), cfl, maxima);
    choose(&[sound, force, viscous, courant, strictest_capillary_limit(ctx)], time_step)
}

/// Acoustic steps of WCSPH between two searches (docs/adr/0042), while the particles stay where they are: as many as allowed, within
/// the tightest of viscosity, surface tension and the user's `max_dt` for their sum, and while nothing would move farther than
/// `½ cfl·dx`, as in a step of the incompressible solvers.
#[derive(Clone, Debug)]
pub(crate) struct AcousticSteps {
    count: u32,
    most: u32,
    /// Their sum, and what has limited it.
    sum: TimeStep,
    /// Bound on their sum.
    bound: StepBound,
    /// Farthest way, m.
    longest_way: f32,
    /// Length of the last one, s.
    last: f32,
}

impl AcousticSteps {
    /// None so far of those of a step.
    pub fn of(ctx: &StepContext<'_>) -> Self {
        let viscous = viscous_limit(ctx.discretization, &strictest_fluid(&ctx.parameters.fluid, fluids_of(ctx)));
        let limits = [viscous, strictest_capillary_limit(ctx)];
        Self::within((ctx.discretization, ctx.parameters), if ctx.has_fluid { &limits } else { &[] })
    }

    fn within((discretization, parameters): (&Discretization, &Parameters), limits: &[StepBound]) -> Self {
        let Parameters { solver: SolverParameters { wcsph, walls, .. }, time_step, .. } = parameters;
        // One-sided walls stop fluid at the end of a step alone: what moves into them before would count in its density.
        let is_single = time_step.fixed_dt.is_some()
            || wcsph.integration == Integration::PredictorCorrector
            || *walls == WallPressure::OneSided;
        let TimeStep { dt, limit, .. } = choose(limits, time_step);
        Self {
            count: 0,
            most: if is_single { 1 } else { wcsph.acoustic_steps },
            sum: TimeStep { dt: 0.0, limit, exceeded: None },
            bound: StepBound { limit, dt },
            longest_way: 0.5 * time_step.cfl_factor.min(1.0) * discretization.particle_spacing,
            last: 0.0,
        }
    }

    /// Adds a step of at most this length, and returns the length, s. The first has it in any case.
    pub fn add(&mut self, step: TimeStep) -> f32 {
        let so_far = self.sum.dt;
        self.last = if self.count == 0 { step.dt } else { step.dt.min(self.bound.dt - so_far) };
        self.sum = TimeStep { dt: so_far + self.last, ..step };
        self.count += 1;
        self.last
    }

    /// True if they are over: if there are as many as allowed, if the last was longer than its limits, or if another as long would
    /// exceed the bound or take fluid and solids, the fastest of which has this `speed` (m/s), too far.
    pub fn are_over(&mut self, speed: f32) -> bool {
        if self.count >= self.most || self.sum.exceeded.is_some() {
            return true;
        }
        let longer = self.sum.dt + self.last;
        if longer > self.bound.dt {
            self.sum.limit = self.bound.limit;
        } else if longer * speed > self.longest_way {
            self.sum.limit = TimeStepLimit::Courant;
        } else {
            return false;
        }
        true
    }

    /// Number of them so far.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Their sum so far.
    pub fn sum(&self) -> TimeStep {
        self.sum
    }
}

/// Time step of an incompressible solver for a largest `speed` (m/s) before pressure, and external forces whose potential has this
/// `range` over the fluid (m²/s²): Courant `½ cfl·dx/speed`, which at the usual factor of 0.4 is the 0.4 · 0.5 of Bender2017's code;
/// the limit of waves, see [`wave_limit`]; viscous and capillary limits as in weakly compressible SPH.
pub(crate) fn courant_step(ctx: &StepContext<'_>, speed: f32, range: f32) -> TimeStep {
    let time_step = &ctx.parameters.time_step;
    // Without fluid, as in `time_step`.
    let cfl = if ctx.has_fluid { time_step.cfl_factor } else { time_step.cfl_factor.min(1.0) };
    let courant = courant_limit(ctx.discretization, cfl, speed);
    if !ctx.has_fluid {
        return choose(&[courant], time_step);
    }
    let viscous = viscous_limit(ctx.discretization, &strictest_fluid(&ctx.parameters.fluid, fluids_of(ctx)));
    let waves = wave_limit((ctx.discretization, ctx.parameters), fluids_of(ctx), range);
    choose(&[courant, waves, viscous, strictest_capillary_limit(ctx)], time_step)
}

/// Time step to expect of particles at `speed` (m/s) under gravity, whose potential has this `range` over the fluid (m²/s²), before there are
/// any.
pub(crate) fn expected_step(
    (discretization, parameters): (&Discretization, &Parameters),
    fluids: &[Fluid],
    [speed, range]: [f32; 2],
) -> StepBound {
    let of = |fluid| FluidCoefficients::of(fluid, discretization.rest_density, parameters);
    let fluids: Vec<FluidCoefficients> = fluids.iter().map(of).collect();
    let time_step = &parameters.time_step;
    let fluid = strictest_fluid(&parameters.fluid, &fluids);
    let tension = strictest_tension(parameters.forces.surface_tension, &fluids);
    let capillary = capillary_limit(discretization, tension);
    let TimeStep { dt, limit, .. } = match parameters.solver.method {
        Method::Wcsph => {
            let cfl = explicit_factor(discretization, parameters);
            let maxima = FlowMaxima {
                stiffening: 1.0,
                approach_speed: speed,
                acceleration: parameters.gravity.length(),
                solid_speed: 0.0,
            };
            let [sound, force, viscous] = explicit_limits(discretization, &fluid, cfl, maxima);
            let acoustic_step = choose(&[sound, force, viscous, capillary], time_step);
            let mut steps = AcousticSteps::within((discretization, parameters), &[viscous, capillary]);
            steps.add(acoustic_step);
            while !steps.are_over(speed) {
                steps.add(acoustic_step);
            }
            steps.sum()
        }
        Method::Pcisph | Method::Iisph | Method::Dfsph | Method::Pbf => {
            let courant = courant_limit(discretization, time_step.cfl_factor, speed);
            let waves = wave_limit((discretization, parameters), &fluids, range);
            choose(&[courant, waves, viscous_limit(discretization, &fluid), capillary], time_step)
        }
    };
    StepBound { limit, dt }
}

/// Time step to expect without fluid, of solids at `speed`, m/s.
pub(crate) fn expected_step_of_solids(
    discretization: &Discretization,
    time_step: &TimeStepParameters,
    speed: f32,
) -> StepBound {
    let courant = courant_limit(discretization, time_step.cfl_factor.min(1.0), speed);
    let TimeStep { dt, limit, .. } = choose(&[courant], time_step);
    StepBound { limit, dt }
}

/// Courant limit `½ cfl·dx/speed`, with the speed in m/s.
fn courant_limit(discretization: &Discretization, cfl: f32, speed: f32) -> StepBound {
    StepBound { limit: TimeStepLimit::Courant, dt: 0.5 * cfl * discretization.particle_spacing / speed }
}

/// Limit of waves: the longest ones may cross a part of a spacing in a step. Their speed is √(Δφ), φ being the potential of the external
/// forces: √(gH) for a depth H, as fast as the pressure of still water lets neighbours swing about their places. `range`: Δφ over the fluid,
/// m²/s². In fluid lighter than the reference by a factor, they are √ of that factor faster.
///
/// - IISPH and DFSPH, which iterate on an equation for the pressure: 0.75 spacings. The positions follow the pressure only at the end of the
///   step. When the waves cross a whole spacing, neighbours overshoot their places, and a column at rest throws particles within a few steps;
///   from 0.85 on, single ones are compressed by more than a fifth.
/// - PCISPH and PBF: ½ cfl. They find the pressure anew in every step, from nothing. With longer steps they need dozens of iterations for it,
///   and leave still water boiling.
fn wave_limit(
    (discretization, parameters): (&Discretization, &Parameters),
    fluids: &[FluidCoefficients],
    range: f32,
) -> StepBound {
    let part = match parameters.solver.method {
        Method::Iisph | Method::Dfsph => 0.75,
        // WCSPH is no caller: sound, which is faster, limits its acoustic steps.
        Method::Pcisph | Method::Pbf | Method::Wcsph => 0.5 * parameters.time_step.cfl_factor,
    };
    let lightest = fluids.iter().map(|of| of.lightness).fold(1.0, f32::max);
    StepBound { limit: TimeStepLimit::Waves, dt: part * discretization.particle_spacing / (range * lightest).sqrt() }
}

/// Range of the potential of `external` over `positions` (m), m²/s².
pub(crate) fn potential_range(external: &ExternalForces<'_>, positions: &[Vec3]) -> f32 {
    let Some(first) = positions.first() else { return 0.0 };
    let origin = external.potential(*first);
    let potential = |i: usize| (external.potential(positions[i]) - origin) as f32;
    sweep::max(positions.len(), potential) + sweep::max(positions.len(), |i| -potential(i))
}

/// Courant factor of WCSPH: that of the parameters, up to the stability limits themselves and what the acoustic damper allows.
pub(crate) fn explicit_factor(discretization: &Discretization, parameters: &Parameters) -> f32 {
    parameters.time_step.cfl_factor.min(1.0).min(damped_factor(parameters.solver.wcsph.calm_damping(discretization)))
}

/// Part of the longest stable step of a lattice that is used.
const RESERVE: f32 = 0.7;

/// Longest step `dt c/h` at which the acoustic damper of coefficient α₂ is stable, with a reserve for disordered particles.
///
/// A wave of the effective wave number K on the lattice is stable while `(c K dt)² + 2 α₂ c h K² dt ≤ 4`, and K h is at most
/// 1.16 for the cubic spline and Wendland's C2: `x² + 2 α₂ x ≤ 3` with x = dt c/h. It is more for C4, which the reserve covers.
fn damped_factor(damping: f32) -> f32 {
    RESERVE * ((damping * damping + 3.0).sqrt() - damping)
}

/// Strongest acoustic damper that is stable in steps of this Courant factor: the inverse of [`damped_factor`].
pub(crate) fn strongest_damping(factor: f32) -> f32 {
    let x = factor / RESERVE;
    (3.0 - x * x) / (2.0 * x)
}

/// Constants that are as strict as every fluid and every pair of fluids: the speed of sound, c₀ √b in a fluid of lightness b;
/// the kinematic viscosity with which a particle of one fluid feels another; and the artificial viscosity over that speed.
fn strictest_fluid(fluid: &FluidParameters, fluids: &[FluidCoefficients]) -> FluidParameters {
    if fluids.is_empty() {
        return *fluid;
    }
    let highest = |of: &dyn Fn(&FluidCoefficients) -> f32| fluids.iter().map(of).fold(0.0, f32::max);
    let pairs = |coefficient: fn(&FluidCoefficients, &FluidCoefficients) -> f32| {
        highest(&|one| one.lightness * highest(&|other| coefficient(one, other)))
    };
    let lightest = highest(&|of| of.lightness.sqrt());
    FluidParameters {
        sound_speed: fluid.sound_speed * lightest,
        kinematic_viscosity: pairs(FluidCoefficients::pair_viscosity),
        artificial_viscosity: fluid.artificial_viscosity * pairs(FluidCoefficients::pair_impedance) / lightest,
        ..*fluid
    }
}

/// Coefficients of the fluids of a step; none with one fluid.
fn fluids_of<'a>(ctx: &StepContext<'a>) -> &'a [FluidCoefficients] {
    ctx.mixture.map_or(&[], Mixture::fluids)
}

/// Tightest capillary limit of all fluids.
fn strictest_capillary_limit(ctx: &StepContext<'_>) -> StepBound {
    capillary_limit(ctx.discretization, strictest_tension(ctx.parameters.forces.surface_tension, fluids_of(ctx)))
}

/// Surface tension of the reference fluid whose waves are as fast as any fluid's, N/m: a light fluid of tension σ has those of the
/// reference fluid with b σ.
fn strictest_tension(tension: f32, fluids: &[FluidCoefficients]) -> f32 {
    if fluids.is_empty() { tension } else { fluids.iter().map(|of| of.lightness * of.surface_tension).fold(0.0, f32::max) }
}

/// Limits of sound, `cfl·h/(c + approach speed)` with the highest speed of sound c (Dominguez2022), of force, `cfl·√(h/a)`, and of
/// viscosity, with h = half the support radius.
fn explicit_limits(discretization: &Discretization, fluid: &FluidParameters, cfl: f32, maxima: FlowMaxima) -> [StepBound; 3] {
    let h = 0.5 * discretization.support_radius;
    [
        StepBound {
            limit: TimeStepLimit::Sound,
            dt: cfl * h / (maxima.stiffening * fluid.sound_speed + maxima.approach_speed),
        },
        StepBound { limit: TimeStepLimit::Force, dt: cfl * (h / maxima.acceleration).sqrt() },
        viscous_limit(discretization, fluid),
    ]
}

/// Longest step with implicit viscosity, in steps of the explicit limit. The condition number of the equation grows with the
/// step; f32 solves it up to about 40 000 of them, and beyond 130 000 its rounding errors drive the fluid apart.
const IMPLICIT_REACH: f32 = 1e4;

/// Viscous limit `0.125 h²/ν` (Monaghan1992, Morris1997), with h = half the support radius. ν is the laminar viscosity plus the
/// equivalent `α c₀ h / 2(d + 2)` of the artificial viscosity (Monaghan2005). Of an implicit laminar viscosity only
/// 1/[`IMPLICIT_REACH`] counts.
fn viscous_limit(discretization: &Discretization, fluid: &FluidParameters) -> StepBound {
    let h = 0.5 * discretization.support_radius;
    let dimensions = discretization.dimensions.count();
    let artificial = fluid.artificial_viscosity * fluid.sound_speed * h / (2 * (dimensions + 2)) as f32;
    let share = if fluid.viscosity_model == ViscosityModel::Implicit { 1.0 / IMPLICIT_REACH } else { 1.0 };
    StepBound { limit: TimeStepLimit::Viscous, dt: 0.125 * h * h / (share * fluid.kinematic_viscosity + artificial) }
}

/// Capillary limit `¼ √(ρ₀ h³/2πσ)` (Brackbill1992): the shortest capillary wave must not cross h in a step.
fn capillary_limit(discretization: &Discretization, surface_tension: f32) -> StepBound {
    let h = 0.5 * discretization.support_radius;
    let square = discretization.rest_density * h.powi(3) / (2.0 * std::f32::consts::PI * surface_tension);
    StepBound { limit: TimeStepLimit::Capillary, dt: 0.25 * square.sqrt() }
}

/// Chooses the tightest of `limits` and the user's bounds.
fn choose(limits: &[StepBound], bounds: &TimeStepParameters) -> TimeStep {
    let &TimeStepParameters { max_dt, min_dt, fixed_dt, .. } = bounds;
    let longest = if fixed_dt.is_some() { f32::INFINITY } else { max_dt };
    let longest = StepBound { limit: TimeStepLimit::Maximum, dt: longest };
    let tightest = limits.iter().fold(longest, |best, &limit| if limit.dt < best.dt { limit } else { best });
    let StepBound { limit, dt } = match fixed_dt {
        Some(dt) => StepBound { limit: TimeStepLimit::Fixed, dt },
        None if tightest.dt < min_dt => StepBound { limit: TimeStepLimit::Minimum, dt: min_dt },
        None => tightest,
    };
    TimeStep { dt, limit, exceeded: (dt > tightest.dt).then_some(tightest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::{CentralLaw, ExternalForce};
    use crate::parameters::{Dimensions, KernelKind};
    use crate::space::Domain;

    // The limits of the time step, by their closed forms.

    const BOUNDS: TimeStepParameters = TimeStepParameters { cfl_factor: 0.25, max_dt: 1.0, min_dt: 0.0, fixed_dt: None };
    const REST: FlowMaxima = FlowMaxima { stiffening: 1.0, approach_speed: 0.0, acceleration: 0.0, solid_speed: 0.0 };

    fn fluid(sound_speed: f32, kinematic_viscosity: f32, artificial_viscosity: f32) -> FluidParameters {
        FluidParameters {
            sound_speed,
            kinematic_viscosity,
            viscosity_model: ViscosityModel::Morris,
            artificial_viscosity,
            density_diffusion: 0.0,
        }
    }

    const DISCRETIZATION: Discretization = Discretization {
        dimensions: Dimensions::Three,
        particle_spacing: 0.02,
        kernel: KernelKind::CubicSpline,
        support_radius: 0.04,
        rest_density: 1000.0,
    };

    fn step(fluid: &FluidParameters, maxima: FlowMaxima, bounds: &TimeStepParameters) -> TimeStep {
        choose(&explicit_limits(&DISCRETIZATION, fluid, bounds.cfl_factor, maxima), bounds)
    }

    fn limit(sound_speed: f32, kinematic_viscosity: f32, maxima: FlowMaxima) -> (f32, TimeStepLimit) {
        let TimeStep { dt, limit, exceeded } = step(&fluid(sound_speed, kinematic_viscosity, 0.0), maxima, &BOUNDS);
        assert_eq!(exceeded, None);
        (dt, limit)
    }

    #[test]
    fn each_limit_can_be_the_tightest() {
        assert_eq!(limit(10.0, 0.0, REST), (0.25 * 0.02 / 10.0, TimeStepLimit::Sound));
        assert_eq!(limit(10.0, 1.0, REST), (0.125 * 0.02 * 0.02, TimeStepLimit::Viscous));
        let pushed = FlowMaxima { acceleration: 1e6, ..REST };
        assert_eq!(limit(10.0, 0.0, pushed).1, TimeStepLimit::Force);
        assert_eq!(limit(1e-4, 0.0, REST), (1.0, TimeStepLimit::Maximum));
        let implicit = FluidParameters { viscosity_model: ViscosityModel::Implicit, ..fluid(10.0, 1.0, 0.0) };
        assert_eq!(step(&implicit, REST, &BOUNDS).limit, TimeStepLimit::Sound);
    }

    #[test]
    fn compressed_fluid_shortens_the_step() {
        let stiff = FlowMaxima { stiffening: 1.25, ..REST };
        assert_eq!(limit(10.0, 0.0, stiff), (0.25 * 0.02 / 12.5, TimeStepLimit::Sound));
    }

    /// A wave of the stiffest lattice in symplectic Euler steps, in units of h and c: it must not grow at the limit, and must at
    /// one and a half times the limit.
    #[test]
    fn damped_waves_are_stable_at_the_longest_step() {
        let growth = |damping: f32, factor: f32| {
            // (K h)²: 1.34 for Wendland C2 at 3 spacings in space.
            let (mut position, mut velocity, stiffness) = (1.0f32, 0.0f32, 1.34);
            for _ in 0..100 {
                velocity -= factor * stiffness * (position + damping * velocity);
                position += factor * velocity;
            }
            position.abs().max(velocity.abs())
        };
        for damping in [0.0, 0.5, 1.0, 2.0] {
            let factor = damped_factor(damping);
            assert!(growth(damping, factor) < 10.0, "{damping}");
            assert!(growth(damping, 1.5 * factor) > 1e3, "{damping}: the limit is far too strict");
            assert!((strongest_damping(factor) - damping).abs() < 1e-5, "{damping}");
        }
    }

    #[test]
    fn artificial_viscosity_shortens_the_step() {
        // 0.125 h² / (α c₀ h / 10) in three dimensions.
        let TimeStep { dt, limit, .. } = step(&fluid(10.0, 0.0, 10.0), REST, &BOUNDS);
        assert_eq!(limit, TimeStepLimit::Viscous);
        assert!((dt / (0.125 * 0.02 * 10.0 / 100.0) - 1.0).abs() < 1e-6, "{dt}");
    }

    /// A wave of length λ = 2h has the speed √(2πσ/ρλ): four such steps take it across h/√2.
    #[test]
    fn the_capillary_limit_is_a_quarter_of_a_wave() {
        let StepBound { limit, dt } = capillary_limit(&DISCRETIZATION, 0.073);
        let (h, density, tension) = (0.02f32, 1000.0, 0.073);
        let speed = (std::f32::consts::TAU * tension / (density * 2.0 * h)).sqrt();
        assert_eq!(limit, TimeStepLimit::Capillary);
        assert!((4.0 * dt * speed * 2.0f32.sqrt() / h - 1.0).abs() < 1e-5, "{dt}");
        assert_eq!(capillary_limit(&DISCRETIZATION, 0.0).dt, f32::INFINITY);
    }

    /// The longest waves in water of depth H have the speed √(gH); of a pull k r towards a point the potential is ½ k r².
    #[test]
    fn the_potential_of_water_is_that_of_its_depth() {
        let positions = [Vec3::new(3.0, 0.25, 0.0), Vec3::new(-1.0, 0.75, 2.0), Vec3::new(0.0, 0.5, 0.0)];
        let gravity = ExternalForces::new(Vec3::new(0.0, -8.0, 0.0), &[], 0.0, &Domain::default());
        assert_eq!(potential_range(&gravity, &positions), 8.0 * 0.5);
        assert_eq!(potential_range(&gravity, &positions[..1]), 0.0);
        assert_eq!(potential_range(&gravity, &[]), 0.0);
        assert_eq!(potential_range(&ExternalForces::NONE, &positions), 0.0);
        let pull = [ExternalForce::Central { center: Vec3::new(1.0, 0.0, 0.0), law: CentralLaw::Linear(3.0) }];
        let central = ExternalForces::new(Vec3::ZERO, &pull, 0.0, &Domain::default());
        let [near, far] = [1.25, 8.5625];
        assert_eq!(potential_range(&central, &positions), 0.5 * 3.0 * (far - near));
    }

    #[test]
    fn user_bounds_report_the_limit_that_they_exceed() {
        // Sound allows 0.5 ms, viscosity 0.05 ms.
        let (water, honey) = (fluid(10.0, 0.0, 0.0), fluid(10.0, 1.0, 0.0));
        let viscous = StepBound { limit: TimeStepLimit::Viscous, dt: 0.125 * 0.02 * 0.02 };
        let floor = TimeStepParameters { min_dt: 1e-4, ..BOUNDS };
        assert_eq!(step(&water, REST, &floor), step(&water, REST, &BOUNDS));
        let expected = TimeStep { dt: 1e-4, limit: TimeStepLimit::Minimum, exceeded: Some(viscous) };
        assert_eq!(step(&honey, REST, &floor), expected);
        let fixed = TimeStepParameters { fixed_dt: Some(4e-4), ..BOUNDS };
        assert_eq!(step(&water, REST, &fixed), TimeStep { dt: 4e-4, limit: TimeStepLimit::Fixed, exceeded: None });
        let expected = TimeStep { dt: 4e-4, limit: TimeStepLimit::Fixed, exceeded: Some(viscous) };
        assert_eq!(step(&honey, REST, &fixed), expected);
        // A fixed step overrides the user's own bounds: no limit is exceeded.
        let tight = TimeStepParameters { max_dt: 1e-5, fixed_dt: Some(4e-4), ..BOUNDS };
        assert_eq!(step(&water, REST, &tight).exceeded, None);
    }
}
