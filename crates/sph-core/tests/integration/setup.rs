//! Setups: each error is reported before anything is allocated; parameters that follow curves.

use crate::common::{dam_break, setup};
use glam::{Mat3, Vec2, Vec3};
use sph_core::neighbors::MAX_TABLE_SIZE;
use sph_core::parameters::Value;
use sph_core::*;
use std::f32::consts::PI;

/// Error of a small dam break after `change`.
fn refused(change: impl FnOnce(&mut Setup)) -> SetupError {
    let mut setup = dam_break(Dimensions::Three, 8);
    change(&mut setup);
    Simulation::new(&setup).expect_err("an invalid setup")
}

fn refused_parameter(change: impl FnOnce(&mut Setup)) -> &'static str {
    match refused(change) {
        SetupError::Parameter(error) => error.name,
        other => panic!("{other}"),
    }
}

#[test]
fn an_ellipsoid_fills_the_right_part_of_its_box() {
    let particles = |dimensions, shape| {
        let mut setup = dam_break(dimensions, 24);
        setup.blocks[0].shape = shape;
        setup.blocks[0].field =
            VelocityField::Linear { gradient: Mat3::from_diagonal(Vec3::new(2.0, -1.0, 0.5)), center: Vec3::X };
        Simulation::new(&setup).expect("a valid setup").particles().clone()
    };
    for (dimensions, part) in [(Dimensions::Two, PI / 4.0), (Dimensions::Three, PI / 6.0)] {
        let all = particles(dimensions, BlockShape::Box);
        let round = particles(dimensions, BlockShape::Ellipsoid);
        let filled = round.len() as f32 / all.len() as f32;
        assert!((filled / part - 1.0).abs() < 0.02, "{dimensions:?}: {filled}");
        for (position, velocity) in round.positions.iter().zip(&round.velocities) {
            let offset = *position - if dimensions == Dimensions::Two { Vec3::new(0.24, 0.24, 0.0) } else { Vec3::splat(0.24) };
            assert!(offset.length() <= 0.24, "{position}");
            assert_eq!(velocity.truncate(), Vec2::new(2.0 * (position.x - 1.0), -position.y), "{position}");
        }
    }
}

#[test]
fn parameters_out_of_range() {
    assert_eq!(refused_parameter(|s| s.discretization.particle_spacing = -0.1), "particles.spacing");
    assert_eq!(refused_parameter(|s| s.discretization.particle_spacing = f32::NAN), "particles.spacing");
    assert_eq!(refused_parameter(|s| s.discretization.rest_density = 0.0), "fluid.rest_density");
    assert_eq!(refused_parameter(|s| s.discretization.support_radius *= 10.0), "particles.support_radius");
    assert_eq!(refused_parameter(|s| s.parameters.fluid.sound_speed = 0.0), "fluid.sound_speed");
    assert_eq!(refused_parameter(|s| s.parameters.fluid.artificial_viscosity = -1.0), "fluid.artificial_viscosity");
    assert_eq!(refused_parameter(|s| s.parameters.gravity.y = f32::INFINITY), "gravity");
    let planar = Setup { parameters: dam_break(Dimensions::Two, 8).parameters, ..dam_break(Dimensions::Two, 8) };
    let mut tilted = planar.parameters;
    tilted.gravity.z = 1.0;
    assert!(tilted.validate(&planar.discretization).is_err() && planar.parameters.validate(&planar.discretization).is_ok());
    assert_eq!(refused_parameter(|s| s.parameters.time_step.max_dt = 1e12), "time_step.max_dt");
    assert_eq!(refused_parameter(|s| s.parameters.time_step.max_dt = 1e-44), "time_step.max_dt");
    assert_eq!(refused_parameter(|s| s.parameters.time_step.cfl_factor = 1.6), "time_step.cfl_factor");
    assert_eq!(refused_parameter(|s| s.parameters.grid.table_size = 0), "grid.table_size");
    assert_eq!(refused_parameter(|s| s.parameters.grid.table_size = MAX_TABLE_SIZE + 1), "grid.table_size");
    assert_eq!(refused_parameter(|s| s.parameters.grid.cell_size *= 4.1), "grid.cell_size");
    assert_eq!(refused_parameter(|s| s.parameters.grid.cell_size *= 0.24), "grid.cell_size");
}

#[test]
fn invalid_blocks_and_containers() {
    assert_eq!(refused(|s| s.blocks.clear()), SetupError::NoFluid);
    assert!(matches!(refused(|s| s.blocks[0].max.y = 0.0), SetupError::EmptyBlock { block: 0, axis: 'y', .. }));
    assert!(matches!(refused(|s| s.blocks[0].max.z = f32::NAN), SetupError::EmptyBlock { block: 0, axis: 'z', .. }));
    assert!(matches!(refused(|s| s.blocks[0].max.x = 0.09), SetupError::UnevenBlock { block: 0, axis: 'x', .. }));
    let wave = VelocityField::StandingWave { amplitude: 0.1, wavelength: 0.0 };
    assert_eq!(refused(|s| s.blocks[0].field = wave), SetupError::BlockVelocity { block: 0 });
    assert_eq!(refused(|s| s.blocks[0].velocity.x = f32::INFINITY), SetupError::BlockVelocity { block: 0 });
    assert_eq!(refused(|s| s.blocks[0].max.x = 99.0), SetupError::BlockOutside { block: 0 });
    assert_eq!(refused(|s| s.blocks.push(s.blocks[0].clone())), SetupError::BlocksOverlap { first: 0, second: 1 });
    // A second tank with a wall in the water.
    let tank =
        |s: &mut Setup| s.containers.push(Container { min: Vec3::splat(0.3), max: Vec3::splat(1.5), ..Container::default() });
    assert_eq!(refused(tank), SetupError::BlockInWall { block: 0, container: 1 });
    assert!(matches!(refused(|s| s.containers[0].max.y = 0.1), SetupError::SmallContainer { container: 0, axis: 'y', .. }));
    let lift = |s: &mut Setup| s.containers[0].face_velocities[Face::YMax as usize].y = 1.0;
    assert!(matches!(refused(lift), SetupError::FaceVelocity { container: 0, face: Face::YMax }));
}

#[test]
fn too_many_particles() {
    let too_many = |setup: &mut Setup| {
        setup.discretization.particle_spacing *= 1e-3;
        setup.discretization.support_radius *= 1e-3;
        setup.parameters.grid.cell_size *= 1e-3;
    };
    assert!(matches!(refused(too_many), SetupError::TooManyParticles { .. }));
    let beyond_counting = |setup: &mut Setup| {
        setup.blocks[0].max = Vec3::splat(1e30);
        setup.containers[0].max = Vec3::splat(1e30);
    };
    assert!(matches!(refused(beyond_counting), SetupError::TooManyParticles { count: u64::MAX, .. }));
}

#[test]
fn blocks_that_touch_are_accepted() {
    let mut setup = dam_break(Dimensions::Three, 8);
    let mut second = setup.blocks[0].clone();
    second.min.x = setup.blocks[0].max.x;
    second.max.x = second.min.x + 0.48;
    setup.blocks.push(second);
    let simulation = Simulation::new(&setup).expect("a valid setup");
    assert_eq!(simulation.particles().len() as u64, setup.particle_counts().fluid);
    assert_eq!(simulation.boundary().len() as u64, setup.particle_counts().boundary);
}

#[test]
fn parameters_refused_live_change_nothing() {
    let mut simulation = Simulation::new(&dam_break(Dimensions::Two, 8)).expect("a valid setup");
    let before = *simulation.parameters();
    let mut wrong = before;
    wrong.fluid.sound_speed = 50.0;
    wrong.grid.table_size = 0;
    let error = simulation.set_parameters(wrong).expect_err("a table of no buckets");
    assert_eq!(error.to_string(), "grid.table_size must be 1 to 16777216 (buckets), but is 0");
    for (value, words) in [(0.9, "0.9"), (1e30, "1e30"), (f32::NAN, "NaN")] {
        wrong = before;
        wrong.gravity.z = value;
        let error = simulation.set_parameters(wrong).expect_err("gravity out of the plane");
        assert!(error.to_string().ends_with(&format!("but is {words}")), "{error}");
    }
    assert_eq!(*simulation.parameters(), before);
}

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
