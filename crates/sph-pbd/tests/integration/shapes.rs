//! Shapes and motions with a known solution: the catenary, the pendulum, a stretched strip, moved pins, torn edges, wind.

use glam::{DVec3, Vec3};
use sph_core::Motion;
use sph_core::point_sets::PointSet;
use sph_pbd::cloth::{ClothRemark, ClothSettings, ClothSetup, Grid, Pin, TORN};

use crate::tank::{FRAME, GRAVITY, Solids, Tank};

/// A strip of `columns` × 2 vertices along `along` (m, from a vertex to the next).
fn strip(columns: u32, along: Vec3, across: Vec3) -> ClothSetup {
    let setup = ClothSetup::grid("strip", &Grid { corner: Vec3::ZERO, along, across, columns, rows: 2 });
    ClothSetup { thickness: 0.5 * along.length().min(across.length()), bending_compliance: f32::INFINITY, ..setup }
}

#[test]
fn a_hanging_strip_is_a_catenary() {
    // A strip of length L between points that are 0.8 L apart, at one height: y = a cosh(x/a) with 2 a sinh(d/2a) = L.
    let (columns, spacing) = (41, 0.025);
    let length = spacing * f64::from(columns - 1);
    let distance = 0.8 * length;
    let mut setup = strip(columns, spacing as f32 * Vec3::X, 0.025 * Vec3::Z);
    setup.rest_shape = setup.vertices.clone();
    setup.damping = 2.0;
    setup.drag = 1.0;
    // It starts as a V of the right length, which is no catenary.
    let depth = (0.25 * (length * length - distance * distance)).sqrt();
    for vertex in &mut setup.vertices {
        let s = f64::from(vertex.x) / length;
        let height = -depth * (1.0 - (2.0 * s - 1.0).abs());
        *vertex = Vec3::new((s * distance) as f32, height as f32, vertex.z);
    }
    let ends = [0, columns - 1, columns, 2 * columns - 1];
    let mut tank = Tank::new(&[setup.pinned(ends)]).with_substep(FRAME / 80.0);
    tank.run(6.0);
    let (mut low, mut high) = (0.05 * length, 50.0 * length);
    for _ in 0..200 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (0.5 * distance / a).sinh() > length { low = a } else { high = a }
    }
    let height = |x: f64| low * (((x - 0.5 * distance) / low).cosh() - (0.5 * distance / low).cosh());
    let sag = -height(0.5 * distance);
    let points = &tank.sets[0].positions;
    let error = points.iter().map(|point| (f64::from(point.y) - height(f64::from(point.x))).abs()).fold(0.0, f64::max);
    println!("sag {sag:.4} m, largest error {:.2} %", 100.0 * error / sag);
    assert!(error < 0.01 * sag, "off the catenary by {error} m of {sag} m");
}

#[test]
fn a_pendulum_has_its_period() {
    // Two pinned vertices, and two that swing on a stiff square: a bifilar pendulum of length 1 m and small amplitude.
    let (length, angle) = (1.0_f32, 0.1_f32);
    let down = length * Vec3::new(angle.sin(), -angle.cos(), 0.0);
    let grid = Grid { corner: Vec3::ZERO, along: 0.5 * Vec3::Z, across: down, columns: 2, rows: 2 };
    let setup = ClothSetup { thickness: 0.2, ..ClothSetup::grid("pendulum", &grid) };
    let mut tank = Tank::new(&[setup.pinned([0, 1])]);
    let mut crossings = Vec::new();
    let mut before = tank.sets[0].positions[2].x;
    while crossings.len() < 9 && tank.time < 30.0 {
        let start = tank.time;
        tank.step(FRAME);
        let now = tank.sets[0].positions[2].x;
        if (before > 0.0) != (now > 0.0) {
            crossings.push(start + FRAME * f64::from(before / (before - now)));
        }
        before = now;
    }
    let period = (crossings[8] - crossings[0]) / 4.0;
    // 2π √(L/g) (1 + θ²/16), to the order θ⁴.
    let expected = std::f64::consts::TAU * f64::from(length / GRAVITY).sqrt() * (1.0 + f64::from(angle * angle) / 16.0);
    println!("period {period:.4} s, expected {expected:.4} s");
    assert!((period / expected - 1.0).abs() < 0.01);
}

#[test]
fn a_compliant_strip_stretches_by_hookes_law() {
    // Two vertices hang from two by edges of compliance α: each carries m g, and stretches by α m g. The diagonal stays slack.
    let grid = Grid { corner: Vec3::ZERO, along: 10.0 * Vec3::Z, across: 0.1 * Vec3::NEG_Y, columns: 2, rows: 2 };
    let setup = ClothSetup {
        thickness: 0.01,
        stretch_compliance: 1e-3,
        bending_compliance: f32::INFINITY,
        areal_density: 0.2,
        damping: 30.0,
        ..ClothSetup::grid("strip", &grid)
    };
    let mut tank = Tank::new(&[setup.pinned([0, 1])]);
    let set: &PointSet = &tank.sets[0];
    let expected = 1e-3 * 0.5 * f64::from((set.masses[2] + set.masses[3]) * GRAVITY);
    tank.run(3.0);
    let set = &tank.sets[0];
    let stretch = -0.5 * f64::from(set.positions[2].y + set.positions[3].y) - 0.1;
    assert!((stretch / expected - 1.0).abs() < 0.02, "stretched by {stretch} m, not {expected} m");
}

#[test]
fn moved_pins_go_where_they_should() {
    let mut setup = strip(6, 0.1 * Vec3::X, 0.1 * Vec3::Z);
    let motion = Motion::through([(0.0, Vec3::ZERO), (0.5, Vec3::Y), (1.0, Vec3::ZERO)]).expect("a motion");
    setup.pins = vec![Pin { vertex: 0, motion: Some(motion.clone()) }, Pin { vertex: 6, motion: None }];
    let mut tank = Tank::new(&[setup]);
    for _ in 0..45 {
        tank.step(FRAME);
        let set = &tank.sets[0];
        let moved = set.positions[0].as_dvec3() + set.rounding_errors[0].as_dvec3();
        assert!((moved - motion.displacement(tank.time)).length() < 1e-7);
        assert_eq!(set.positions[6], 0.1 * Vec3::Z);
    }
}

#[test]
fn overloaded_edges_tear_and_are_not_drawn() {
    let mut setup = strip(10, 0.1 * Vec3::X, 0.1 * Vec3::Z);
    setup.tear_strain = 0.3;
    let apart = |direction: f32| Some(Motion::steady(0.1 * direction * Vec3::X).expect("a motion"));
    setup.pins = [(0, -1.0), (10, -1.0), (9, 1.0), (19, 1.0)].map(|(vertex, x)| Pin { vertex, motion: apart(x) }).to_vec();
    let mut tank = Tank::new(&[setup]);
    tank.gravity = Vec3::ZERO;
    let drawn = |tank: &Tank| tank.cloths.sheets()[0].triangles(&tank.sets[0]).count();
    assert_eq!(drawn(&tank), 18);
    tank.run(0.5);
    assert_eq!(drawn(&tank), 18, "stretched by less than its limit");
    tank.run(3.0);
    assert!(drawn(&tank) < 18);
    assert!(tank.sets[0].column(TORN).is_some());
    // Both halves are free of each other: they neither stretch further nor pull.
    let inner = tank.sets[0].velocities.iter().map(|velocity| velocity.x.abs()).fold(0.0, f32::max);
    assert!(inner < 1.0);
}

/// Each triangle brakes its corners, and six meet at a vertex: together they must not throw it beyond the wind.
#[test]
fn no_vertex_of_a_light_sheet_is_faster_than_the_wind() {
    let grid = Grid { corner: Vec3::ZERO, along: 0.05 * Vec3::X, across: 0.05 * Vec3::Z, columns: 8, rows: 8 };
    let setup = ClothSetup { areal_density: 0.05, drag: 1.4, ..ClothSetup::grid("sheet", &grid) };
    let mut tank = Tank::new(&[setup]).with_substep(FRAME);
    tank.gravity = Vec3::ZERO;
    tank.cloths.set_settings(ClothSettings { wind: 10.0 * Vec3::Y, ..tank.cloths.settings() });
    for _ in 0..5 {
        tank.step(FRAME);
        let fastest = tank.sets[0].velocities.iter().map(|velocity| velocity.length()).fold(0.0, f32::max);
        assert!(fastest <= 10.0, "{fastest} m/s");
    }
}

#[test]
fn wind_carries_a_sheet_along_and_still_air_brakes_it() {
    let mut setup = strip(10, 0.1 * Vec3::X, 0.1 * Vec3::Z);
    setup.drag = 1.4;
    let mut tank = Tank::new(&[setup.clone()]);
    // The sheet falls at the speed at which ½ ρ c v² = σ g.
    tank.run(3.0);
    let expected = (2.0 * setup.areal_density * GRAVITY / setup.drag).sqrt();
    let speed = -tank.sets[0].velocities[5].y;
    assert!((speed / expected - 1.0).abs() < 0.02, "falls at {speed} m/s, not {expected} m/s");
    let mut tank = Tank::new(&[setup]);
    tank.gravity = Vec3::ZERO;
    tank.cloths.set_settings(ClothSettings { wind: 2.0 * Vec3::Y, ..tank.cloths.settings() });
    tank.run(3.0);
    let speed = tank.sets[0].velocities[5].y;
    assert!((1.5..2.0).contains(&speed), "carried at {speed} m/s");
}

#[test]
fn a_sheet_lies_on_the_floor_where_friction_holds_it() {
    // On a floor tilted by 0.2, μ = 0.3 holds and μ = 0.1 lets slide with g (sin − μ cos).
    let tilt = 0.2_f32;
    for friction in [0.3, 0.1] {
        let mut setup = strip(8, 0.05 * Vec3::X, 0.05 * Vec3::Z);
        setup.friction = friction;
        let radius = 0.5 * setup.thickness;
        setup.vertices.iter_mut().for_each(|vertex| vertex.y += radius);
        let mut tank = Tank::new(&[setup]);
        tank.solids = Solids { floor: Some(0.0), ..Solids::default() };
        tank.gravity = GRAVITY * Vec3::new(tilt.sin(), -tilt.cos(), 0.0);
        tank.run(0.5);
        let speed = tank.sets[0].velocities[3].x;
        let expected = (0.5 * GRAVITY * (tilt.sin() - friction * tilt.cos())).max(0.0);
        assert!((speed - expected).abs() < 0.02, "slides at {speed} m/s, not {expected} m/s");
    }
}

#[test]
fn impulses_on_the_floor_carry_the_weight() {
    let mut setup = strip(8, 0.05 * Vec3::X, 0.05 * Vec3::Z);
    let radius = 0.5 * setup.thickness;
    setup.vertices.iter_mut().for_each(|vertex| vertex.y += radius);
    let mut tank = Tank::new(&[setup]);
    tank.solids.floor = Some(0.0);
    tank.run(0.5);
    let weight: f64 = tank.sets[0].masses.iter().map(|&mass| f64::from(mass * GRAVITY)).sum();
    let report = tank.step(FRAME);
    let impulse: DVec3 = report.impulses.iter().map(|impulse| impulse.impulse.as_dvec3()).sum();
    assert!((impulse.y / (-weight * FRAME) - 1.0).abs() < 1e-3, "{impulse}, not {}", -weight * FRAME);
}

#[test]
fn a_coarse_mesh_for_its_thickness_is_remarked() {
    let setup = ClothSetup { thickness: 0.01, ..strip(6, 0.1 * Vec3::X, 0.1 * Vec3::Z) };
    let remarks = setup.remarks(Vec3::NEG_Y);
    assert!(matches!(remarks[..], [ClothRemark::CoarserThanThickness { .. }]), "{remarks:?}");
}

#[test]
fn the_thickness_that_is_recommended_closes_the_mesh() {
    let spacings = (1..60).map(|k| 0.0007 * 1.17_f32.powi(k)).chain([0.01, 0.02, 0.03, 0.1, 1.0]);
    for spacing in spacings {
        let setup = strip(6, spacing * Vec3::X, spacing * Vec3::Z);
        for part in [0.01, 0.2, 0.7, 0.98] {
            let thin = ClothSetup { thickness: part * spacing, ..setup.clone() };
            let remarks = thin.remarks(Vec3::NEG_Y);
            let [ClothRemark::CoarserThanThickness { advised, .. }] = remarks[..] else { panic!("{spacing} m: {remarks:?}") };
            let closed = ClothSetup { thickness: advised, ..setup.clone() }.remarks(Vec3::NEG_Y);
            let is_closed = !closed.iter().any(|remark| matches!(remark, ClothRemark::CoarserThanThickness { .. }));
            assert!(is_closed, "{spacing} m, {advised} m thick: {closed:?}");
            assert!((0.999..1.01).contains(&(advised / spacing)), "{spacing} m: {advised} m");
            let digits: String = advised.to_string().chars().filter(char::is_ascii_digit).collect();
            assert!(digits.trim_matches('0').len() <= 3, "{advised}");
        }
    }
    let coarse = ClothSetup { thickness: 0.005, ..strip(6, 0.03 * Vec3::X, 0.03 * Vec3::Z) };
    assert!(matches!(coarse.remarks(Vec3::NEG_Y)[..], [ClothRemark::CoarserThanThickness { advised: 0.03, .. }]));
}
