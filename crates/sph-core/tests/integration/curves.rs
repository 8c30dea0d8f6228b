//! Parameters that follow curves: oracles of the motion, bits, and taking a parameter off its curve.

use crate::common::setup;
use glam::Vec3;
use sph_core::parameters::Value;
use sph_core::*;

fn square() -> Setup {
    let block = FluidBlock::new(Vec3::ZERO, Vec3::new(0.2, 0.2, 0.0));
    let mut setup = setup(Dimensions::Two, 0.02, vec![block], Vec::new());
    setup.parameters.time_step.fixed_dt = Some(1e-3);
    setup
}

fn curve(key: &str, points: impl IntoIterator<Item = (f64, Value)>) -> Curve {
    Curve::through(Parameters::entry(key), points).expect("a curve")
}

fn gravity(points: &[(f64, f32)]) -> Curve {
    curve("gravity", points.iter().map(|&(time, g)| (time, Value::Vector(Vec3::new(0.0, g, 0.0)))))
}

fn run(setup: &Setup, steps: usize) -> Simulation {
    let mut simulation = Simulation::new(setup).expect("a valid setup");
    for _ in 0..steps {
        assert_eq!(simulation.step().error, None);
    }
    simulation
}

fn mean_velocity(simulation: &Simulation) -> f64 {
    let velocities = &simulation.particles().velocities;
    velocities.iter().map(|velocity| f64::from(velocity.y)).sum::<f64>() / velocities.len() as f64
}

/// v = Σ g(t) Δt over the beginnings of the steps, which for a ramp to g in n steps is ½ g t (1 − 1/n).
#[test]
fn a_ramp_of_gravity_gives_the_integrated_velocity() {
    let mut ramp = square();
    ramp.curves = vec![gravity(&[(0.0, 0.0), (0.1, -10.0)])];
    let simulation = run(&ramp, 100);
    assert!((mean_velocity(&simulation) + 0.495).abs() < 1e-5, "{} m/s", mean_velocity(&simulation));
    assert_eq!(simulation.parameters().gravity.y, -10.0, "the next step's");
}

#[test]
fn a_constant_curve_has_the_bits_of_the_constant() {
    let mut constant = square();
    constant.parameters.fluid.kinematic_viscosity = 1e-3;
    let mut curved = constant.clone();
    curved.parameters.fluid.kinematic_viscosity = 7.0;
    curved.parameters.gravity = Vec3::X;
    let value = Value::Number(1e-3);
    curved.curves = vec![
        curve("fluid.kinematic_viscosity", [(0.01, value), (0.013, value)]),
        gravity(&[(-1.0, constant.parameters.gravity.y), (0.02, constant.parameters.gravity.y)]),
    ];
    assert!(run(&constant, 30).state() == run(&curved, 30).state());
}

#[test]
fn a_resumed_simulation_stays_on_its_curves() {
    let mut ramp = square();
    ramp.curves = vec![
        gravity(&[(0.0, 0.0), (0.1, -10.0)]),
        curve("fluid.artificial_viscosity", [(0.0, Value::Number(0.0)), (0.05, Value::Number(0.3))]),
        curve("grid.cell_size", [(0.0, Value::Number(0.06)), (0.05, Value::Number(0.1))]),
    ];
    let state = run(&ramp, 20).state().clone();
    let mut resumed = Simulation::from_state(&ramp, state).expect("a valid state");
    (0..20).for_each(|_| assert_eq!(resumed.step().error, None));
    assert!(resumed.state() == run(&ramp, 40).state());
}

#[test]
fn a_parameter_off_its_curve_is_the_users() {
    let mut ramp = square();
    ramp.curves = vec![gravity(&[(0.0, 0.0), (0.1, -10.0)])];
    let mut simulation = run(&ramp, 10);
    let wanted = Parameters { gravity: Vec3::new(0.0, -3.0, 0.0), ..*simulation.parameters() };
    simulation.set_parameters(wanted).expect("valid parameters");
    assert!(
        (simulation.parameters().gravity.y + 1.0).abs() < 1e-4,
        "the curve prevails: {}",
        simulation.parameters().gravity.y
    );
    simulation.set_off_curve(&["gravity"]);
    simulation.set_parameters(wanted).expect("valid parameters");
    let before = mean_velocity(&simulation);
    (0..10).for_each(|_| assert_eq!(simulation.step().error, None));
    assert!((mean_velocity(&simulation) - before + 0.03).abs() < 1e-5);
    simulation.set_off_curve(&[]);
    assert!((simulation.parameters().gravity.y + 2.0).abs() < 1e-4, "on it again: {}", simulation.parameters().gravity.y);
}

#[test]
fn curves_that_do_not_fit_are_refused() {
    let mut setup = square();
    let number = |value| Value::Number(value);
    setup.curves = vec![curve("time_step.min_dt", [(0.0, number(0.0)), (1.0, number(0.5))])];
    assert!(matches!(
        setup.validate(),
        Err(SetupError::Curve { time: 1.0, error: ParameterError { name: "time_step.min_dt", .. } })
    ));
    // With a longest step that grows along, it fits.
    setup.curves.push(curve("time_step.max_dt", [(0.0, number(1e-3)), (1.0, number(0.5))]));
    assert_eq!(setup.validate(), Ok(()));
    setup.curves.push(setup.curves[0].clone());
    assert_eq!(setup.validate(), Err(SetupError::TwoCurves { key: "time_step.min_dt" }));
    setup.curves = vec![curve("gravity", [(0.0, Value::Vector(Vec3::Z))])];
    assert!(
        matches!(setup.validate(), Err(SetupError::Curve { error: ParameterError { name: "gravity", .. }, .. })),
        "out of the plane"
    );
}

#[test]
fn the_usual_speed_of_sound_is_that_of_the_strongest_gravity() {
    let mut setup = square();
    let usual = setup.usual_sound_speed();
    let g = setup.parameters.gravity.y;
    setup.parameters.gravity = Vec3::ZERO;
    setup.curves = vec![gravity(&[(0.0, 0.0), (1.0, 4.0 * g), (2.0, g)])];
    assert!((setup.usual_sound_speed() - 2.0 * usual).abs() < 1e-4 * usual);
}
