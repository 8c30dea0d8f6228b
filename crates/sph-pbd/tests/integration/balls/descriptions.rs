//! Descriptions of balls: bad ones are errors, likely mistakes are remarks.

use glam::Vec3;
use sph_pbd::balls::{BallMaterial, BallRemark, BallsError, BallsSetup, MAX_BALLS, Placement, Radii};

fn setup(count: usize) -> BallsSetup {
    BallsSetup {
        name: "balls".to_owned(),
        count,
        radii: Radii::Equal(0.1),
        seed: 0,
        placement: Placement::At((0..count).map(|k| Vec3::X * 0.25 * k as f32).collect()),
        density: 1000.0,
        material: BallMaterial::default(),
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        color: None,
    }
}

#[test]
fn a_good_description_becomes_balls() {
    let balls = setup(3).build().expect("valid");
    assert_eq!(balls.points.ids, [0, 1, 2]);
    assert!((balls.points.masses[0] - 4.18879).abs() < 1e-4);
    assert!(balls.remarks.is_empty() && balls.set.pour.is_none());
}

#[test]
fn bad_numbers_are_errors() {
    let bad = [f32::NAN, f32::INFINITY, -1.0, 1e30];
    for bad in bad {
        let material = BallMaterial::default();
        for setup in [
            BallsSetup { density: bad, ..setup(2) },
            BallsSetup { material: BallMaterial { friction: bad, ..material }, ..setup(2) },
            BallsSetup { material: BallMaterial { rolling_friction: bad, ..material }, ..setup(2) },
            BallsSetup { material: BallMaterial { restitution: bad, ..material }, ..setup(2) },
            BallsSetup { velocity: Vec3::new(0.0, bad.abs() * 1e10, 0.0), ..setup(2) },
            BallsSetup { spin: Vec3::new(0.0, bad.abs() * 1e10, 0.0), ..setup(2) },
            BallsSetup { density: 0.0, ..setup(2) },
        ] {
            let error = setup.build().expect_err("a bad number");
            assert!(matches!(error, BallsError::Number { .. }), "{error}");
        }
        let pour = Placement::Pour { min: Vec3::ZERO, max: Vec3::ONE, start: 0.0, rate: bad.into() };
        assert!(BallsSetup { placement: pour, ..setup(2) }.build().is_err());
    }
    assert_eq!(setup(0).build(), Err(BallsError::Count(0)));
    assert_eq!(BallsSetup { count: MAX_BALLS + 1, ..setup(2) }.build(), Err(BallsError::Count(MAX_BALLS + 1)));
}

#[test]
fn bad_places_are_errors() {
    let at = |centers: Vec<Vec3>| BallsSetup { placement: Placement::At(centers), ..setup(2) }.build();
    assert!(matches!(at(vec![Vec3::ZERO]), Err(BallsError::Length { found: 1, needed: 2, .. })));
    assert!(matches!(at(vec![Vec3::ZERO, Vec3::NAN]), Err(BallsError::Center { ball: 1, .. })));
    let heap = BallsSetup { placement: Placement::At(vec![Vec3::ONE; 100_000]), ..setup(100_000) };
    assert!(matches!(heap.build(), Err(BallsError::Heap { count: 100_000, .. })));
    for (min, max) in [(Vec3::ZERO, Vec3::X), (Vec3::ONE, Vec3::ZERO), (Vec3::NAN, Vec3::ONE), (Vec3::ZERO, Vec3::INFINITY)] {
        for placement in [Placement::Fill { min, max }, Placement::Pour { min, max, start: 0.0, rate: 1.0 }] {
            let error = BallsSetup { placement, ..setup(2) }.build().expect_err("no box");
            assert!(matches!(error, BallsError::Box { .. }), "{error}");
        }
    }
    let fill = Placement::Fill { min: Vec3::ZERO, max: Vec3::splat(0.5) };
    let filled = |count| BallsSetup { placement: fill.clone(), ..setup(count) }.build();
    assert!(matches!(filled(50), Err(BallsError::TooFull { count: 50, .. })));
    assert!(matches!(filled(14), Err(BallsError::NoRoom { count: 14, .. })));
    let pour = Placement::Pour { min: Vec3::ZERO, max: Vec3::new(1.0, 0.1, 1.0), start: 0.0, rate: 1.0 };
    assert!(matches!(BallsSetup { placement: pour, ..setup(2) }.build(), Err(BallsError::NarrowOpening { .. })));
}

#[test]
fn likely_mistakes_are_remarks() {
    let close = vec![Vec3::ZERO, Vec3::X * 0.15, Vec3::X * 0.349, Vec3::X * 2.0];
    let balls = BallsSetup { placement: Placement::At(close), ..setup(4) }.build().expect("valid");
    let [BallRemark::Overlap { pairs: 1, deepest: [0, 1], depth }] = balls.remarks[..] else { panic!("{:?}", balls.remarks) };
    assert!((depth - 0.05).abs() < 1e-6);

    let pour = |rate| Placement::Pour { min: Vec3::ZERO, max: Vec3::new(1.0, 0.2, 1.0), start: 0.0, rate };
    let of = |rate| BallsSetup { placement: pour(rate), velocity: Vec3::NEG_Y, ..setup(9) }.build().expect("valid").remarks;
    assert!(of(20.0).is_empty());
    assert!(matches!(of(1000.0)[..], [BallRemark::SlowOpening { .. }]), "{:?}", of(1000.0));
    assert!(of(1000.0)[0].to_string().contains("not 1000"));
}
