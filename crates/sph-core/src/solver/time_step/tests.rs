//! The limits of the time step, by their closed forms.

use super::*;
use crate::forces::{CentralLaw, ExternalForce};
use crate::parameters::{Dimensions, KernelKind};
use crate::space::Domain;

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
