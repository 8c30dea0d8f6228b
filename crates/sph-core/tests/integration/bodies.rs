//! Bodies in the fluid: buoyancy, impermeability.

use crate::common::setup;
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

fn square() -> Body {
    Body { min: Vec3::new(0.8, 0.3, 0.0), max: Vec3::new(1.2, 0.7, 0.0), ..Body::default() }
}

/// Force on the first body, N/m.
fn force(simulation: &Simulation) -> Reaction {
    simulation.bodies()[0].force
}

#[test]
fn buoyancy_is_the_weight_of_the_displaced_water() {
    for method in [Method::Wcsph, Method::Iisph, Method::Dfsph] {
        for shape in [BlockShape::Box, BlockShape::Ellipsoid] {
            let body = Body { shape: shape.clone(), ..square() };
            let area = if body.shape == BlockShape::Box { 0.16 } else { 0.04 * std::f64::consts::PI };
            let mut simulation = Simulation::new(&tank(method, body)).expect("a valid setup");
            let (mut sum, mut time) = (DVec3::ZERO, 0.0);
            // The ragged gap around a round body lets the force swing for a second.
            while simulation.time() < 2.5 {
                let dt = f64::from(simulation.step().dt);
                if simulation.time() > 1.0 {
                    sum += dt * force(&simulation).pressure;
                    time += dt;
                }
            }
            let weight = 1000.0 * 9.81 * area;
            let buoyancy = sum / time / weight;
            assert!(
                (buoyancy.y - 1.0).abs() < 0.1 && buoyancy.x.abs() < 0.02,
                "{method:?} {shape:?}: {buoyancy} of the weight"
            );
            let reading = Probe::Force { body: 0 }.read(&simulation.view());
            assert_eq!(reading[1], Some(force(&simulation).pressure.y));
            assert_eq!(reading.len(), Probe::Force { body: 0 }.readings(Dimensions::Two).len());
        }
    }
}

#[test]
fn fluid_around_a_body_stays_at_rest() {
    for method in Method::ALL {
        // Blocks that touch the body on all sides, without gravity.
        let mut setup = tank(method, square());
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
    for method in Method::ALL {
        for shape in [BlockShape::Box, BlockShape::Ellipsoid] {
            let velocity = Vec3::new(1.5, 0.4, 0.0);
            let motion = Motion::through([(0.0, Vec3::ZERO), (0.1, velocity), (0.3, -velocity)]).expect("ascending times");
            let mut simulation =
                Simulation::new(&tank(method, Body { shape: shape.clone(), motion, ..square() })).expect("a valid setup");
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
}

#[test]
fn invalid_bodies_are_refused() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = tank(Method::Wcsph, square());
        change(&mut setup);
        setup.validate().expect_err("refused")
    };
    assert_eq!(refused(|s| s.blocks[0].around_bodies = false), SetupError::BlockInBody { block: 0, body: 0 });
    assert!(matches!(refused(|s| s.bodies[0].max.x = 0.81), SetupError::EmptyBody { body: 0, axis: 'x', .. }));
    assert!(matches!(refused(|s| s.bodies[0].min.y = f32::NAN), SetupError::EmptyBody { body: 0, axis: 'y', .. }));
}
