//! Balls and vertices that a user's hand holds.

use crate::balls::{GRAVITY, Walls, World};
use crate::tank::{FRAME, Tank};
use glam::Vec3;
use sph_core::point_sets::{PointHold, PointId, PointSetup};
use sph_core::{Container, Dimensions, Discretization, Engine as _, Hand, HandError, PointGrab, Setup, Simulation};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid};
use sph_pbd::{BallSettings, PbdSetup};

/// A hold of point `index` of the first set.
fn hold(index: usize, target: Vec3) -> PointHold {
    PointHold { set: 0, index, target, time: 0.05, top_speed: 2.0 }
}

/// A sheet of 21 × 21 vertices, 0.4 m wide, level at height 1 m.
fn sheet() -> ClothSetup {
    let grid = Grid { corner: Vec3::Y, along: 0.02 * Vec3::X, across: 0.02 * Vec3::Z, columns: 21, rows: 21 };
    ClothSetup::grid("sheet", &grid)
}

#[test]
fn a_ball_of_any_mass_comes_to_the_hand_stays_there_and_is_thrown() {
    for mass in [1e-4, 1.0, 1e5] {
        let mut world = World::equal(BallMaterial::default(), &[(Vec3::ZERO, Vec3::ZERO)]);
        (world.gravity, world.sets[0].masses[0]) = (GRAVITY, mass);
        let target = Vec3::new(0.3, 0.4, 0.0);
        world.hold = Some(hold(0, target));
        world.run(1.0);
        let (place, velocity) = (world.balls().positions[0], world.balls().velocities[0]);
        assert!(place.distance(target) < 1e-4 && velocity.length() < 1e-3, "{mass} kg: {place} with {velocity}");
        // Along at half a metre a second, and let go.
        for frame in 1..=60 {
            world.hold = Some(hold(0, target + 0.5 * frame as f32 * FRAME as f32 * Vec3::X));
            world.step();
        }
        let (place, velocity) = (world.balls().positions[0], world.balls().velocities[0]);
        // The hand moves once a step, and the ball slows down until it does.
        assert!((0.4..0.5).contains(&velocity.x) && velocity.with_x(0.0).length() < 1e-3, "{mass} kg: {velocity}");
        world.hold = None;
        world.run(0.2);
        let flown = world.balls().positions[0] - place - 0.2 * velocity - 0.02 * GRAVITY;
        assert!(flown.length() < 1e-4, "{mass} kg: {flown} besides the parabola");
    }
}

/// The hand is not stronger than what is in the way: a ball stays out of the floor and the ball under it, whatever their masses.
#[test]
fn a_held_ball_is_stopped_by_the_floor_and_by_other_balls() {
    for mass in [0.01, 1.0, 100.0] {
        let balls = [(Vec3::new(0.0, 0.5, 0.0), Vec3::ZERO), (Vec3::new(0.0, 0.1, 0.0), Vec3::ZERO)];
        let mut world = World::equal(BallMaterial::default(), &balls).with_walls(Walls::floor(), GRAVITY);
        world.sets[0].masses[0] *= mass;
        world.hold = Some(hold(0, Vec3::new(0.0, -1.0, 0.0)));
        let (mut nearest, mut fastest) = (f32::INFINITY, 0.0_f32);
        for _ in 0..120 {
            world.step();
            let balls = world.balls();
            assert!(balls.positions.iter().all(|place| place.y > 0.08), "{mass}: {:?}", balls.positions);
            nearest = nearest.min(balls.positions[0].distance(balls.positions[1]));
            fastest = balls.velocities.iter().map(|velocity| velocity.length()).fold(fastest, f32::max);
        }
        assert!(nearest > 0.15 && fastest < 8.0, "{mass}: {nearest} m apart, {fastest} m/s");
    }
}

#[test]
fn a_held_vertex_bears_its_sheet_whatever_that_weighs() {
    for areal_density in [0.01, 0.2, 50.0] {
        let mut tank = Tank::new(&[ClothSetup { areal_density, ..sheet() }]);
        let corner = tank.sets[0].positions[0];
        tank.hold = Some(hold(0, corner));
        tank.run(3.0);
        let place = tank.sets[0].positions[0];
        assert!(place.distance(corner) < 0.02, "{areal_density} kg/m²: the hand has {place} instead of {corner}");
        // The diagonal hangs down, at its length.
        let lowest = tank.sets[0].positions.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
        let length = 0.4 * 2.0_f32.sqrt();
        assert!((0.6..1.1).contains(&((corner.y - lowest) / length)), "{areal_density} kg/m²: down to {lowest}");
        // Let go, the sheet falls freely.
        let momentum = |tank: &Tank| {
            let set = &tank.sets[0];
            set.velocities.iter().zip(&set.masses).map(|(velocity, &mass)| mass * velocity.y).sum::<f32>()
                / set.masses.iter().sum::<f32>()
        };
        let before = momentum(&tank);
        tank.hold = None;
        (0..6).for_each(|_| drop(tank.step(FRAME)));
        let change = (momentum(&tank) - before) / (6.0 * FRAME as f32);
        assert!((change + 9.81).abs() < 0.5, "{areal_density} kg/m²: {change} m/s²");
    }
}

#[test]
fn a_taut_sheet_that_is_pulled_far_stays_whole_and_at_its_pins() {
    let pins: Vec<u32> = (0..21).map(|row| 21 * row).collect();
    let mut tank = Tank::new(&[sheet().pinned(pins.iter().copied())]);
    let before = tank.sets[0].clone();
    tank.hold = Some(hold(220, Vec3::new(3.0, 1.0, 0.2)));
    let mut fastest = 0.0_f32;
    for _ in 0..120 {
        tank.step(FRAME);
        assert!(tank.sets[0].is_valid());
        fastest = tank.sets[0].velocities.iter().map(|velocity| velocity.length()).fold(fastest, f32::max);
    }
    assert!(pins.iter().all(|&pin| tank.sets[0].positions[pin as usize] == before.positions[pin as usize]));
    let pulled = tank.sets[0].positions[220].x;
    assert!((0.2..1.2).contains(&pulled) && fastest < 10.0, "pulled to {pulled} m, {fastest} m/s");
    tank.hold = None;
    tank.run(tank.time + 2.0);
    assert!(tank.sets[0].positions.iter().all(|place| place.x < 0.6), "it comes back");
}

/// A held vertex does not go through a solid.
#[test]
fn a_held_vertex_is_stopped_by_the_floor() {
    let mut tank = Tank::new(&[sheet()]);
    tank.solids.floor = Some(0.8);
    tank.hold = Some(hold(220, Vec3::new(0.2, 0.0, 0.2)));
    tank.run(2.0);
    let lowest = tank.sets[0].positions.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
    assert!(lowest > 0.8, "down to {lowest}");
}

// In a simulation.

fn setup() -> Setup {
    let cloth = sheet().pinned([0]);
    let balls = BallsSetup {
        name: "balls".to_owned(),
        count: 2,
        radii: Radii::Equal(0.05),
        seed: 1,
        placement: Placement::At(vec![Vec3::new(0.7, 0.05, 0.2), Vec3::new(0.85, 0.05, 0.2)]),
        density: 1000.0,
        material: BallMaterial::default(),
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        color: None,
    };
    let points = PbdSetup::new(&[cloth], ClothSettings::default()).expect("valid cloths");
    let points = points.with_balls(vec![balls.build().expect("valid balls")], BallSettings::default());
    let container = Container::new(Vec3::ZERO, Vec3::new(1.0, 1.5, 0.4));
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), vec![container]);
    setup.points = Some(PointSetup::new(points));
    setup
}

fn grab(set: usize, id: u32, target: Vec3) -> Hand {
    Hand::GrabPoint(PointGrab { point: PointId { set, id }, target, time: 0.05, top_speed: 2.0 })
}

#[test]
fn a_hand_holds_one_point_in_one_step() {
    let mut simulation = Simulation::new(&setup()).expect("a valid setup");
    let mut free = simulation.clone();
    let target = Vec3::new(0.6, 0.6, 0.2);
    while simulation.time() < 1.0 {
        assert_eq!(simulation.apply_hand(&grab(1, 1, target)), Ok(0));
        assert_eq!(simulation.step().error, None);
        assert_eq!(free.step().error, None);
    }
    let [held, other] = [1, 0].map(|ball| simulation.view().sets[1].positions[ball]);
    assert!(held.distance(target) < 1e-3 && (other.y - 0.05).abs() < 1e-3, "{held}, {other}");
    // A hand that lets go is none: the next step is that of a fork without it.
    let state = simulation.snapshot();
    simulation.apply_hand(&grab(1, 1, target)).expect("there is such a ball");
    let mut forked = simulation.clone();
    let mut restored = Simulation::from_state(&setup(), state.clone()).expect("a state of this setup");
    [&mut simulation, &mut forked, &mut restored].into_iter().for_each(|engine| assert_eq!(engine.step().error, None));
    assert!(simulation.state() == forked.state() && simulation.state() != restored.state());
    forked.apply_hand(&grab(1, 1, target)).expect("there is such a ball");
    forked.restore(state).expect("a state of this setup");
    assert_eq!(forked.step().error, None);
    assert!(forked.state() == restored.state(), "what a hand has asked for before is forgotten");
}

#[test]
fn points_that_are_not_there_and_pinned_ones_are_refused() {
    let mut simulation = Simulation::new(&setup()).expect("a valid setup");
    let before = simulation.state().clone();
    for (set, id, error) in [
        (1, 2, HandError::Point { set: 1, id: 2 }),
        (2, 0, HandError::Point { set: 2, id: 0 }),
        (0, 0, HandError::FixedPoint { set: 0, id: 0 }),
    ] {
        assert_eq!(simulation.apply_hand(&grab(set, id, Vec3::ONE)), Err(error));
    }
    assert!(simulation.apply_hand(&grab(1, 0, Vec3::NAN)).is_err());
    let mut free = simulation.clone();
    assert!(*simulation.state() == before);
    assert_eq!((simulation.step().error, free.step().error), (None, None));
    assert!(simulation.state() == free.state());
}
