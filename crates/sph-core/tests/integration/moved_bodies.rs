//! Bodies at rest, or with a prescribed motion, that a user moves: their motion, what stays outside them, and the bits of what follows.

use crate::common::hinge;
use crate::common::{POOL_SPACING, pool};
use glam::{BVec3, DVec3, Vec3};
use sph_core::*;

/// Time in which the velocity of a body that is let go falls to 1/e, s; that of the hand in these tests.
const BRAKING_TIME: f32 = 0.05;

/// The pool with a box at rest above its water.
fn pool_and_box(method: Method) -> Setup {
    let mut setup = pool(method);
    setup.bodies = vec![Body { min: Vec3::new(0.2, 0.7, 0.0), max: Vec3::new(0.4, 0.9, 0.0), ..Body::default() }];
    setup
}

/// The same with a puddle in place of the water, for what happens in the air.
fn box_in_the_air(method: Method) -> Setup {
    let mut setup = pool_and_box(method);
    setup.blocks[0].max = Vec3::new(0.1, 0.1, 0.0);
    setup
}

/// Hand that draws the body with this index to (x, y), m.
fn hand(body: usize, x: f32, y: f32, top_speed: f32) -> Hand {
    Hand::Grab(Grab { body, point: Vec3::new(x, y, 0.0), time: BRAKING_TIME, top_speed })
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

/// Critically damped: `x = p (1 − (1 + ω t) exp(−ω t))` with `ω = (1/τ + 1/τ_b)/2`, for steps much shorter than both times.
#[test]
fn a_held_body_comes_to_the_hand_without_passing_it() {
    for time in [0.02, 0.05, 0.4] {
        let mut setup = box_in_the_air(Method::Wcsph);
        setup.parameters.time_step.fixed_dt = Some(2e-4);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        steps(&mut simulation, None, 0.002);
        let (start, [from, _]) = (simulation.time(), motion(&simulation, 0));
        let (distance, rate) = (0.3, 0.5 / f64::from(time) + 0.5 / f64::from(BRAKING_TIME));
        let point = from.as_vec3() + distance as f32 * Vec3::X;
        for _ in 0..20 {
            steps(&mut simulation, Some(Hand::Grab(Grab { body: 0, point, time, top_speed: 50.0 })), 0.0125);
            let passed = rate * (simulation.time() - start);
            let expected = distance * (1.0 - (1.0 + passed) * (-passed).exp());
            let [place, velocity] = motion(&simulation, 0);
            // The hand acts in steps: first order in ω dt.
            let error = place.x - from.x - expected;
            assert!(error.abs() < 2e-4 * rate * distance, "τ = {time} s: {error} m after {expected} m");
            assert!(place.y == from.y && velocity.x >= 0.0, "{place}, {velocity}");
        }
    }
}

#[test]
fn the_hand_has_its_top_speed_at_most_and_long_steps_do_not_pass_it() {
    for (time, dt) in [(0.005, 2e-4), (0.05, 2e-4), (0.5, 2e-4), (1e-4, 5e-3), (0.005, 5e-3)] {
        let mut setup = box_in_the_air(Method::Wcsph);
        // Without fluid nearby, any step will do.
        setup.parameters.gravity = Vec3::ZERO;
        setup.parameters.time_step.fixed_dt = Some(dt);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.step();
        let point = Vec3::new(0.9, 0.8, 0.0);
        let (mut fastest, mut farthest) = (0.0f64, 0.0f64);
        for _ in 0..(2.5 / dt) as u32 {
            simulation.apply_hand(&Hand::Grab(Grab { body: 0, point, time, top_speed: 0.5 })).expect("there is such a body");
            assert_eq!(simulation.step().error, None);
            let [place, velocity] = motion(&simulation, 0);
            (fastest, farthest) = (fastest.max(velocity.x), farthest.max(place.x));
        }
        // The velocity is that after the brake.
        assert!((0.3..=0.5).contains(&fastest), "τ = {time} s, dt = {dt} s: {fastest} m/s");
        assert!((0.899..0.9005).contains(&farthest), "τ = {time} s, dt = {dt} s: up to {farthest} m");
    }
}

/// Let go in motion, it goes on by v τ_b.
#[test]
fn a_body_that_is_let_go_comes_to_rest() {
    let mut setup = box_in_the_air(Method::Wcsph);
    setup.parameters.time_step.fixed_dt = Some(2e-4);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, None, 0.002);
    steps(&mut simulation, Some(hand(0, 0.7, 0.8, 0.5)), 0.2);
    let [before, velocity] = motion(&simulation, 0);
    assert!(velocity.x > 0.4, "{velocity}");
    steps(&mut simulation, None, 1.5);
    let [after, still] = motion(&simulation, 0);
    let on = after - before;
    assert_eq!(still, DVec3::ZERO);
    assert!(on.distance(velocity * f64::from(BRAKING_TIME)) < 0.02 * on.length(), "{on} m at {velocity} m/s");
    // It can be moved by less than a hundredth of a spacing.
    let point = after.as_vec3() + 0.01 * POOL_SPACING * Vec3::X;
    steps(&mut simulation, Some(Hand::Grab(Grab { body: 0, point, time: BRAKING_TIME, top_speed: 0.5 })), 0.5);
    let [finely, _] = motion(&simulation, 0);
    assert!((finely.x - f64::from(point.x)).abs() < 0.1 * f64::from(0.01 * POOL_SPACING), "{finely} instead of {point}");
}

#[test]
fn a_click_moves_nothing() {
    let mut simulation = Simulation::new(&pool_and_box(Method::Wcsph)).expect("a valid setup");
    steps(&mut simulation, None, 0.01);
    let before = simulation.state().clone();
    simulation.apply_hand(&hand(0, 0.3, 0.8, 1.0)).expect("there is such a body");
    assert!(*simulation.state() == before);
}

#[test]
fn fluid_gives_way_to_a_body_that_is_moved_through_it() {
    let cases = [
        (Method::Wcsph, WallSampling::SingleLayer),
        (Method::Pcisph, WallSampling::Layers),
        (Method::Iisph, WallSampling::Layers),
        (Method::Dfsph, WallSampling::Analytic),
        (Method::Pbf, WallSampling::Layers),
    ];
    for (method, sampling) in cases {
        let mut setup = pool_and_box(method);
        setup.wall_sampling = sampling;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
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
    }
}

#[test]
fn walls_stop_a_body_and_the_hand_does_not_press_it_through_them() {
    let mut simulation = Simulation::new(&pool_and_box(Method::Dfsph)).expect("a valid setup");
    for (x, y, expected) in [(5.0, 0.8, [1.0, 0.8]), (5.0, -5.0, [1.0, 0.2]), (-5.0, 5.0, [0.2, 1.4])] {
        let told = reach(&simulation, Vec3::new(x, y, 0.0));
        steps(&mut simulation, Some(hand(0, x, y, 2.0)), 1.6);
        let center = simulation.bodies()[0].center();
        let expected = Vec3::new(expected[0], expected[1], 0.0);
        assert!(center.distance(expected) < 2e-3, "{center} instead of {expected}");
        assert!(told.distance(expected) < 1e-5, "{told} was told, it comes to {expected}");
    }
    let free = Vec3::new(0.5, 0.9, 0.0);
    assert!(reach(&simulation, free).distance(free) < 1e-6, "no wall is in the way");
}

/// Place to which a hand at `wanted` (m) can take the first body, m.
fn reach(simulation: &Simulation, wanted: Vec3) -> Vec3 {
    let view = simulation.view();
    let View { discretization, domain, containers, time, .. } = view;
    let placed = &view.bodies[0];
    let sampled = || placed.body.particles(discretization).into();
    MoveSite { discretization, domain, containers, time }.reach(&placed.body, placed.pose, wanted, sampled)
}

/// A disc, and a box that turns steadily: in its own axes the body stays two layers of fluid away from the walls.
#[test]
fn walls_of_other_shapes_and_in_motion_stop_a_body_too() {
    let (min, max) = (Vec3::new(-0.2, 0.0, 0.0), Vec3::new(1.4, 1.6, 0.0));
    let disc = Shape::in_box(ShapeKind::Sphere, Dimensions::Two, min, max, Axis::Y).expect("round");
    let mut round = pool_and_box(Method::Wcsph);
    round.blocks[0].min = Vec3::new(0.4, 0.2, 0.0);
    round.blocks[0].max = Vec3::new(0.8, 0.4, 0.0);
    round.containers = vec![Container::around(&disc.clone().into(), Faces::ALL)];
    let mut simulation = Simulation::new(&round).expect("a valid setup");
    for (x, y) in [(1.4, 0.8), (1.4, 1.6), (0.6, 1.6)] {
        steps(&mut simulation, Some(hand(0, x, y, 1.6)), 1.5);
        let center = simulation.bodies()[0].center();
        let farthest = ((center - Vec3::new(0.6, 0.8, 0.0)).abs() + Vec3::new(0.1, 0.1, 0.0)).length();
        // Where its boundary particle in the corner has room: half a spacing along both axes farther in.
        assert!((0.68..0.715).contains(&farthest), "{center}: a corner {farthest} m from the middle of the disc");
        // It has slid along the wall to the place nearest to the hand.
        let [from, to] = [center, Vec3::new(x, y, 0.0)].map(|place| (place - Vec3::new(0.6, 0.8, 0.0)).normalize());
        assert!(from.dot(to) > 0.95, "{center} for a hand at ({x}, {y})");
    }
    // A ball, whose surface comes first with any part of it, around a pillar in the middle.
    let pillar = Shape::in_box(ShapeKind::Sphere, Dimensions::Two, Vec3::new(0.5, 0.7, 0.0), Vec3::new(0.7, 0.9, 0.0), Axis::Y);
    let ring = Solid::new([disc], [pillar.expect("round")]);
    round.containers = vec![Container::around(&ring, Faces::ALL)];
    round.bodies[0].shape = BlockShape::Ellipsoid;
    let mut simulation = Simulation::new(&round).expect("a valid setup");
    for (x, y) in [(1.3, 1.5), (1.0, 0.82), (0.2, 0.8), (0.6, 0.8)] {
        let end = simulation.time() + 1.0;
        while simulation.time() < end {
            simulation.apply_hand(&hand(0, x, y, 1.6)).expect("there is such a body");
            assert_eq!(simulation.step().error, None);
            let from_middle = simulation.bodies()[0].center().distance(Vec3::new(0.6, 0.8, 0.0));
            assert!((0.27..0.63).contains(&from_middle), "{from_middle} m from the middle of the ring");
        }
    }
    let mut turning_box = box_in_the_air(Method::Wcsph);
    turning_box.containers[0].motion = turning(Vec3::new(0.6, 0.8, 0.0), 20.0_f64.to_radians());
    let mut simulation = Simulation::new(&turning_box).expect("a valid setup");
    steps(&mut simulation, Some(hand(0, 5.0, 0.8, 1.6)), 1.5);
    let pose = turning_box.containers[0].motion.pose(simulation.time());
    let center = pose.start(simulation.bodies()[0].center().as_dvec3());
    // The box does not turn with the tank.
    let half = 0.1 * (pose.rotation.x_axis.x.abs() + pose.rotation.x_axis.y.abs());
    let gap = 1.2 - center.x - half;
    assert!((0.06..0.14).contains(&gap), "{gap} m between the box and the wall");
}

/// A ring that has turned by 45° has the room that it had before: its box would not.
#[test]
fn a_turned_ring_has_no_less_room() {
    let disc = |size: f32| {
        let half = Vec3::new(0.5 * size, 0.5 * size, 0.0);
        let middle = Vec3::new(0.6, 1.0, 0.0);
        Shape::in_box(ShapeKind::Sphere, Dimensions::Two, middle - half, middle + half, Axis::Y).expect("round")
    };
    let mut setup = pool_and_box(Method::Wcsph);
    setup.blocks[0].max.y = 0.2;
    setup.bodies = vec![Body::solid(Solid::new([disc(0.8)], [disc(0.5)]))];
    setup.bodies[0].motion = turning(Vec3::new(0.6, 1.0, 0.0), 45.0_f64.to_radians() / 0.2);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, None, 0.2);
    steps(&mut simulation, Some(hand(0, 0.9, 1.0, 1.0)), 0.8);
    // Two layers of fluid beside the wall at 1.2 m, and its radius of 0.4 m.
    let center = simulation.bodies()[0].center();
    assert!((0.69..0.715).contains(&center.x), "{center}");
}

/// A hand beyond the periodic face is nearest through it.
#[test]
fn a_hand_moves_a_body_through_a_periodic_face() {
    let mut setup = box_in_the_air(Method::Wcsph);
    setup.domain = Domain { periodic: BVec3::new(true, false, false), min: Vec3::ZERO, max: Vec3::new(1.2, 1.6, 0.0) };
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    for (x, expected) in [(1.1, -0.1), (0.8, -0.4), (0.4, -0.8), (0.1, -1.1), (1.0, -1.4)] {
        steps(&mut simulation, Some(hand(0, x, 0.8, 2.0)), 0.7);
        let [place, _] = motion(&simulation, 0);
        assert!((place.x - expected).abs() < 5e-3, "{place} instead of {expected}");
    }
}

/// Boundary particles of all bodies keep their indices, and in a single layer those that a body has left are as if it had never been there.
#[test]
fn boundary_particles_keep_their_indices_and_a_wall_that_is_left_has_the_volumes_of_a_free_one() {
    for sampling in [WallSampling::Layers, WallSampling::SingleLayer] {
        let mut setup = pool_and_box(Method::Wcsph);
        setup.wall_sampling = sampling;
        setup.blocks[0].max.x = 0.6;
        // On the floor, between two others.
        setup.bodies.push(Body { min: Vec3::new(0.8, 0.0, 0.0), max: Vec3::new(1.0, 0.2, 0.0), ..Body::default() });
        setup.bodies.push(Body { min: Vec3::new(0.8, 0.9, 0.0), max: Vec3::new(1.0, 1.1, 0.0), ..Body::default() });
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let ranges =
            |simulation: &Simulation| simulation.bodies().iter().map(PlacedBody::boundary_particles).collect::<Vec<_>>();
        let before = ranges(&simulation);
        steps(&mut simulation, Some(hand(1, 0.9, 0.5, 1.0)), 0.05);
        assert_eq!(ranges(&simulation), before);
        setup.bodies.remove(1);
        let without = Simulation::new(&setup).expect("a valid setup");
        let walls = before[0].start;
        assert_eq!(simulation.boundary().volumes[..walls], without.boundary().volumes[..walls], "{sampling:?}");
    }
}

#[test]
fn a_state_with_moved_bodies_determines_the_next_steps_to_the_bit() {
    // The other pairs have bodies that are dropped.
    for (index, method) in Method::ALL.into_iter().enumerate() {
        for sampling in
            [WallSampling::Layers, WallSampling::SingleLayer, WallSampling::Analytic].into_iter().skip(1 - index % 2).step_by(2)
        {
            let mut setup = pool_and_box(method);
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
    for method in [Method::Wcsph, Method::Dfsph] {
        let mut simulation = Simulation::new(&pool_and_box(method)).expect("a valid setup");
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
    let mut setup = box_in_the_air(Method::Wcsph);
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
    let mut setup = box_in_the_air(Method::Wcsph);
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
    assert!(
        (rise - (shelf.y - 0.8)).abs() < 0.2 * f64::from(POOL_SPACING),
        "the box has risen by {rise} m on the shelf at {shelf}"
    );
}

/// A hinge between a box at rest, which the user moves, and one that moves by forces.
#[test]
fn a_joint_follows_the_moved_body_that_it_is_fixed_to() {
    let mut setup = box_in_the_air(Method::Wcsph);
    let (min, max) = (Vec3::new(0.6, 0.7, 0.0), Vec3::new(0.8, 0.9, 0.0));
    setup.bodies.push(Body { min, max, dynamics: Some(Dynamics::default()), ..Body::default() });
    let anchor = Vec3::new(0.5, 0.8, 0.0);
    setup.joints = vec![hinge(1, JointEnd::Body(0), anchor)];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let ends = |simulation: &Simulation| [0, 1].map(|body| simulation.bodies()[body].pose.point(anchor.as_dvec3()));
    while simulation.time() < 1.2 {
        steps(&mut simulation, Some(hand(0, 0.5, 1.2, 0.5)), 0.01);
        let [end, held] = ends(&simulation);
        assert!(held.distance(end) < 2e-3, "the hinge is at {end} and {held} after {} s", simulation.time());
    }
    let [end, _] = ends(&simulation);
    assert!(end.distance(DVec3::new(0.7, 1.2, 0.0)) < 5e-3, "the moved box holds {end}");
}

#[test]
fn states_with_impossible_moved_bodies_are_refused() {
    let mut setup = pool_and_box(Method::Wcsph);
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
