//! Impacts against conservation laws and closed forms.

use super::{DT, GRAVITY, SMOOTH, Walls, World, assert_near};
use glam::Vec3;
use sph_core::point_sets::PointImpulse;
use sph_pbd::balls::BallMaterial;

/// Momentum and angular momentum of oblique collisions with friction and spin, of unequal balls in free space.
#[test]
fn collisions_in_free_space_conserve_momentum() {
    let rough = BallMaterial { friction: 0.5, rolling_friction: 0.0, restitution: 0.7 };
    for k in 0..40 {
        let turn = 0.37 * k as f32;
        let side = Vec3::new(0.0, turn.sin(), turn.cos()) * 0.01 * (k % 20) as f32;
        let (speed, radius) = (0.5 + k as f32, 0.1 / (1 + k % 7) as f32);
        let mut world = World::unequal(
            rough,
            &[
                (0.1, Vec3::new(-0.8, 0.3, 0.1), Vec3::X * speed),
                (radius, Vec3::new(0.3, 0.3, 0.1) + side, Vec3::new(-0.3, 0.1, 0.05) * speed),
            ],
        );
        let (momentum, angular, energy) = (world.momentum(), world.angular_momentum(), world.kinetic_energy());
        let steps = (1.2 / (f64::from(speed) * DT)).ceil() as usize + 2;
        (0..steps).for_each(|_| world.step());
        let scale = 4188.79e-3 * f64::from(speed);
        assert!((world.momentum() - momentum).length() < 1e-6 * scale, "{k}");
        assert!((world.angular_momentum() - angular).length() < 1e-6 * scale, "{k}");
        assert!(world.kinetic_energy() < energy * (1.0 + 1e-6), "{k}");
    }
}

/// Elastic balls without friction: the struck one leaves along the line of centres at the impact, the other at a right angle to it, for
/// every offset and also if a ball flies several radii in a substep.
#[test]
fn two_equal_balls_part_at_right_angles() {
    for speed in [0.5f32, 3.0, 20.0, 100.0] {
        for offset in [0.02f32, 0.07, 0.1, 0.15, 0.19] {
            let target = Vec3::new(0.0, offset, 0.0);
            let mut world = World::equal(SMOOTH, &[(Vec3::new(-0.8, 0.0, 0.0), Vec3::X * speed), (target, Vec3::ZERO)]);
            let steps = (1.2 / (f64::from(speed) * DT)).ceil() as usize + 2;
            (0..steps).for_each(|_| world.step());
            let [a, b] = [0, 1].map(|i| world.balls().velocities[i]);
            // At the impact the centres are 0.2 m apart: sin φ = offset / 0.2.
            let along = Vec3::new((1.0 - (offset / 0.2).powi(2)).sqrt(), offset / 0.2, 0.0);
            let expected = speed * along.x * along;
            let tolerance = 2e-5 * speed;
            assert!(b.distance(expected) < tolerance, "{b} is not {expected}, speed {speed}, offset {offset}");
            assert!(a.distance(Vec3::X * speed - expected) < tolerance);
            assert!(a.dot(b).abs() < 2e-5 * speed * speed);
        }
    }
}

/// Central impacts: v₁' = (m₁ − e m₂) v / M, v₂' = (1 + e) m₁ v / M.
#[test]
fn unequal_balls_part_as_restitution_says() {
    for restitution in [0.0f32, 0.4, 0.9, 1.0] {
        for radius in [0.005f32, 0.03, 0.1] {
            let material = BallMaterial { restitution, ..SMOOTH };
            let start = Vec3::new(-0.4, 0.0, 0.0);
            let mut world = World::unequal(material, &[(0.1, start, Vec3::X), (radius, Vec3::ZERO, Vec3::ZERO)]);
            world.run(0.5);
            let ratio = (radius / 0.1).powi(3);
            assert_near(world.balls().velocities[0].x, (1.0 - restitution * ratio) / (1.0 + ratio), 1e-5);
            assert_near(world.balls().velocities[1].x, (1.0 + restitution) / (1.0 + ratio), 2e-5);
        }
    }
}

/// A ball that falls from h bounces to e² h.
#[test]
fn a_ball_bounces_to_its_height() {
    for restitution in [0.3f32, 0.7, 0.95] {
        let material = BallMaterial { friction: 0.3, rolling_friction: 0.0, restitution };
        let mut world = World::equal(material, &[(Vec3::Y * 1.1, Vec3::ZERO)]).with_walls(Walls::floor(), GRAVITY);
        let mut highest = [0f32; 3];
        let mut bounces = 0;
        let mut before = 0.0;
        for _ in 0..180 {
            world.step();
            let (height, velocity) = (world.balls().positions[0].y - 0.1, world.balls().velocities[0].y);
            bounces += usize::from(before < 0.0 && velocity > 0.0);
            before = velocity;
            if bounces < 3 {
                // Highest point of the parabola on which the ball is.
                highest[bounces] = highest[bounces].max(height + velocity * velocity / (2.0 * 9.81));
            }
        }
        for (bounce, height) in highest.into_iter().enumerate().take(bounces.min(2) + 1) {
            let expected = restitution.powi(2 * bounce as i32);
            assert_near(height, expected, 0.02 * expected);
        }
    }
}

/// Break of 15 balls without friction: as many momenta as before, no energy gained, and the two outermost balls of the rack leave at ±30°.
#[test]
fn a_break_spreads_as_two_balls_do() {
    // Billiard balls: of 57 mm, in a triangle with its tip at the origin; the cue ball strikes it centrally at 8 m/s.
    let radius = 0.0285;
    let mut balls = vec![(radius, Vec3::new(-0.5, 0.0, 0.0), Vec3::X * 8.0)];
    for row in 0..5 {
        for place in 0..=row {
            let z = (place as f32 - 0.5 * row as f32) * 2.0 * radius * 1.0001;
            balls.push((radius, Vec3::new(row as f32 * 3f32.sqrt() * radius * 1.0001, 0.0, z), Vec3::ZERO));
        }
    }
    let material = BallMaterial { restitution: 0.95, ..SMOOTH };
    let mut world = World::unequal(material, &balls)
        .with_walls(Walls { planes: vec![(Vec3::Y * -radius, Vec3::Y)], ..Walls::default() }, GRAVITY);
    // A ball of 8 m/s moves a radius in 4 ms: the substep is as much shorter as angles are to be right.
    world.dynamics = world.dynamics.with_substep(1.0 / 4800.0);
    let (momentum, energy) = (world.momentum(), world.kinetic_energy());
    world.run(0.5);
    assert!((world.momentum() - momentum).length() < 1e-5 * momentum.length());
    assert!(world.kinetic_energy() < energy);
    let velocities = &world.balls().velocities;
    // The last row: its ends are struck by one ball each, along the line of centres, 30° from the axis.
    for (ball, side) in [(11, -1.0), (15, 1.0)] {
        let angle = (velocities[ball].z * side).atan2(velocities[ball].x).to_degrees();
        assert_near(angle, 30.0, 2.0);
        assert!(velocities[ball].length() > 0.5);
    }
}

/// Balls that overlap at the beginning are parted without being thrown.
#[test]
fn overlapping_balls_are_parted_gently() {
    let material = BallMaterial { friction: 0.3, ..SMOOTH };
    let centers = [Vec3::ZERO, Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.05, 0.05, 0.0), Vec3::new(0.1, 0.0, 0.0)];
    let mut world = World::equal(material, &centers.map(|center| (center, Vec3::ZERO)));
    world.run(1.0);
    assert!(world.overlaps()[0] < 0.01, "{:?}", world.overlaps());
    assert!(world.fastest() < 1e-6, "{}", world.fastest());
}

/// The impulse of a fluid changes the momentum by itself, and a moving wall pushes.
#[test]
fn impulses_and_moving_walls_push() {
    let mut world = World::equal(SMOOTH, &[(Vec3::ZERO, Vec3::ZERO)]);
    let [linear, angular] = [Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.0, 0.01, 0.0)];
    world.step_of(DT, &[vec![PointImpulse { linear, angular, ..PointImpulse::default() }]]);
    // L / (2/5 m r²).
    assert_near(world.spins()[0].y, 0.01 / (0.4 * 4.18879 * 0.01), 1e-4);
    assert_near(world.balls().velocities[0].x, 0.5 / 4.18879, 1e-6);

    // A wall that comes at 5 m/s strikes a ball at rest: elastically it leaves at 10 m/s.
    let walls = Walls { planes: vec![(Vec3::ZERO, Vec3::X)], velocity: Vec3::X * 5.0, ..Walls::default() };
    let mut world = World::equal(SMOOTH, &[(Vec3::X * 0.14, Vec3::ZERO)]).with_walls(walls, Vec3::ZERO);
    world.step();
    assert_near(world.balls().velocities[0].x, 10.0, 1e-4);
    let impulse = world.report.impulses.iter().map(|impulse| impulse.impulse.x).sum::<f32>();
    assert_near(impulse, -41.8879, 1e-3);
}
