//! Piles: pyramids that stand, balls that settle.

use super::{DT, GRAVITY, Walls, World};
use glam::Vec3;
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii};

/// A pyramid of `levels` square levels on the floor, each ball in the hollow of four. The lowest level is held together by a frame, as
/// the balls would roll apart on a floor without one.
fn pyramid(levels: usize, material: BallMaterial) -> World {
    let radius = 0.1;
    let mut balls = Vec::new();
    for level in 0..levels {
        let side = levels - level;
        for k in 0..side * side {
            let offset = radius * (1.0 + level as f32);
            let (x, z) = ((k % side) as f32, (k / side) as f32);
            let y = radius + level as f32 * 2f32.sqrt() * radius;
            balls.push((Vec3::new(2.0 * radius * x + offset, y, 2.0 * radius * z + offset), Vec3::ZERO));
        }
    }
    World::equal(material, &balls).with_walls(Walls::basin(2.0 * radius * levels as f32), GRAVITY)
}

/// Checks that a pyramid stands for `seconds`, every ball within 2 % of its radius of its place, and that it does not creep.
fn stands(levels: usize, seconds: f64) {
    let mut world = pyramid(levels, BallMaterial { friction: 0.5, rolling_friction: 0.01, restitution: 0.2 });
    let start = world.balls().positions.clone();
    let way = |world: &World, from: &[Vec3]| {
        world.balls().positions.iter().zip(from).map(|(now, before)| now.distance(*before)).fold(0.0, f32::max)
    };
    world.run(0.5 * seconds);
    let middle = world.balls().positions.clone();
    world.run(0.5 * seconds);
    eprintln!(
        "{levels} levels: {:.2e} m from the start, {:.2e} m in the second half, {:.2e} m/s, overlaps {:?}",
        way(&world, &start),
        way(&world, &middle),
        world.fastest(),
        world.overlaps()
    );
    assert!(way(&world, &start) < 0.002, "{}", way(&world, &start));
    // Half a percent of the radius: the last levels of a high pyramid still creep a little.
    assert!(way(&world, &middle) < 5e-4, "{}", way(&world, &middle));
    assert!(world.overlaps().iter().all(|&overlap| overlap < 0.02));
}

#[test]
fn a_pyramid_of_seven_levels_stands() {
    stands(7, 4.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn a_pyramid_of_fourteen_levels_stands() {
    stands(14, 10.0);
}

/// A heavy ball on light ones, 125 times lighter: it sinks into none of them.
#[test]
fn a_large_ball_rests_on_small_ones() {
    let small = 0.05;
    let at = |k: usize| Vec3::new((2 * (k % 8) + 1) as f32, 1.0, (2 * (k / 8) + 1) as f32) * small;
    let mut balls: Vec<(f32, Vec3, Vec3)> = (0..64).map(|k| (small, at(k), Vec3::ZERO)).collect();
    balls.push((0.25, Vec3::new(0.4, 0.36, 0.4), Vec3::ZERO));
    // Only the small balls are as low as the sides of the tray.
    let mut world = World::unequal(BallMaterial::default(), &balls).with_walls(Walls::tray(0.8, 0.15), GRAVITY);
    world.run(4.0);
    let [pairs, walls] = world.overlaps();
    assert!(pairs < 0.02 && walls < 0.02, "{pairs} {walls}");
    assert!(world.balls().positions[64].y > 0.3 && world.fastest() < 0.1, "{}", world.fastest());
}

/// Balls of 1 : 10 poured into a basin: energy only falls once they are in, they come to rest, and hardly overlap.
fn settles(count: usize, rate: f64, width: f32) {
    let setup = BallsSetup {
        name: "poured".to_owned(),
        count,
        radii: Radii::LogUniform { min: 0.01, max: 0.1 },
        seed: 11,
        placement: Placement::Pour { min: Vec3::new(0.0, 2.0, 0.0), max: Vec3::new(width, 3.0, width), start: 0.0, rate },
        density: 2500.0,
        material: BallMaterial { friction: 0.5, rolling_friction: 0.02, restitution: 0.3 },
        velocity: Vec3::NEG_Y * 2.0,
        spin: Vec3::ZERO,
        color: None,
    };
    let mut world = World::new(setup.build().expect("valid balls")).with_walls(Walls::basin(width), GRAVITY);
    while world.balls().len() < count {
        world.step();
    }
    let last = world.time;
    let mut energy = world.energy();
    let scale = energy.abs();
    let mut rest = None;
    let (mut gained, mut searches) = (0f64, 0);
    for _ in 0..(5.0 / DT) as usize {
        world.step();
        searches += world.dynamics.balls().searches();
        let now = world.energy();
        gained = gained.max(now - energy);
        energy = now;
        // Nearly all balls stand still; here and there a small one still trickles through the gaps between large ones.
        let moving = world.balls().velocities.iter().filter(|velocity| velocity.length() > 0.01).count();
        rest = if moving <= count / 100 { rest.or(Some(world.time - last)) } else { None };
    }
    let moving = world.balls().velocities.iter().filter(|velocity| velocity.length() > 0.01).count();
    let [pairs, walls] = world.overlaps();
    eprintln!(
        "{count} balls: at rest {rest:?} s after the last pour at {last:.2} s, {moving} faster than 1 cm/s, fastest {:.1e} m/s, overlaps {pairs:.2e} and {walls:.2e}, \
         largest gain in a step {:.1e} of {scale:.3} J, {searches} searches in 300 steps",
        world.fastest(),
        gained / scale
    );
    assert!(rest.is_some(), "{moving} balls move");
    assert!(world.kinetic_energy() < 1e-6 * scale, "{} of {scale}", world.kinetic_energy());
    assert!(pairs < 0.02 && walls < 0.02, "{pairs} {walls}");
    assert!(gained < 1e-5 * scale, "{gained} of {scale}");
}

#[test]
fn poured_balls_settle() {
    settles(400, 400.0, 1.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn ten_thousand_poured_balls_settle() {
    settles(10_000, 2000.0, 2.5);
}
