//! Emitters and drains in a simulation: their flow, the limit, bits that depend on nothing else, and a channel that keeps its level.

use crate::common::setup;
use glam::{Vec2, Vec3};
use sph_core::probes::{FluxGate, Instruments, Probe};
use sph_core::*;

const SPACING: f32 = 0.02;

/// An emitter of 1 m/s into weightless space, 0.1 m wide.
fn jet(dimensions: Dimensions, method: Method) -> Setup {
    let mut setup = setup(dimensions, SPACING, Vec::new(), Vec::new());
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.solver.method = method;
    setup.openings.emitters = vec![Emitter {
        center: Vec3::ZERO,
        direction: Vec3::X,
        aperture: Aperture::Rectangle { size: Vec2::splat(0.1) },
        rate: Rate::Speed(Schedule::constant(1.0).expect("a schedule")),
        fluid: 0,
    }];
    setup.parameters.fluid.sound_speed = 20.0;
    setup
}

fn run(simulation: &mut Simulation, end: f64) -> Exchange {
    let mut all = Exchange::default();
    while simulation.time() < end {
        let stats = simulation.step();
        assert_eq!(stats.error, None);
        all.emitted += stats.exchange.emitted;
        all.withheld += stats.exchange.withheld;
        all.drained += stats.exchange.drained;
    }
    all
}

/// A jet without weight or viscosity keeps its speed, and its length is what has come out.
#[test]
fn a_weightless_jet_stays_a_jet_with_every_solver() {
    for (method, dimensions) in Method::ALL.into_iter().flat_map(|m| [(m, Dimensions::Two), (m, Dimensions::Three)]) {
        let mut simulation = Simulation::new(&jet(dimensions, method)).expect("a valid setup");
        let exchange = run(&mut simulation, 0.5);
        let sheet = 5usize.pow(dimensions.count() as u32 - 1);
        // 0.5 m are 25 sheets; the last step reaches a little further.
        assert!((24 * sheet..=26 * sheet).contains(&exchange.emitted), "{method:?} {dimensions:?}: {exchange:?}");
        assert_eq!((exchange.withheld, exchange.drained), (0, 0), "{method:?} {dimensions:?}");
        let Particles { positions, velocities, .. } = simulation.particles();
        let slowest = velocities.iter().map(|v| (*v - Vec3::X).length()).fold(0.0, f32::max);
        assert!(slowest < 0.05, "{method:?} {dimensions:?}: {slowest} m/s off");
        let front = positions.iter().map(|x| x.x).fold(0.0, f32::max);
        assert!((front - 0.49).abs() < 0.02, "{method:?} {dimensions:?}: front at {front} m");
    }
}

#[test]
fn a_drain_takes_what_an_emitter_gives_and_the_limit_holds() {
    let mut setup = jet(Dimensions::Two, Method::Wcsph);
    setup.openings.drains = vec![Drain { min: Vec3::new(0.4, -1.0, 0.0), max: Vec3::new(0.6, 1.0, 0.0), ..Drain::default() }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let exchange = run(&mut simulation, 1.5);
    let present = simulation.particles().len();
    assert_eq!(exchange.emitted - exchange.drained, present);
    // Between the emitter and the drain there is room for 20 sheets of 5.
    assert!((95..=105).contains(&present), "{present} particles");
    setup.openings.particle_limit = Some(60);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let exchange = run(&mut simulation, 0.39);
    assert_eq!((simulation.particles().len(), exchange.emitted), (60, 60));
    assert!(exchange.withheld > 0);
}

/// A jet flows over a sphere: what enters it goes, and nothing else. The oracle is the particles' own distance from the centre.
#[test]
fn a_spherical_drain_removes_what_enters_the_sphere() {
    let (center, radius) = (Vec3::new(0.3, 0.06, 0.0), 0.06f32);
    let mut setup = jet(Dimensions::Three, Method::Wcsph);
    let corners = [center - radius, center + radius];
    let ball = Shape::in_box(ShapeKind::Sphere, Dimensions::Three, corners[0], corners[1], Axis::Y).expect("a cube");
    let [min, max] = corners;
    setup.openings.drains = vec![Drain { min, max, region: Some(ball.into()), velocity: None }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let (mut drained, mut passed) = (0, 0);
    while simulation.time() < 0.6 {
        let distances = simulation.particles().positions.iter().map(|at| at.distance(center));
        let entered = distances.filter(|distance| *distance <= radius).count();
        let stats = simulation.step();
        assert_eq!((stats.error, stats.exchange.drained), (None, entered));
        drained += entered;
        passed = simulation.particles().positions.iter().filter(|at| at.x > center.x + radius).count();
    }
    // The sphere takes the upper part of the jet, which is 0.1 m thick; the rest flows past.
    assert!(drained > 100 && passed > 100, "{drained} gone, {passed} past");
}

#[test]
fn bits_with_openings_depend_on_the_state_alone() {
    let mut setup = jet(Dimensions::Two, Method::Dfsph);
    setup.openings.drains =
        vec![Drain { min: Vec3::new(0.1, -1.0, 0.0), max: Vec3::new(0.6, 1.0, 0.0), velocity: Some(Vec3::X), region: None }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    for _ in 0..150 {
        let mut resumed = Simulation::from_state(&setup, simulation.state().clone()).expect("a valid state");
        assert_eq!(simulation.step().exchange, resumed.step().exchange);
        assert_eq!(simulation.state(), resumed.state());
    }
}

/// A channel of uniform flow, driven by its ends, keeps its depth.
#[test]
fn a_channel_keeps_its_level() {
    let (depth, length, speed) = (0.16, 0.6, 1.0);
    let block = FluidBlock {
        max: Vec3::new(length, depth, 0.0),
        velocity: Vec3::new(speed, 0.0, 0.0),
        initial_pressure: InitialPressure::Hydrostatic,
        ..FluidBlock::default()
    };
    let container = Container {
        min: Vec3::new(-0.2, 0.0, 0.0),
        max: Vec3::new(length + 0.4, 0.4, 0.0),
        faces: [Face::YMin].into_iter().collect(),
        ..Container::default()
    };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.openings.emitters = vec![Emitter {
        center: Vec3::new(0.0, 0.5 * depth, 0.0),
        direction: Vec3::X,
        aperture: Aperture::Rectangle { size: Vec2::new(depth, 1.0) },
        rate: Rate::Speed(Schedule::constant(speed.into()).expect("a schedule")),
        fluid: 0,
    }];
    setup.openings.drains = vec![Drain {
        min: Vec3::new(length - 0.06, -1.0, 0.0),
        max: Vec3::new(length, 1.0, 0.0),
        velocity: Some(Vec3::new(speed, 0.0, 0.0)),
        region: None,
    }];
    setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    // Ten times the time that the flow takes through it; the depth of the middle, over the last half.
    let end = 10.0 * f64::from(length / speed);
    let (mut sum, mut steps) = (0, 0);
    while simulation.time() < end {
        assert_eq!(simulation.step().error, None);
        if simulation.time() > 0.5 * end {
            sum += simulation.particles().positions.iter().filter(|x| (0.2..0.4).contains(&x.x)).count();
            steps += 1;
        }
    }
    let found = f64::from(sum as u32) / f64::from(steps) / 10.0 * f64::from(SPACING);
    assert!((found / f64::from(depth) - 1.0).abs() < 0.02, "{found} m deep");
}

/// The flow through a gate is the emitter's, and what has passed is the mass beyond it.
#[test]
fn a_gate_measures_the_flow_of_a_jet() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let mut simulation = Simulation::new(&jet(dimensions, Method::Wcsph)).expect("a valid setup");
        let aperture = Aperture::Rectangle { size: Vec2::splat(0.3) };
        let gate = FluxGate { center: 0.2 * Vec3::X, direction: 2.0 * Vec3::X, aperture };
        let back = FluxGate { direction: Vec3::NEG_X, ..gate };
        let beside = FluxGate { center: Vec3::new(0.2, 1.0, 0.0), ..gate };
        let mut instruments = Instruments::new([gate, back, beside].map(Probe::Flux));
        let mut restored = instruments.clone();
        instruments.record(&simulation.view());
        let (mut flows, mut steps) = (0.0, 0);
        while simulation.time() < 0.6 {
            assert_eq!(simulation.step().error, None);
            instruments.record(&simulation.view());
            if simulation.time() > 0.3 {
                flows += instruments.read(&simulation.view())[0].expect("a flow");
                steps += 1;
            }
        }
        let readings = instruments.read(&simulation.view());
        let view = simulation.view();
        let beyond = (0..view.particles.len()).filter(|&i| view.particles.positions[i].x > 0.2);
        let mass: f64 = beyond.map(|i| view.mass_of(i)).sum();
        // 1 m/s through 0.1 m, in space 0.1 m × 0.1 m, of water.
        let expected = 1000.0 * 0.1f64.powi(dimensions.count() as i32 - 1);
        let flow = flows / f64::from(steps);
        assert!((flow / expected - 1.0).abs() < 0.01, "{dimensions:?}: {flow} kg/s, expected {expected}");
        let passed = readings[1].expect("a mass");
        // A sheet of particles may be half through.
        let sheet = 0.02 * expected;
        assert!((passed - mass).abs() < sheet, "{dimensions:?}: {passed} kg passed, {mass} kg are beyond");
        assert_eq!((readings[2], readings[3]), (readings[0].map(|flow| -flow), Some(-passed)));
        assert_eq!((readings[4], readings[5]), (Some(0.0), Some(0.0)), "beside the jet");
        assert!(!restored.restore(&instruments.memory()[1..]) && restored.restore(&instruments.memory()));
        assert_eq!(restored.read(&simulation.view()), readings);
    }
}
