//! Bodies that turn, and containers that move and rock.

use crate::common::setup;
use glam::{DVec3, Mat3, Vec3};
use sph_core::*;
use std::f32::consts::FRAC_PI_2;
use std::f64::consts::TAU;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// Water 0.6 m deep in a tank 1.2 m wide, with a lid.
fn tank(method: Method) -> Setup {
    let max = Vec3::new(1.2, 0.6, 0.0);
    let block = FluidBlock { max, around_bodies: true, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.0), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.parameters.solver.method = method;
    setup
}

/// A bar in the tank, turning about its centre.
fn bar(shape: BlockShape, law: AngleLaw) -> Body {
    let (min, max) = (Vec3::new(0.3, 0.25, 0.0), Vec3::new(0.8, 0.4, 0.0));
    let rotation = Rotation::new(0.5 * (min + max), Vec3::Z, law).expect("a direction");
    Body { min, max, shape, motion: Motion::default().with_rotation(rotation), ..Body::default() }
}

/// Steps until `end` (s), and checks every particle after each step.
fn run(simulation: &mut Simulation, end: f64, what: &str, check: impl Fn(&Simulation, DVec3)) {
    let count = simulation.particles().len();
    while simulation.time() < end {
        let stats = simulation.step();
        assert!(stats.error.is_none(), "{what}: {:?}", stats.error);
        simulation.particles().positions.iter().for_each(|position| check(simulation, position.as_dvec3()));
    }
    assert_eq!(simulation.particles().len(), count);
}

#[test]
fn no_particle_enters_a_turning_body() {
    // Bodies of the other shape move without turning.
    let shapes = [BlockShape::Ellipsoid, BlockShape::Box].into_iter().cycle();
    for (method, shape) in Method::ALL.into_iter().zip(shapes) {
        let law = AngleLaw::with_velocities([(0.0, 0.0), (0.1, 8.0), (0.3, -8.0)]).expect("ascending times");
        let mut setup = tank(method);
        let what = format!("{method:?} {shape:?}");
        setup.bodies = vec![bar(shape, law)];
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        run(&mut simulation, 0.3, &what, |simulation, position| {
            let PlacedBody { body, pose, .. } = &simulation.bodies()[0];
            let scaled = (pose.start(position).as_vec3() - body.middle()).with_z(0.0) / body.half_extent().with_z(1.0);
            let inside = match body.shape {
                BlockShape::Box => scaled.abs().max_element() < 1.0,
                BlockShape::Ellipsoid | BlockShape::Solid(_) => scaled.length() < 1.0,
            };
            assert!(!inside, "{what}: {position} is inside after {} s", simulation.time());
        });
        let angle = setup.bodies[0].motion.rotation().map(|rotation| rotation.angle(simulation.time()));
        assert!(angle.is_some_and(|angle| angle > 0.3), "{what}: {angle:?}");
    }
}

#[test]
fn boundary_particles_of_a_turning_body_move_with_it() {
    let mut setup = tank(Method::Dfsph);
    setup.bodies = vec![bar(BlockShape::Box, AngleLaw::steady(3.0).expect("finite"))];
    let described = setup.bodies[0].particles(&setup.discretization);
    let walls = |simulation: &Simulation| {
        let walls = simulation.boundary();
        let first = walls.len() - described.len();
        let velocities: Vec<Vec3> = (first..walls.len()).map(|b| walls.velocity(b)).collect();
        (walls.positions[first..].to_vec(), velocities)
    };
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    assert_eq!(walls(&simulation).0, described);
    for _ in 0..20 {
        simulation.step();
    }
    let (angle, middle) = (3.0 * simulation.time() as f32, setup.bodies[0].middle());
    let (positions, velocities) = walls(&simulation);
    for (index, start) in described.iter().enumerate() {
        let arm = *start - middle;
        let turned = Vec3::new(angle.cos() * arm.x - angle.sin() * arm.y, angle.sin() * arm.x + angle.cos() * arm.y, 0.0);
        assert!(positions[index].distance(middle + turned) < 1e-6, "{start}");
        assert!(velocities[index].distance(3.0 * Vec3::Z.cross(turned)) < 1e-5, "{start}");
    }
}

#[test]
fn a_body_may_be_turned_and_at_rest() {
    let mut setup = tank(Method::Iisph);
    let law = AngleLaw::through([(0.0, 0.5)]).expect("one angle");
    setup.bodies = vec![bar(BlockShape::Box, law)];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let depth = |simulation: &Simulation, position: DVec3| {
        let PlacedBody { body, pose, .. } = &simulation.bodies()[0];
        let scaled = (pose.start(position).as_vec3() - body.middle()).abs() - body.half_extent();
        scaled.x.max(scaled.y)
    };
    // The fluid is sampled around the turned bar.
    let least = simulation.particles().positions.iter().map(|p| depth(&simulation, p.as_dvec3())).fold(f32::INFINITY, f32::min);
    assert!((0.49 * SPACING..SPACING).contains(&least), "{least}");
    run(&mut simulation, 0.3, "turned", |simulation, position| assert!(depth(simulation, position) > 0.0, "{position}"));
    // A block in its corner overlaps it, although it is clear of the bar before it is turned.
    setup.blocks[0] = FluidBlock { min: Vec3::new(0.65, 0.45, 0.0), max: Vec3::new(0.8, 0.5, 0.0), ..FluidBlock::default() };
    assert_eq!(setup.validate(), Err(SetupError::BlockInBody { block: 0, body: 0 }));
}

#[test]
fn a_rocking_container_keeps_its_fluid() {
    for method in [Method::Wcsph, Method::Dfsph] {
        let mut setup = tank(method);
        let law = AngleLaw::oscillation(12.0 * TAU / 360.0, 1.0, 0.0).expect("a positive period");
        let rotation = Rotation::new(setup.containers[0].middle(), Vec3::Z, law).expect("a direction");
        let heave = Motion::through([(0.0, Vec3::ZERO), (0.5, 0.4 * Vec3::X), (1.0, -0.4 * Vec3::X)]).expect("ascending times");
        setup.containers[0].motion = heave.with_rotation(rotation);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        run(&mut simulation, 1.0, &format!("{method:?}"), |simulation, position| {
            let tank = &simulation.containers()[0];
            let described = tank.motion.pose(simulation.time()).start(position).as_vec3();
            let inside = (0..2).all(|axis| (tank.min[axis]..=tank.max[axis]).contains(&described[axis]));
            assert!(inside, "{method:?}: {position} m is at {described} m in the tank after {} s", simulation.time());
        });
    }
}

#[test]
fn fluid_that_turns_with_its_container_turns_like_a_solid() {
    for method in [Method::Wcsph, Method::Dfsph] {
        // A closed box full of fluid, without gravity.
        let (max, speed) = (Vec3::new(0.8, 0.6, 0.0), 2.0);
        let mut setup = tank(method);
        setup.parameters.gravity = Vec3::ZERO;
        setup.containers[0].max = max;
        let middle = setup.containers[0].middle();
        let field = VelocityField::Linear { gradient: speed * Mat3::from_rotation_z(FRAC_PI_2), center: middle };
        setup.blocks = vec![FluidBlock { max, field, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() }];
        let law = AngleLaw::steady(speed.into()).expect("finite");
        setup.containers[0].motion = Motion::default().with_rotation(Rotation::new(middle, Vec3::Z, law).expect("a direction"));
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let mut start = vec![Vec3::ZERO; simulation.particles().len()];
        let Particles { ids, positions, .. } = simulation.particles();
        ids.iter().zip(positions).for_each(|(&id, &position)| start[id as usize] = position);
        while simulation.time() < 0.8 {
            assert_eq!(simulation.step().error, None, "{method:?}");
        }
        let pose = simulation.containers()[0].motion.pose(simulation.time());
        let Particles { ids, positions, velocities, .. } = simulation.particles();
        let (mut astray, mut slip) = (0.0f32, 0.0f32);
        for ((&id, &position), &velocity) in ids.iter().zip(positions).zip(velocities) {
            astray = astray.max(position.distance(pose.point(start[id as usize].as_dvec3()).as_vec3()));
            slip = slip.max(velocity.distance(speed * Vec3::Z.cross(position - middle)));
        }
        assert!(astray < 0.3 * SPACING && slip < 0.02, "{method:?}: {astray} m astray, {slip} m/s relative to the box");
    }
}

#[test]
fn fluid_in_a_steadily_moving_container_moves_as_in_one_at_rest() {
    for method in [Method::Wcsph, Method::Dfsph] {
        let velocity = Vec3::new(0.5, -0.25, 0.0);
        let mut setups = [tank(method), tank(method)];
        for setup in &mut setups {
            // A column that collapses.
            setup.blocks[0].max.x = 0.6;
            setup.parameters.time_step.fixed_dt = Some(1e-3);
        }
        setups[1].blocks[0].velocity = velocity;
        setups[1].containers[0].motion = Motion::steady(velocity).expect("finite");
        let mut simulations = setups.map(|setup| Simulation::new(&setup).expect("a valid setup"));
        for _ in 0..100 {
            for simulation in &mut simulations {
                assert_eq!(simulation.step().error, None, "{method:?}");
            }
        }
        let [rest, moving] = &simulations;
        let by_id = |simulation: &Simulation| {
            let Particles { ids, positions, velocities, .. } = simulation.particles();
            let mut states: Vec<_> = ids.iter().zip(positions).zip(velocities).map(|((id, x), v)| (*id, *x, *v)).collect();
            states.sort_unstable_by_key(|state| state.0);
            states
        };
        let shift = velocity * rest.time() as f32;
        let mut fastest = 0.0f32;
        for ((_, x, v), (_, other_x, other_v)) in by_id(rest).into_iter().zip(by_id(moving)) {
            let (position, speed) = ((x + shift).distance(other_x), (v + velocity).distance(other_v));
            assert!(position < 1e-4 && speed < 1e-2, "{method:?}: {position} m and {speed} m/s from {x}");
            fastest = fastest.max(v.length());
        }
        assert!(fastest > 0.3, "{method:?}: {fastest} m/s");
    }
}

#[test]
fn moving_walls_are_resumed_to_the_bit() {
    for sampling in [WallSampling::Layers, WallSampling::SingleLayer] {
        let mut setup = tank(Method::Wcsph);
        setup.wall_sampling = sampling;
        let law = AngleLaw::oscillation(0.2, 0.9, 0.3).expect("a positive period");
        setup.bodies = vec![bar(BlockShape::Box, AngleLaw::steady(3.0).expect("finite"))];
        let rotation = Rotation::new(setup.containers[0].middle(), Vec3::Z, law).expect("a direction");
        setup.containers[0].motion = Motion::default().with_rotation(rotation);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        (0..30).for_each(|_| assert_eq!(simulation.step().error, None));
        let mut resumed = Simulation::from_state(&setup, simulation.state().clone()).expect("a valid state");
        assert_eq!(resumed.boundary().positions, simulation.boundary().positions);
        assert_eq!(resumed.boundary().volumes, simulation.boundary().volumes);
        for simulation in [&mut simulation, &mut resumed] {
            (0..10).for_each(|_| assert_eq!(simulation.step().error, None));
        }
        assert_eq!(resumed.state(), simulation.state(), "{sampling:?}");
    }
}

#[test]
fn motions_that_cannot_be_are_refused() {
    let turning =
        |axis: Vec3, law: AngleLaw| Motion::default().with_rotation(Rotation::new(Vec3::ZERO, axis, law).expect("a direction"));
    let steady = || AngleLaw::steady(1.0).expect("finite");
    let refused = |change: &dyn Fn(&mut Setup)| {
        let mut setup = tank(Method::Wcsph);
        setup.bodies = vec![bar(BlockShape::Box, steady())];
        setup.validate().expect("valid before the change");
        change(&mut setup);
        setup.validate().expect_err("refused")
    };
    let about_x = refused(&|setup| setup.bodies[0].motion = turning(Vec3::X, steady()));
    assert_eq!(about_x, SetupError::RotationAxis { of: Rigid::Body(0) });
    let about_y = refused(&|setup| setup.containers[0].motion = turning(Vec3::Y, steady()));
    assert_eq!(about_y, SetupError::RotationAxis { of: Rigid::Container(0) });
    for density in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(refused(&|setup| setup.bodies[0].density = density), SetupError::BodyDensity { body: 0 });
    }
    let obstacle = |change: &dyn Fn(&mut Setup)| {
        let motion = || turning(Vec3::Z, steady());
        match refused(&|setup| {
            setup.containers[0].motion = motion();
            change(setup);
        }) {
            SetupError::ContainerMotion { container: 0, obstacle } => obstacle,
            other => panic!("{other}"),
        }
    };
    assert_eq!(obstacle(&|setup| setup.wall_sampling = WallSampling::Analytic), MotionObstacle::AnalyticWalls);
    assert_eq!(obstacle(&|setup| setup.containers[0].face_velocities[0] = Vec3::Y), MotionObstacle::MovingFaces);
    let periodic = |setup: &mut Setup| {
        setup.domain = Domain { periodic: [true, false, false].into(), min: Vec3::ZERO, max: Vec3::new(1.2, 0.0, 0.0) };
    };
    assert_eq!(obstacle(&periodic), MotionObstacle::Periodic);
    let tilted = AngleLaw::through([(0.0, 0.1)]).expect("one angle");
    assert_eq!(obstacle(&|setup| setup.containers[0].motion = turning(Vec3::Z, tilted.clone())), MotionObstacle::Tilted);
}
