//! The flow of emitters against its integral, and the geometry of openings.

use super::*;
use crate::parameters::{Dimensions, Discretization};
use crate::space::geometry::{Axis, Shape, ShapeKind, Solid};
use crate::space::{Domain, Wrap};
use glam::{Vec2, Vec3};

fn discretization() -> Discretization {
    Discretization::new(Dimensions::Three, 0.02)
}

fn emitter(aperture: Aperture, rate: Rate) -> Emitter {
    Emitter { center: Vec3::new(0.5, 1.0, 0.0), direction: Vec3::new(3.0, 0.0, 0.0), aperture, rate, fluid: 0 }
}

/// Particles until `end` (s), exchanged at uneven times.
fn emitted(inlet: &Inlet, end: f64) -> u64 {
    let (mut from, mut time, mut count) = (None, 0.0, 0);
    while time < end {
        let sheets = inlet.sheets(from, time);
        count += (sheets.end - sheets.start) * inlet.sheet.len() as u64;
        from = Some(time);
        time += 0.001 + 0.0007 * (1000.0 * time).sin();
    }
    count + (inlet.sheets(from, end).end - inlet.sheets(from, end).start) * inlet.sheet.len() as u64
}

#[test]
fn the_flow_is_the_integral_of_its_schedule() {
    let discretization = discretization();
    let volume = f64::from(discretization.particle_volume());
    // From nothing to 2 l/s in 4 s, then constant: 4 l and 12 l in 10 s.
    let flow = Schedule::through([(0.0, 0.0), (4.0, 2e-3)]).expect("a schedule");
    for aperture in [Aperture::Round { radius: 0.05 }, Aperture::Rectangle { size: Vec2::new(0.11, 0.07) }] {
        let emitter = emitter(aperture, Rate::Flow(flow.clone()));
        let inlet = Inlet::new(&emitter, &discretization);
        let out = emitted(&inlet, 10.0) as f64 * volume;
        let sheet = inlet.sheet.len() as f64 * volume;
        assert!((out - 16e-3).abs() <= 0.51 * sheet, "{aperture:?}: {out} m³ in sheets of {sheet} m³");
        assert!((out / 16e-3 - 1.0).abs() < 0.005, "{aperture:?}: {out} m³");
    }
}

#[test]
fn a_sheet_fills_its_opening() {
    let speed = || Rate::Speed(Schedule::constant(1.0).expect("a schedule"));
    let disc = emitter(Aperture::Round { radius: 0.2 }, speed());
    let area = disc.area(&discretization());
    assert!((area / (std::f64::consts::PI * 0.04) - 1.0).abs() < 0.03, "{area} m²");
    let slot = emitter(Aperture::Rectangle { size: Vec2::new(0.2, 0.1) }, speed());
    assert!((slot.area(&discretization()) - 0.02).abs() < 1e-8);
    // The width is horizontal.
    let places = slot.sheet(&discretization());
    let extent = |axis: usize| places.iter().map(|place| place[axis].abs()).fold(0.0, f32::max);
    assert_eq!([extent(0), (1e3 * extent(1)).round(), (1e3 * extent(2)).round()], [0.0, 40.0, 90.0]);
}

#[test]
fn openings_guide_what_is_inside() {
    let rate = Rate::Speed(Schedule::constant(1.0).expect("a schedule"));
    let inlet = Inlet::new(&emitter(Aperture::Round { radius: 0.1 }, rate), &discretization());
    let wrap = Wrap::new(&Domain::default());
    let guides = |x: f32, y: f32| inlet.guides(Vec3::new(x, y, 0.0), &wrap);
    assert!(guides(0.51, 1.0) && guides(0.51, 1.09) && !guides(0.51, 1.12) && !guides(0.48, 1.0) && !guides(0.7, 1.0));
    assert_eq!(inlet.velocity(3.0), Vec3::X);
    let drain = Drain { max: Vec3::ONE, velocity: Some(Vec3::X), ..Drain::default() };
    let removes = |x: f32| drain.removes(Vec3::new(x, 0.5, 0.5), &discretization());
    assert!(!removes(0.5) && !removes(0.97) && removes(0.985) && !removes(1.5));
    assert!(Drain { velocity: None, ..drain.clone() }.removes(Vec3::splat(0.5), &discretization()));
}

/// Chords of a sphere: a drain with a velocity removes at the end of each, and guides along the rest.
#[test]
fn a_round_drain_ends_at_its_surface() {
    let (radius, spacing) = (0.5f32, discretization().particle_spacing);
    let ball = Shape::in_box(ShapeKind::Sphere, Dimensions::Three, Vec3::splat(-radius), Vec3::splat(radius), Axis::Y);
    let ball = Solid::from(ball.expect("a cube"));
    let still = Drain { min: Vec3::splat(-radius), max: Vec3::splat(radius), region: Some(ball), velocity: None };
    let drain = Drain { velocity: Some(Vec3::X), ..still.clone() };
    for k in 0..5000u16 {
        let random = |factor: f64| (1.4 * (f64::from(k) * factor).fract() - 0.7) as f32;
        let at = Vec3::new(random(0.819_172_513_4), random(0.671_043_606_7), random(0.549_700_477_9));
        let half_chord = (radius * radius - at.y * at.y - at.z * at.z).max(0.0).sqrt();
        let near = |x: f32| (at.x - x).abs() < 1e-5;
        if near(half_chord) || near(-half_chord) || near(half_chord - spacing) {
            continue;
        }
        let inside = at.x.abs() < half_chord;
        assert_eq!(still.removes(at, &discretization()), inside, "{at}");
        assert_eq!(drain.guided(at, &discretization()), inside.then_some(Vec3::X), "{at}");
        assert_eq!(drain.removes(at, &discretization()), inside && at.x > half_chord - spacing, "{at}");
    }
}

#[test]
fn impossible_openings_are_refused() {
    let rate = |speed: f64| Rate::Speed(Schedule::constant(speed).expect("a schedule"));
    let valid = emitter(Aperture::Round { radius: 0.1 }, rate(1.0));
    let check = |emitter: Emitter| emitter.validate(&discretization());
    assert_eq!(check(valid.clone()), Ok(()));
    assert_eq!(check(Emitter { direction: Vec3::ZERO, ..valid.clone() }), Err(OpeningError::Direction));
    assert_eq!(check(Emitter { aperture: Aperture::Round { radius: 0.0 }, ..valid.clone() }), Err(OpeningError::Aperture));
    assert_eq!(
        check(Emitter { aperture: Aperture::Round { radius: 1e4 }, ..valid.clone() }),
        Err(OpeningError::TooWide { limit: 1_000_000 })
    );
    assert_eq!(check(Emitter { rate: rate(-1.0), ..valid }), Err(OpeningError::Rate));
    let drain = Drain { max: Vec3::ONE, ..Drain::default() };
    assert_eq!(drain.validate(&discretization()), Ok(()));
    assert_eq!(Drain { max: Vec3::X, ..drain.clone() }.validate(&discretization()), Err(OpeningError::Box));
    assert_eq!(Drain { velocity: Some(Vec3::ZERO), ..drain }.validate(&discretization()), Err(OpeningError::Velocity));
}
