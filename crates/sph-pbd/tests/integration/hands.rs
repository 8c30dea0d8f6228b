//! Balls and vertices that a user's hand holds.

use crate::balls::{GRAVITY, Walls, World};
use crate::coupling::balls;
use crate::tank::{FRAME, Tank};
use glam::Vec3;
use sph_core::point_sets::{ColumnValues, PointHold, PointId, PointSetup};
use sph_core::{
    BallPour, Container, Dimensions, Discretization, Engine as _, FluidBlock, Hand, HandError, Method, PointGrab,
    PopulationError, Setup, Simulation,
};
use sph_pbd::balls::{BallMaterial, BallsSetup, Radii};
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
    let balls = balls(0.05, vec![Vec3::new(0.7, 0.05, 0.2), Vec3::new(0.85, 0.05, 0.2)], 1000.0);
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

/// A tank with water, a sheet in it, and two marbles of different sizes on the floor.
fn tank_of_all() -> Setup {
    let places = vec![Vec3::new(0.7, 0.05, 0.1), Vec3::new(0.7, 0.06, 0.7)];
    let marbles = BallsSetup { radii: Radii::List(vec![0.05, 0.06]), ..balls(0.05, places, 500.0) };
    let grid = Grid { corner: Vec3::new(0.3, 0.6, 0.3), along: 0.04 * Vec3::X, across: 0.04 * Vec3::Z, columns: 6, rows: 6 };
    let sheet = ClothSetup::grid("sheet", &grid).pinned([0, 5, 30, 35]);
    let points = PbdSetup::new(&[sheet], ClothSettings::default()).expect("a valid cloth");
    let points = points.with_balls(vec![marbles.build().expect("room")], BallSettings::default());
    let water = FluidBlock::new(Vec3::ZERO, Vec3::new(0.5, 0.4, 0.8));
    let mut setup = Setup::new(
        Discretization::new(Dimensions::Three, 0.05),
        vec![water],
        vec![Container::new(Vec3::ZERO, Vec3::new(0.8, 1.0, 0.8))],
    );
    setup.parameters.solver.method = Method::Dfsph;
    setup.points = Some(PointSetup::new(points));
    setup
}

/// The hand's balls have the sizes and the density of their set, come at their rate where nothing is in the way, and float. A run that goes on from a
/// state with some of them ends at the same bits, and one that goes back to before them may pour others.
#[test]
fn a_hand_pours_balls_of_a_set() {
    let setup = tank_of_all();
    // Above the sheet and beside it, so that some balls would be in it.
    let pour = BallPour { set: 1, center: Vec3::new(0.4, 0.62, 0.4), radius: 0.3, velocity: Vec3::NEG_Y, rate: 100.0 };
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let (start, mut added, mut half) = (simulation.snapshot(), 0, None);
    while simulation.time() < 0.3 {
        let before = simulation.view().sets.to_vec();
        let new = simulation.apply_hand(&Hand::PourBalls(pour)).expect("room");
        added += new;
        let (sheet, marbles) = (&simulation.view().sets[0], &simulation.view().sets[1]);
        assert_eq!((before[0] == *sheet, marbles.len()), (true, before[1].len() + new));
        for ball in before[1].len()..marbles.len() {
            let (at, radius) = (marbles.positions[ball], marbles.radii[ball]);
            assert!([0.05, 0.06].contains(&radius) && marbles.velocities[ball] == Vec3::NEG_Y);
            let density = marbles.masses[ball] / (4.0 / 3.0 * std::f32::consts::PI * radius.powi(3));
            assert!((density - 500.0).abs() < 0.1, "{density} kg/m³");
            let gap = |other: Vec3, own: f32| at.distance(other) - radius - own;
            let balls = marbles.positions.iter().zip(&marbles.radii).take(ball).map(|(&other, &own)| gap(other, own));
            let vertices = sheet.positions.iter().zip(&sheet.radii).map(|(&other, &own)| gap(other, own));
            let fluid = simulation.particles().positions.iter().map(|&other| gap(other, 0.0));
            let nearest = balls.chain(vertices).chain(fluid).fold(f32::INFINITY, f32::min);
            assert!(
                nearest > -1e-6 && at.cmpge(Vec3::splat(radius)).all() && at.cmple(Vec3::new(0.8, 1.0, 0.8) - radius).all(),
                "{nearest} m from the next"
            );
        }
        assert_eq!(simulation.step().error, None, "at {} s", simulation.time());
        if simulation.time() > 0.15 && half.is_none() {
            half = Some((simulation.snapshot(), added));
        }
    }
    assert!((12..=31).contains(&added), "{added} of 30 in 0.3 s; sheet and balls leave no room for some");
    let whole = simulation.snapshot();
    let (state, poured) = half.expect("steps");
    assert!(poured > 5);
    let go_on = |from: &mut Simulation, rate: f32| {
        while from.time() < 0.3 {
            from.apply_hand(&Hand::PourBalls(BallPour { rate, ..pour })).expect("room");
            assert_eq!(from.step().error, None);
        }
    };
    let mut resumed = Simulation::from_state(&setup, state.clone()).expect("a state of the scene");
    go_on(&mut resumed, pour.rate);
    assert!(resumed.snapshot() == whole);
    // Back to the start, and on with others.
    simulation.restore(start).expect("its own");
    go_on(&mut simulation, 40.0);
    assert!((5..=13).contains(&(simulation.view().sets[1].len() - 2)));
    // What has come, but for those on the sheet, is in the water by now, a quarter of a metre deep, and floats: half immersed, as its density is half
    // of it. Balls that the water does not meet lie on the floor.
    while simulation.time() < 1.5 {
        assert_eq!(simulation.step().error, None);
    }
    let marbles = &simulation.view().sets[1];
    let heights: Vec<f32> = marbles.positions[2..].iter().map(|at| at.y).filter(|height| *height < 0.5).collect();
    let mean = heights.iter().sum::<f32>() / heights.len() as f32;
    assert!(heights.len() > 2 && mean > 0.2, "{} balls at {mean} m", heights.len());
    simulation.restore(state).expect("its own");
    go_on(&mut simulation, pour.rate);
    assert!(simulation.snapshot() == whole);
}

#[test]
fn a_hand_pours_no_cloth_and_nothing_without_a_number() {
    let mut simulation = Simulation::new(&tank_of_all()).expect("a valid setup");
    let pour = BallPour { set: 1, center: Vec3::splat(0.5), radius: 0.1, velocity: Vec3::NEG_Y, rate: 100.0 };
    let before = simulation.snapshot();
    for set in [0, 2] {
        assert_eq!(simulation.apply_hand(&Hand::PourBalls(BallPour { set, ..pour })), Err(HandError::Balls { set }));
    }
    for wrong in [
        BallPour { rate: f32::NAN, ..pour },
        BallPour { rate: 0.0, ..pour },
        BallPour { radius: -1.0, ..pour },
        BallPour { velocity: Vec3::ZERO, ..pour },
        BallPour { center: Vec3::NAN, ..pour },
    ] {
        assert!(matches!(simulation.apply_hand(&Hand::PourBalls(wrong)), Err(HandError::Range { .. })), "{wrong:?}");
    }
    assert!(simulation.snapshot() == before);
}

/// Boundary particles of balls are counted before they are made, with and without fluid, also those of a state from a file.
#[test]
fn a_hand_pours_no_more_balls_than_have_boundary_particles() {
    let large = balls(0.5, vec![Vec3::splat(0.6)], 500.0);
    let points = PbdSetup::new(&[], ClothSettings::default()).expect("no cloths");
    let points = points.with_balls(vec![large.build().expect("room")], BallSettings::default());
    // A quarter of a million boundary particles for each.
    let tank = Container::new(Vec3::ZERO, Vec3::splat(40.0));
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.005), Vec::new(), Vec::new());
    setup.points = Some(PointSetup::new(points));
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let pour = BallPour { set: 0, center: tank.max / 2.0, radius: 15.0, velocity: Vec3::NEG_Y, rate: 1000.0 };
    assert_eq!(simulation.step().error, None);
    assert_eq!(simulation.apply_hand(&Hand::PourBalls(pour)), Ok(3));
    assert_eq!(simulation.apply_hand(&Hand::PourBalls(pour)), Ok(0));
    let mut state = simulation.snapshot();
    assert!(Simulation::from_state(&setup, state.clone()).is_ok());
    let set = &mut state.sets[0];
    for id in 4..7 {
        set.positions.push(Vec3::splat(3.0 * id as f32));
        set.velocities.push(Vec3::ZERO);
        set.rounding_errors.push(Vec3::ZERO);
        set.radii.push(0.5);
        set.masses.push(1.0);
        set.ids.push(id);
        for (name, value) in
            [("spin", ColumnValues::Vectors(vec![Vec3::ZERO])), ("poured_by_hand", ColumnValues::Integers(vec![id]))]
        {
            match (set.column_mut(name), value) {
                (Some(ColumnValues::Vectors(all)), ColumnValues::Vectors(one)) => all.extend(one),
                (Some(ColumnValues::Integers(all)), ColumnValues::Integers(one)) => all.extend(one),
                _ => panic!("no column {name}"),
            }
        }
    }
    assert!(matches!(Simulation::from_state(&setup, state), Err(PopulationError::TooMany { .. })));
}

/// Balls that a hand has poured are told apart by a column; a state in which it cannot be true is refused.
#[test]
fn a_state_with_impossible_balls_of_a_hand_is_refused() {
    let setup = tank_of_all();
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let pour = BallPour { set: 1, center: Vec3::new(0.6, 0.8, 0.4), radius: 0.2, velocity: Vec3::NEG_Y, rate: 1000.0 };
    for _ in 0..3 {
        assert_eq!(simulation.step().error, None);
        simulation.apply_hand(&Hand::PourBalls(pour)).expect("room");
    }
    let good = simulation.snapshot();
    let count = good.sets[1].len() as u32;
    assert!(count > 4, "{count} balls");
    // Between a hand and a step too.
    assert!(Simulation::from_state(&setup, good.clone()).is_ok());
    for ids in [vec![], vec![2; count as usize - 2], (3..=count).collect(), vec![0, 1], (2..count - 1).collect()] {
        let mut state = good.clone();
        state.sets[1].set_column("poured_by_hand", "", ColumnValues::Integers(ids.clone()));
        assert_eq!(Simulation::from_state(&setup, state).err(), Some(PopulationError::ForeignSets), "{ids:?}");
    }
    for radius in [0.04, 0.07] {
        let mut state = good.clone();
        state.sets[1].radii[3] = radius;
        assert_eq!(Simulation::from_state(&setup, state).err(), Some(PopulationError::ForeignSets), "{radius} m");
    }
}
