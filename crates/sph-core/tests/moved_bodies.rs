//! Bodies at rest, or with a prescribed motion, that a user moves: their motion, what stays outside them, and the bits of what follows.

mod common;

use common::setup;
use glam::{DVec3, Vec3};
use sph_core::*;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// Time τ of the hand, s: that in which a body that is let go comes to rest.
const TIME: f32 = 0.05;

/// A pool of two dimensions, 1.2 m wide, with water 0.5 m deep, and a box at rest above it.
fn pool(method: Method) -> Setup {
    let max = Vec3::new(1.2, 0.5, 0.0);
    let block = FluidBlock { max, initial_pressure: InitialPressure::Hydrostatic, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.6), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.parameters.solver.method = method;
    setup.bodies = vec![Body { min: Vec3::new(0.2, 0.7, 0.0), max: Vec3::new(0.4, 0.9, 0.0), ..Body::default() }];
    setup
}

/// Hand that draws the body with this index to (x, y), m.
fn hand(body: usize, x: f32, y: f32, top_speed: f32) -> Hand {
    Hand::Grab(Grab { body, point: Vec3::new(x, y, 0.0), time: TIME, top_speed })
}

fn steps(simulation: &mut Simulation, hand: Option<Hand>, seconds: f64) {
    let end = simulation.time() + seconds;
    while simulation.time() < end {
        if let Some(hand) = hand {
            simulation.apply_hand(&hand).expect("there is such a body");
        }
        assert_eq!(simulation.step().error, None, "at {} s", simulation.time());
    }
}

/// Rotation about an axis along z through `pivot` (m) at `rate`, rad/s.
fn turning(pivot: Vec3, rate: f64) -> Motion {
    let law = AngleLaw::steady(rate).expect("a rate");
    Motion::default().with_rotation(Rotation::new(pivot, Vec3::Z, law).expect("a rotation"))
}

/// Centre of a body, m, and its velocity, m/s.
fn motion(simulation: &Simulation, body: usize) -> [DVec3; 2] {
    simulation.bodies()[body].motion()
}

/// Critically damped: `x = p (1 − (1 + t/τ) exp(−t/τ))`, for steps much shorter than τ.
#[test]
fn a_held_body_comes_to_the_hand_without_passing_it_and_stands_still_when_let_go() {
    let mut setup = pool(Method::Wcsph);
    setup.parameters.time_step.fixed_dt = Some(2e-4);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, None, 0.002);
    let (start, [from, _]) = (simulation.time(), motion(&simulation, 0));
    let way = 0.3;
    for _ in 0..20 {
        steps(&mut simulation, Some(hand(0, from.x as f32 + way, from.y as f32, 50.0)), 0.0125);
        let time = (simulation.time() - start) / f64::from(TIME);
        let expected = f64::from(way) * (1.0 - (1.0 + time) * (-time).exp());
        let [place, velocity] = motion(&simulation, 0);
        // The hand acts in steps: first order in dt/τ = 0.004.
        assert!((place.x - from.x - expected).abs() < 0.004 * f64::from(way), "{} m instead of {expected} m", place.x - from.x);
        assert!(place.y == from.y && velocity.x >= 0.0, "{place}, {velocity}");
    }
    // Let go in motion, it goes on by v τ.
    steps(&mut simulation, Some(hand(0, 0.3, 0.8, 0.5)), 0.1);
    let [before, velocity] = motion(&simulation, 0);
    assert!(velocity.x < -0.1, "{velocity}");
    steps(&mut simulation, None, 1.0);
    let [after, still] = motion(&simulation, 0);
    let on = after - before;
    assert_eq!(still, DVec3::ZERO);
    assert!(on.distance(velocity * f64::from(TIME)) < 0.02 * on.length(), "{on} m at {velocity} m/s");
}

#[test]
fn fluid_gives_way_to_a_body_that_is_moved_through_it() {
    let layers = Method::ALL.map(|method| (method, WallSampling::Layers));
    let others = [(Method::Wcsph, WallSampling::SingleLayer), (Method::Dfsph, WallSampling::Analytic)];
    for (method, sampling) in layers.into_iter().chain(others) {
        let mut setup = pool(method);
        setup.wall_sampling = sampling;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let count = simulation.particles().len();
        for (x, y) in [(0.3, 0.25), (0.9, 0.0), (0.0, 0.0)] {
            // As fast as the window moves it.
            steps(&mut simulation, Some(hand(0, x, y, 1.6)), 0.8);
            let center = simulation.bodies()[0].center();
            // Two layers of fluid stay between it and a wall.
            let expected = Vec3::new(x, y, 0.0).max(Vec3::new(0.2, 0.2, 0.0));
            assert!(center.distance(expected) < 0.02, "{method:?}, {sampling:?}: {center} instead of {expected}");
            let depth = |at: &Vec3| 0.1 - (*at - center).abs().max_element();
            let deepest = simulation.particles().positions.iter().map(depth).fold(f32::MIN, f32::max);
            assert!(deepest < 0.0, "{method:?}, {sampling:?}: fluid {deepest} m inside the body at {center}");
        }
        assert_eq!(simulation.particles().len(), count);
    }
}

#[test]
fn walls_stop_a_body_and_the_hand_does_not_press_it_through_them() {
    let mut simulation = Simulation::new(&pool(Method::Dfsph)).expect("a valid setup");
    for (x, y, expected) in [(5.0, 0.8, [1.0, 0.8]), (5.0, -5.0, [1.0, 0.2]), (-5.0, 5.0, [0.2, 1.4])] {
        steps(&mut simulation, Some(hand(0, x, y, 2.0)), 1.6);
        let center = simulation.bodies()[0].center();
        let expected = Vec3::new(expected[0], expected[1], 0.0);
        assert!(center.distance(expected) < 2e-3, "{center} instead of {expected}");
    }
}

#[test]
fn a_state_with_moved_bodies_determines_the_next_steps_to_the_bit() {
    for method in Method::ALL {
        for sampling in [WallSampling::Layers, WallSampling::SingleLayer, WallSampling::Analytic] {
            let mut setup = pool(method);
            setup.wall_sampling = sampling;
            let turning = turning(Vec3::new(0.9, 0.9, 0.0), 90.0_f64.to_radians());
            let (min, max) = (Vec3::new(0.8, 0.8, 0.0), Vec3::new(1.0, 1.0, 0.0));
            setup.bodies.push(Body { min, max, motion: turning, ..Body::default() });
            let run = |resumes: bool| {
                let mut simulation = Simulation::new(&setup).expect("a valid setup");
                let again = |simulation: Simulation| {
                    let resumed = || Simulation::from_state(&setup, simulation.state().clone()).expect("a valid state");
                    if resumes { resumed() } else { simulation }
                };
                steps(&mut simulation, None, 0.02);
                steps(&mut simulation, Some(hand(1, 0.7, 0.4, 2.0)), 0.1);
                simulation = again(simulation);
                steps(&mut simulation, Some(hand(0, 0.4, 0.2, 2.0)), 0.1);
                simulation = again(simulation);
                steps(&mut simulation, None, 0.1);
                simulation.state().clone()
            };
            let on_threads = |threads: usize, resumes: bool| {
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(|| run(resumes))
            };
            let whole = on_threads(1, false);
            assert_eq!(whole.moved.iter().map(|moved| moved.body).collect::<Vec<_>>(), [1, 0]);
            assert!(on_threads(2, true) == whole, "{method:?}, {sampling:?}: the bits differ");
        }
    }
}

#[test]
fn going_back_undoes_a_move_and_going_forth_repeats_it() {
    for method in Method::ALL {
        let mut simulation = Simulation::new(&pool(method)).expect("a valid setup");
        steps(&mut simulation, None, 0.05);
        let (before, center) = (simulation.state().clone(), simulation.bodies()[0].center());
        steps(&mut simulation, None, 0.3);
        let never = simulation.state().clone();
        simulation.restore(before.clone()).expect("its own state");
        steps(&mut simulation, Some(hand(0, 0.3, 0.2, 3.0)), 0.2);
        let between = simulation.state().clone();
        steps(&mut simulation, None, 0.1);
        let moved = simulation.state().clone();
        assert!(moved.particles != never.particles, "{method:?}: the body has touched the water");
        simulation.restore(before).expect("its own state");
        assert_eq!(simulation.bodies()[0].center(), center);
        steps(&mut simulation, None, 0.3);
        assert!(*simulation.state() == never, "{method:?}: the bits differ where the body has not been moved");
        simulation.restore(between).expect("its own state");
        steps(&mut simulation, None, 0.1);
        assert!(*simulation.state() == moved, "{method:?}: the bits differ where it has");
    }
}

/// The hand moves where it turns about; how fast it turns stays as prescribed.
#[test]
fn a_moved_body_keeps_its_prescribed_motion() {
    let mut setup = pool(Method::Wcsph);
    let rate = 90.0_f64.to_radians();
    setup.bodies[0].motion = turning(Vec3::new(0.3, 0.8, 0.0), rate);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, Some(hand(0, 0.7, 1.2, 5.0)), 0.6);
    let pose = simulation.bodies()[0].pose;
    let angle = pose.rotation.x_axis.y.atan2(pose.rotation.x_axis.x);
    assert!((angle - rate * simulation.time()).abs() < 1e-9, "{angle} rad after {} s", simulation.time());
    assert!(simulation.bodies()[0].center().distance(Vec3::new(0.7, 1.2, 0.0)) < 5e-3, "{}", simulation.bodies()[0].center());
}

/// A shelf at rest with a box on it, which moves by forces and is carried along.
#[test]
fn bodies_that_move_by_forces_touch_a_moved_one() {
    let mut setup = pool(Method::Wcsph);
    let (min, max) = (Vec3::new(0.2, 0.96, 0.0), Vec3::new(0.4, 1.16, 0.0));
    setup.bodies.push(Body { min, max, dynamics: Some(Dynamics::default()), ..Body::default() });
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, None, 0.3);
    let [rests, _] = motion(&simulation, 1);
    steps(&mut simulation, Some(hand(0, 0.3, 1.2, 0.5)), 1.2);
    let [lifted, _] = motion(&simulation, 1);
    let [shelf, _] = motion(&simulation, 0);
    assert!((shelf.y - 1.2).abs() < 5e-3, "{shelf}");
    let rise = (lifted - rests).y;
    assert!((rise - (shelf.y - 0.8)).abs() < 0.2 * f64::from(SPACING), "the box has risen by {rise} m on the shelf at {shelf}");
}

#[test]
fn states_with_impossible_moved_bodies_are_refused() {
    let mut setup = pool(Method::Wcsph);
    let (min, max) = (Vec3::new(0.7, 0.7, 0.0), Vec3::new(0.9, 0.9, 0.0));
    setup.bodies.push(Body { min, max, dynamics: Some(Dynamics::default()), ..Body::default() });
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, Some(hand(0, 0.5, 0.8, 1.0)), 0.05);
    let good = simulation.state().clone();
    let refused = |change: &dyn Fn(&mut State)| {
        let mut state = good.clone();
        change(&mut state);
        let mut other = simulation.clone();
        assert_eq!(Simulation::from_state(&setup, state.clone()).err(), other.restore(state).err());
        assert!(*other.state() == good);
        let mut state = good.clone();
        change(&mut state);
        other.restore(state).expect_err("not possible")
    };
    let invalid = |index| PopulationError::InvalidMoved { index };
    assert_eq!(refused(&|state| state.moved[0].body = 2), invalid(0));
    // It moves by forces.
    assert_eq!(refused(&|state| state.moved[0].body = 1), invalid(0));
    assert_eq!(refused(&|state| state.moved.push(state.moved[0])), invalid(1));
    assert_eq!(refused(&|state| state.moved[0].displacement.x = f64::NAN), invalid(0));
    assert_eq!(refused(&|state| state.moved[0].displacement.z = 0.1), invalid(0));
    assert_eq!(refused(&|state| state.moved[0].velocity.y = f64::INFINITY), invalid(0));
}
