//! Bodies in the fluid: buoyancy and impermeability of those whose motion is prescribed; free fall, contacts, joints, coupling and
//! states of those that move by forces.

use crate::common::{hinge, setup};
use glam::{DVec3, Vec3};
use sph_core::probes::Probe;
use sph_core::*;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// A tank 2 m wide with water 1.2 m deep and `body` in it.
fn tank(method: Method, body: Body) -> Setup {
    let max = Vec3::new(2.0, 1.2, 0.0);
    let block = FluidBlock { max, around_bodies: true, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.6), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.bodies = vec![body];
    setup.parameters.solver.method = method;
    setup
}

fn at_rest() -> Body {
    Body { min: Vec3::new(0.8, 0.3, 0.0), max: Vec3::new(1.2, 0.7, 0.0), ..Body::default() }
}

/// Force on the first body, N/m.
fn force(simulation: &Simulation) -> Reaction {
    simulation.bodies()[0].force
}

#[test]
fn buoyancy_is_the_weight_of_the_displaced_water() {
    // That on a box with WCSPH is a case of validation.
    let mut found = Vec::new();
    for (method, shape, correction) in [
        (Method::Iisph, BlockShape::Ellipsoid, CoarseCorrection::Off),
        (Method::Dfsph, BlockShape::Box, CoarseCorrection::Off),
        (Method::Dfsph, BlockShape::Box, CoarseCorrection::On),
    ] {
        let body = Body { shape: shape.clone(), ..at_rest() };
        let area = if body.shape == BlockShape::Box { 0.16 } else { 0.04 * std::f64::consts::PI };
        let mut setup = tank(method, body);
        setup.parameters.solver.coarse_correction = correction;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let (mut sum, mut time) = (DVec3::ZERO, 0.0);
        // The ragged gap around a round body lets the force swing for a second.
        while simulation.time() < 2.0 {
            let dt = f64::from(simulation.step().dt);
            if simulation.time() > 1.0 {
                sum += dt * force(&simulation).pressure;
                time += dt;
            }
        }
        let weight = 1000.0 * 9.81 * area;
        let buoyancy = sum / time / weight;
        // Particles settle unevenly: with warm starts of 0.45 to 0.55 the box is pushed sideways with −0.04 to 0.03 of the
        // weight.
        assert!(
            (buoyancy.y - 1.0).abs() < 0.1 && buoyancy.x.abs() < 0.05,
            "{method:?} {shape:?} {correction:?}: {buoyancy} of the weight"
        );
        let reading = Probe::Force { body: 0 }.read(&simulation.view());
        assert_eq!(reading[1], Some(force(&simulation).pressure.y));
        assert_eq!(reading.len(), Probe::Force { body: 0 }.readings(Dimensions::Two).len());
        found.push(buoyancy);
    }
    assert_ne!(found[1], found[2], "nothing was corrected");
}

#[test]
fn fluid_around_a_body_stays_at_rest() {
    for method in Method::ALL {
        // Blocks that touch the body on all sides, without gravity.
        let mut setup = tank(method, at_rest());
        setup.parameters.gravity = Vec3::ZERO;
        let block = |min: [f32; 2], max: [f32; 2]| FluidBlock {
            min: Vec3::new(min[0], min[1], 0.0),
            max: Vec3::new(max[0], max[1], 0.0),
            ..FluidBlock::default()
        };
        setup.blocks = vec![
            block([0.0, 0.0], [2.0, 0.3]),
            block([0.0, 0.3], [0.8, 0.7]),
            block([1.2, 0.3], [2.0, 0.7]),
            block([0.0, 0.7], [2.0, 1.2]),
        ];
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        for _ in 0..50 {
            let stats = simulation.step();
            assert!(stats.error.is_none() && stats.max_speed < 0.01, "{method:?}: {} m/s", stats.max_speed);
        }
    }
}

#[test]
fn no_particle_enters_a_moving_body() {
    // Bodies of the other shape turn.
    let shapes = [BlockShape::Box, BlockShape::Ellipsoid].into_iter().cycle();
    for (method, shape) in Method::ALL.into_iter().zip(shapes) {
        let velocity = Vec3::new(1.5, 0.4, 0.0);
        let motion = Motion::through([(0.0, Vec3::ZERO), (0.1, velocity), (0.3, -velocity)]).expect("ascending times");
        let mut simulation =
            Simulation::new(&tank(method, Body { shape: shape.clone(), motion, ..at_rest() })).expect("a valid setup");
        let count = simulation.particles().len();
        while simulation.time() < 0.4 {
            let stats = simulation.step();
            assert!(stats.error.is_none(), "{method:?} {shape:?}: {:?}", stats.error);
            let PlacedBody { body, pose, .. } = &simulation.bodies()[0];
            let (middle, half) = (body.middle() + pose.displacement.as_vec3(), body.half_extent());
            for position in &simulation.particles().positions {
                let scaled = ((*position - middle) / half.with_z(1.0)).with_z(0.0).abs();
                let inside = match body.shape {
                    BlockShape::Box => scaled.max_element() < 1.0,
                    BlockShape::Ellipsoid | BlockShape::Solid(_) => scaled.length() < 1.0,
                };
                assert!(!inside, "{method:?} {shape:?}: {position} is inside after {} s", simulation.time());
            }
        }
        assert_eq!(simulation.particles().len(), count);
        let expected = simulation.bodies()[0].body.motion.displacement(simulation.time()).as_vec3();
        assert!(simulation.bodies()[0].pose.displacement.as_vec3().distance(expected) < 1e-6 && expected.length() > 0.05);
    }
}

#[test]
fn invalid_bodies_are_refused() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = tank(Method::Wcsph, at_rest());
        change(&mut setup);
        setup.validate().expect_err("refused")
    };
    assert_eq!(refused(|s| s.blocks[0].around_bodies = false), SetupError::BlockInBody { block: 0, body: 0 });
    assert!(matches!(refused(|s| s.bodies[0].max.x = 0.81), SetupError::EmptyBody { body: 0, axis: 'x', .. }));
    assert!(matches!(refused(|s| s.bodies[0].min.y = f32::NAN), SetupError::EmptyBody { body: 0, axis: 'y', .. }));
}

/// Standard gravity, m/s².
const GRAVITY: f64 = 9.81;

/// A dry tank of two dimensions, 4 m wide and 4 m high, but for a puddle in its corner.
fn dry(bodies: Vec<Body>) -> Setup {
    let puddle = FluidBlock { max: Vec3::new(0.2, 0.1, 0.0), ..FluidBlock::default() };
    let tank = Container { max: Vec3::new(4.0, 4.0, 0.0), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![puddle], vec![tank]);
    setup.bodies = bodies;
    setup
}

/// A square of 0.4 m around `center`, which moves by forces.
fn square(center: [f32; 2], dynamics: Dynamics) -> Body {
    let center = Vec3::new(center[0], center[1], 0.0);
    let half = Vec3::new(0.2, 0.2, 0.0);
    Body { min: center - half, max: center + half, dynamics: Some(dynamics), ..Body::default() }
}

fn simulation(setup: &Setup) -> Simulation {
    Simulation::new(setup).expect("a valid setup")
}

/// Makes steps until `time`, s.
fn run_to(simulation: &mut Simulation, time: f64) {
    while simulation.time() < time {
        let error = simulation.step().error;
        assert_eq!(error, None, "at {} s", simulation.time());
    }
}

fn state(simulation: &Simulation, body: usize) -> BodyState {
    simulation.state().bodies[body]
}

#[test]
fn a_body_in_the_air_falls_along_a_parabola_and_turns_steadily() {
    let dynamics = Dynamics { velocity: Vec3::X, angular_velocity: 2.0 * Vec3::Z, ..Dynamics::default() };
    let mut simulation = simulation(&dry(vec![square([1.0, 3.0], dynamics)]));
    run_to(&mut simulation, 0.4);
    let (time, body) = (simulation.time(), state(&simulation, 0));
    let expected = DVec3::new(1.0 + time, 3.0 - 0.5 * GRAVITY * time * time, 0.0);
    assert!(body.position.distance(expected) < 2e-3, "{} m instead of {expected} m", body.position);
    let (axis, angle) = body.rotation.to_axis_angle();
    assert!((axis.z * angle - 2.0 * time).abs() < 1e-6, "{angle} rad");
    let placed = &simulation.bodies()[0];
    let corner = placed.pose.point(DVec3::new(1.2, 3.2, 0.0));
    assert!((corner.distance(body.position) - 0.2 * 2f64.sqrt()).abs() < 1e-6);
}

#[test]
fn a_body_falls_onto_the_floor_and_stays_there() {
    let mut simulation = simulation(&dry(vec![square([2.0, 1.225], Dynamics::default())]));
    run_to(&mut simulation, 1.5 * (2.0 / GRAVITY).sqrt());
    // Contacts are half a particle off each surface, so that a film of fluid has room.
    let gap = state(&simulation, 0).position.y - 0.2;
    assert!((gap / f64::from(SPACING) - 1.0).abs() < 0.1, "{gap} m above the floor");
    assert!((state(&simulation, 0).position.x - 2.0).abs() < 1e-3);
}

#[test]
fn bodies_that_touch_at_the_start_stay_where_they_are() {
    let mut simulation = simulation(&dry(vec![
        square([2.0, 0.2], Dynamics::default()),
        square([2.0, 0.6], Dynamics::default()),
        square([2.0, 1.0], Dynamics::default()),
    ]));
    for _ in 0..300 {
        assert_eq!(simulation.step().error, None);
        for (body, height) in [0.2, 0.6, 1.0].into_iter().enumerate() {
            // Contacts are a spacing wide.
            let risen = state(&simulation, body).position.y - height;
            assert!((-0.01..(body + 1) as f64 * 1.1 * f64::from(SPACING)).contains(&risen), "{body}: {risen} m");
        }
    }
}

#[test]
fn a_fast_body_is_stopped_by_a_wall_and_does_not_rebound() {
    for speed in [5.0, 100.0] {
        let thrown = Dynamics { velocity: speed * Vec3::X, ..Dynamics::default() };
        let mut setup = dry(vec![square([3.0, 2.0], thrown)]);
        setup.parameters.gravity = Vec3::ZERO;
        let mut simulation = simulation(&setup);
        run_to(&mut simulation, 0.5);
        let BodyState { position, velocity, .. } = state(&simulation, 0);
        assert!((3.7..3.85).contains(&position.x) && velocity.x > -0.01 * f64::from(speed), "{position} m, {velocity} m/s");
    }
}

#[test]
fn a_ball_rebounds_by_its_restitution() {
    let puddle = FluidBlock { max: Vec3::splat(0.2), ..FluidBlock::default() };
    let tank = Container { max: Vec3::new(1.0, 2.0, 1.0), ..Container::default() };
    let mut setup = setup(Dimensions::Three, SPACING, vec![puddle], vec![tank]);
    // Walls have a restitution of 0, and that of a contact is the mean: half of the speed, a quarter of the height.
    let dynamics = Some(Dynamics { restitution: 1.0, ..Dynamics::default() });
    let [min, max] = [Vec3::new(0.4, 1.05, 0.4), Vec3::new(0.6, 1.25, 0.6)];
    setup.bodies = vec![Body { min, max, shape: BlockShape::Ellipsoid, dynamics, ..Body::default() }];
    let mut simulation = simulation(&setup);
    run_to(&mut simulation, 1.5 * (2.0 / GRAVITY).sqrt());
    let height = state(&simulation, 0).position.y - 0.1 - f64::from(SPACING);
    assert!((height / 0.25 - 1.0).abs() < 0.05, "{height} m");
}

#[test]
fn a_collision_keeps_the_momentum() {
    let fast = Dynamics { velocity: Vec3::X, restitution: 1.0, friction: 0.0, ..Dynamics::default() };
    let slow = Dynamics { velocity: Vec3::ZERO, ..fast.clone() };
    let mut setup = dry(vec![square([1.0, 2.0], fast), square([1.6, 2.0], slow)]);
    setup.parameters.gravity = Vec3::ZERO;
    let mut simulation = simulation(&setup);
    run_to(&mut simulation, 0.5);
    let velocities = [0, 1].map(|body| state(&simulation, body).velocity);
    assert!((velocities[0] + velocities[1]).distance(DVec3::X) < 1e-6, "{velocities:?}");
    assert!(velocities[1].x > 0.95, "an elastic collision of equal masses exchanges their velocities: {velocities:?}");
}

#[test]
fn a_pendulum_on_a_hinge_has_its_period() {
    // Half of the side beside the hinge: small oscillations of a square about a point at the distance L from its centre.
    let length = 1.0;
    let angle = 0.05f32;
    let center = [2.0 + length * angle.sin(), 3.0 - length * angle.cos()];
    let mut setup = dry(vec![square(center, Dynamics::default())]);
    let joint = hinge(0, JointEnd::Space, Vec3::new(2.0, 3.0, 0.0));
    setup.joints = vec![joint.clone()];
    let mut simulation = simulation(&setup);
    let (mut crossings, mut before) = (Vec::new(), state(&simulation, 0).position.x - 2.0);
    while crossings.len() < 3 {
        simulation.step();
        let x = state(&simulation, 0).position.x - 2.0;
        if x * before < 0.0 {
            crossings.push(simulation.time());
        }
        before = x;
    }
    // ω² = m g L / (I + m L²), with I = m s²/6 of a square of side s.
    let expected = std::f64::consts::TAU * ((1.0 + 0.16 / 6.0) / GRAVITY).sqrt();
    let period = crossings[2] - crossings[0];
    assert!((period / expected - 1.0).abs() < 5e-3, "{period} s instead of {expected} s");
    let held = state(&simulation, 0).position.distance(DVec3::new(2.0, 3.0, 0.0));
    assert!((held - 1.0).abs() < 1e-3, "the hinge holds it at {held} m");
    // A motor that is strong enough turns it at its speed, against gravity.
    let motor = Motor { velocity: 0.5, limit: (2.0 * 160.0 * GRAVITY) as f32 };
    setup.joints = vec![Joint { motor: Some(motor), ..joint }];
    let mut driven = Simulation::new(&setup).expect("a valid setup");
    run_to(&mut driven, 1.0);
    let turned = (state(&driven, 0).position.x - 2.0).asin() - f64::from(angle);
    // It is late by the time in which it gathers speed, about 0.04 s.
    assert!((turned - 0.5 * driven.time()).abs() < 0.025, "{turned} rad");
}

#[test]
fn what_the_fluid_gains_a_free_body_loses() {
    for method in Method::ALL {
        let block = FluidBlock { max: Vec3::new(1.0, 0.6, 0.0), velocity: Vec3::X, ..FluidBlock::default() };
        let mut setup = setup(Dimensions::Two, SPACING, vec![block], Vec::new());
        setup.parameters.gravity = Vec3::ZERO;
        setup.parameters.solver.method = method;
        setup.bodies = vec![square([1.25, 0.35], Dynamics::default())];
        let mut simulation = simulation(&setup);
        let mass = f64::from(simulation.particle_mass());
        let momentum = |simulation: &Simulation| {
            let fluid: DVec3 = simulation.particles().velocities.iter().map(|velocity| mass * velocity.as_dvec3()).sum();
            let body = state(simulation, 0);
            // Fluid that the surface has stopped acts in the next step.
            (fluid, 160.0 * body.velocity + body.contact.force)
        };
        let (start, _) = momentum(&simulation);
        run_to(&mut simulation, 0.2);
        let (fluid, body) = momentum(&simulation);
        assert!(body.x > 0.05 * start.x, "{method:?}: the body is pushed: {body} N s");
        // In incompressible fluid the load is relaxed: impulses are late by a few steps.
        let late = if method == Method::Wcsph { 1e-5 } else { 0.05 };
        assert!((fluid + body - start).length() < late * start.x, "{method:?}: {fluid} and {body} N s of {start} N s");
    }
}

/// A tank with water 1 m deep and a body of `density` (kg/m³) at its surface.
fn pool(method: Method, shape: BlockShape, density: f32) -> Setup {
    let max = Vec3::new(1.6, 1.0, 0.0);
    let initial_pressure = InitialPressure::Hydrostatic;
    let block = FluidBlock { max, around_bodies: true, initial_pressure, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.6), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.parameters.solver.method = method;
    setup.bodies = vec![Body { density, shape, ..square([0.8, 0.8], Dynamics::default()) }];
    setup
}

/// Height and speed (m, m/s) of the body in `setup` after 0.6 s.
fn sink(setup: &Setup) -> (f64, f64) {
    let mut simulation = simulation(setup);
    run_to(&mut simulation, 0.6);
    let BodyState { position, velocity, rotation, .. } = state(&simulation, 0);
    assert!(position.z == 0.0 && rotation.x == 0.0 && rotation.y == 0.0, "it stays in the plane");
    (position.y, velocity.length())
}

#[test]
fn bodies_as_light_as_a_tenth_of_the_fluid_rise_with_every_solver() {
    let light = Method::ALL.map(|method| (method, 100.0, 0.9..1.3));
    for (method, density, heights) in light.into_iter().chain([(Method::Dfsph, 1000.0, 0.6..0.9)]) {
        let (height, speed) = sink(&pool(method, BlockShape::Box, density));
        assert!(heights.contains(&height) && speed < 1.0, "{method:?}, {density} kg/m³: {height} m, {speed} m/s");
    }
}

#[test]
fn bodies_as_heavy_as_ten_times_the_fluid_sink() {
    for method in [Method::Wcsph, Method::Pbf] {
        let (height, speed) = sink(&pool(method, BlockShape::Ellipsoid, 10_000.0));
        // Down to the floor, on a film of fluid.
        assert!((0.2..0.6).contains(&height) && speed < 2.5, "{method:?}: {height} m, {speed} m/s");
    }
}

/// Drops a heavy square flat into a tank five times as wide and 25 spacings deep: pressure iterations of the incompressible solvers
/// diverge in its corners unless they start again with a smaller relaxation.
fn drop_into_a_shallow_tank(method: Method, density: f32) {
    let max = Vec3::new(1.0, 0.5, 0.0);
    let container = Container { max: max.with_y(1.5), ..Container::default() };
    let block = FluidBlock { max, ..FluidBlock::default() };
    let mut setup = setup(Dimensions::Two, 0.02, vec![block], vec![container]);
    setup.parameters.solver.method = method;
    let (min, max) = (Vec3::new(0.4, 0.6, 0.0), Vec3::new(0.6, 0.8, 0.0));
    setup.bodies = vec![Body { min, max, density, dynamics: Some(Dynamics::default()), ..Body::default() }];
    let mut simulation = simulation(&setup);
    run_to(&mut simulation, 2.0);
    let height = state(&simulation, 0).position.y;
    // Its half height, and half a spacing of contact at least.
    assert!((0.105..0.14).contains(&height), "{method:?}: {height} m");
}

#[test]
fn a_heavy_body_falls_to_the_floor_of_a_shallow_tank() {
    drop_into_a_shallow_tank(Method::Dfsph, 5000.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn heavier_bodies_fall_to_the_floor_with_other_solvers() {
    drop_into_a_shallow_tank(Method::Iisph, 10_000.0);
    drop_into_a_shallow_tank(Method::Pcisph, 3000.0);
}

#[test]
fn a_state_determines_the_next_steps_of_bodies() {
    for method in Method::ALL {
        let max = Vec3::new(1.6, 0.6, 0.0);
        let block = FluidBlock { max, around_bodies: true, ..FluidBlock::default() };
        let container = Container { max: max.with_y(1.6), ..Container::default() };
        let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
        setup.parameters.solver.method = method;
        let spinning = Dynamics { angular_velocity: Vec3::Z, ..Dynamics::default() };
        setup.bodies = vec![square([0.5, 0.7], spinning), Body { density: 300.0, ..square([1.1, 0.5], Dynamics::default()) }];
        let mut simulation = simulation(&setup);
        for step in 0..30 {
            let mut resumed = Simulation::from_state(&setup, simulation.state().clone()).expect("a valid state");
            resumed.step();
            simulation.step();
            assert_eq!(resumed.state().bodies, simulation.state().bodies, "{method:?}, step {step}");
            assert_eq!(resumed.particles().positions_by_id(), simulation.particles().positions_by_id());
        }
        let mut state = simulation.state().clone();
        state.bodies[0].velocity.x = f64::NAN;
        assert_eq!(Simulation::from_state(&setup, state.clone()).err(), Some(PopulationError::InvalidBody { index: 0 }));
        state.bodies.clear();
        let expected = PopulationError::Bodies { found: 0, expected: 2 };
        assert_eq!(Simulation::from_state(&setup, state).err(), Some(expected));
    }
}

#[test]
fn impossible_bodies_and_joints_are_refused() {
    let refused = |change: &dyn Fn(&mut Setup)| {
        let mut setup = dry(vec![
            square([1.0, 1.0], Dynamics::default()),
            Body { dynamics: None, ..square([3.0, 1.0], Dynamics::default()) },
        ]);
        change(&mut setup);
        setup.validate().expect_err("not possible")
    };
    let free =
        |change: &dyn Fn(&mut Dynamics)| refused(&|setup| change(setup.bodies[0].dynamics.as_mut().expect("a free body")));
    assert_eq!(free(&|dynamics| dynamics.restitution = 1.5), SetupError::Dynamics { body: 0 });
    assert_eq!(free(&|dynamics| dynamics.friction = -1.0), SetupError::Dynamics { body: 0 });
    assert_eq!(free(&|dynamics| dynamics.velocity.x = f32::NAN), SetupError::Dynamics { body: 0 });
    let moving = refused(&|setup| setup.bodies[0].motion = Motion::steady(Vec3::X).expect("finite"));
    assert_eq!(moving, SetupError::Dynamics { body: 0 });
    let anchor = Vec3::ONE;
    let joint = hinge(0, JointEnd::Space, anchor);
    let joined = |joint: Joint| refused(&|setup| setup.joints = vec![joint.clone()]);
    let error = |error| SetupError::Joint { joint: 0, error };
    assert_eq!(joined(Joint { body: 5, ..joint.clone() }), error(JointError::NoBody(5)));
    assert_eq!(joined(Joint { body: 1, ..joint.clone() }), error(JointError::NothingFree));
    assert_eq!(joined(Joint { to: JointEnd::Body(0), ..joint.clone() }), error(JointError::SameBody));
    assert_eq!(joined(Joint { axis: Vec3::ZERO, ..joint.clone() }), error(JointError::Axis));
    assert_eq!(joined(Joint { limits: Some([1.0, -1.0]), ..joint.clone() }), error(JointError::Limits));
    assert_eq!(joined(Joint { stiffness: -1.0, ..joint }), error(JointError::Number));
}
