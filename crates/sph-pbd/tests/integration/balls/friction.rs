//! Friction against closed forms.

use super::{DT, GRAVITY, Walls, World, assert_near};
use glam::Vec3;
use sph_pbd::balls::BallMaterial;

const ROUGH: BallMaterial = BallMaterial { friction: 0.2, rolling_friction: 0.0, restitution: 0.0 };

/// A ball that slides without spin rolls after t = 2 v₀ / 7 μ g, with 5/7 of its velocity.
#[test]
fn a_sliding_ball_begins_to_roll() {
    let mut world = World::equal(ROUGH, &[(Vec3::Y * 0.1, Vec3::X * 2.0)]).with_walls(Walls::floor(), GRAVITY);
    let rolls = 2.0 * 2.0 / (7.0 * 0.2 * 9.81);
    for k in 1..60 {
        world.step();
        let time = k as f32 * DT as f32;
        let (velocity, spin) = (world.balls().velocities[0].x, world.spins()[0].z);
        if time < rolls {
            assert_near(velocity, 2.0 - 0.2 * 9.81 * time, 0.005);
            assert_near(spin, -2.5 * 0.2 * 9.81 / 0.1 * time, 0.1);
        } else if time > rolls + DT as f32 {
            assert_near(velocity, 10.0 / 7.0, 1e-3);
            assert_near(spin, -velocity / 0.1, 0.01);
        }
    }
}

/// On an incline of angle α a ball rolls with 5/7 g sin α if tan α < 7/2 μ, and else slides with g (sin α − μ cos α).
#[test]
fn a_ball_rolls_or_slides_down_an_incline() {
    for (angle, sticks) in [(20f32, true), (33.0, true), (37.0, false), (60.0, false)] {
        let (sin, cos) = angle.to_radians().sin_cos();
        let normal = Vec3::new(sin, cos, 0.0);
        let walls = Walls { planes: vec![(Vec3::ZERO, normal)], ..Walls::default() };
        let mut world = World::equal(ROUGH, &[(normal * 0.1, Vec3::ZERO)]).with_walls(walls, GRAVITY);
        world.run(1.0);
        let acceleration = 9.81 * if sticks { 5.0 / 7.0 * sin } else { sin - 0.2 * cos };
        let expected = Vec3::new(cos, -sin, 0.0) * acceleration;
        let found = world.balls().velocities[0];
        assert!(found.distance(expected) < 0.005 * acceleration, "{found} is not {expected} at {angle}°");
        let distance = (world.balls().positions[0] - normal * 0.1).length();
        assert_near(distance, 0.5 * acceleration, 0.01 * acceleration);
    }
}

/// Rolling friction brakes with 5/7 c g; on an incline with tan α < c the ball stays where it is.
#[test]
fn rolling_friction_brakes_and_holds() {
    let material = BallMaterial { rolling_friction: 0.05, ..ROUGH };
    let mut world = World::equal(material, &[(Vec3::Y * 0.1, Vec3::X)]).with_walls(Walls::floor(), GRAVITY);
    let spin = sph_core::point_sets::Column {
        name: sph_pbd::balls::SPIN.to_owned(),
        unit: "rad/s".to_owned(),
        values: sph_core::point_sets::ColumnValues::Vectors(vec![Vec3::NEG_Z * 10.0]),
    };
    world.sets[0].columns.push(spin);
    world.run(1.0);
    assert_near(world.balls().velocities[0].x, 1.0 - 5.0 / 7.0 * 0.05 * 9.81, 0.005);
    world.run(3.0);
    assert!(world.fastest() < 1e-6);

    let normal = Vec3::new(0.04, 1.0, 0.0).normalize_or_zero();
    let walls = Walls { planes: vec![(Vec3::ZERO, normal)], ..Walls::default() };
    let mut world = World::equal(material, &[(normal * 0.1, Vec3::ZERO)]).with_walls(walls, GRAVITY);
    world.run(10.0);
    assert!((world.balls().positions[0] - normal * 0.1).length() < 1e-4, "{}", world.balls().positions[0]);
}

/// Slow motion far from the origin is not lost to the rounding of positions: 0.1 mm/s at 1000 m, where f32 resolves 0.06 mm.
#[test]
fn slow_motion_far_away_is_not_lost() {
    let start = Vec3::new(1000.0, 0.0, 0.0);
    let mut world = World::equal(ROUGH, &[(start, Vec3::X * 1e-4)]);
    world.run(60.0);
    let set = world.balls();
    let way = (set.positions[0].x - 1000.0) + set.rounding_errors[0].x;
    assert_near(way, 6e-3, 1e-6);
}
