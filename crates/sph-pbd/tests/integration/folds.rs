//! Sheets that fall on a sphere, onto themselves and onto each other: vertices keep their distance, and triangles do not cross.

use glam::Vec3;
use sph_core::Motion;
use sph_pbd::cloth::{ClothSetup, Edge, Grid, Pin};

use crate::crossings::{crossings, is_pierced, least_distance};
use crate::tank::{FRAME, GRAVITY, Tank};

/// Least distance of vertices, in thicknesses.
const LEAST: f32 = 0.9;

/// Spacing of the vertices, and the thickness, m.
const SPACING: f32 = 0.01;

/// A level square sheet of `side` × `side` vertices whose middle is above the origin at `height`, m.
fn level(name: &str, side: u32, height: f32) -> ClothSetup {
    let half = 0.5 * SPACING * (side - 1) as f32;
    let corner = Vec3::new(-half, height, -half);
    let grid = Grid { corner, along: SPACING * Vec3::X, across: SPACING * Vec3::Z, columns: side, rows: side };
    ClothSetup { thickness: SPACING, ..ClothSetup::grid(name, &grid) }
}

/// Advances for `seconds` and checks each frame; returns the least distance of vertices, in thicknesses.
fn watch(tank: &mut Tank, seconds: f64) -> f32 {
    let mut least = 1.0_f32;
    let mut most_crossings = 0;
    while tank.time < seconds - 1e-9 {
        tank.step(FRAME);
        least = least.min(least_distance(tank));
        let now = crossings(tank);
        if now > most_crossings || std::env::var("VERBOSE").is_ok() {
            println!("{:.2} s: {now} crossings, least distance {least:.3}, {}", tank.time, least_distance(tank));
        }
        most_crossings = most_crossings.max(now);
    }
    println!("least distance {least:.3} thicknesses, {most_crossings} crossings");
    assert_eq!(most_crossings, 0, "triangles cross");
    assert!(least >= LEAST, "vertices came as near as {least} thicknesses");
    least
}

fn on_a_sphere(side: u32) -> Tank {
    let radius = 0.2 * SPACING * side as f32;
    let mut tank = Tank::new(&[level("sheet", side, 2.0 * radius + 0.1)]);
    tank.solids.floor = Some(0.0);
    tank.solids.spheres = vec![(radius * Vec3::Y, radius)];
    tank
}

/// A square sheet folded in half three times, above the floor: eight layers joined by half circles.
fn folded(side: u32) -> Tank {
    let mut setup = level("folded", side, 0.0);
    setup.rest_shape = setup.vertices.clone();
    // Heights of the layers, in gaps, as they follow each other along the sheet.
    let layers = [0, 7, 4, 3, 2, 5, 6, 1];
    let gap = 1.3 * SPACING;
    let bends: Vec<f32> = layers.windows(2).map(|pair| 0.5 * gap * (pair[1] - pair[0]) as f32).collect();
    let length = SPACING * (side - 1) as f32;
    let bent: f32 = bends.iter().map(|radius| std::f32::consts::PI * radius.abs()).sum();
    let straight = (length - bent) / 8.0;
    assert!(straight > 4.0 * SPACING, "too small a sheet to fold");
    // Place of what is at `s` along the sheet.
    let place = |mut s: f32| {
        for (k, &layer) in layers.iter().enumerate() {
            let (height, forth) = (gap * layer as f32, k % 2 == 0);
            if s <= straight || k == 7 {
                return [if forth { s } else { straight - s }, height];
            }
            s -= straight;
            let radius = bends[k].abs();
            let bend = std::f32::consts::PI * radius;
            if s <= bend {
                let (sin, cos) = (s / radius).sin_cos();
                let x = if forth { straight + radius * sin } else { -radius * sin };
                return [x, height + bends[k] * (1.0 - cos)];
            }
            s -= bend;
        }
        [0.0, 0.0]
    };
    for (k, vertex) in setup.vertices.iter_mut().enumerate() {
        let [x, y] = place(SPACING * (k as u32 % side) as f32);
        *vertex = Vec3::new(x, 0.1 + y, vertex.z);
    }
    let mut tank = Tank::new(&[setup]);
    tank.solids.floor = Some(0.0);
    tank
}

fn stacked(side: u32) -> Tank {
    // Turned and shifted, so that no vertex is above another.
    let sheet = |number: u32| {
        let mut setup = level(&format!("sheet {number}"), side, 0.03 + 0.05 * number as f32);
        let turn = glam::Quat::from_rotation_y(0.3 * number as f32);
        setup.vertices.iter_mut().for_each(|vertex| *vertex = turn * *vertex + Vec3::new(0.003, 0.0, 0.001) * number as f32);
        setup
    };
    let mut tank = Tank::new(&(0..5).map(sheet).collect::<Vec<_>>());
    tank.solids.floor = Some(0.0);
    tank
}

/// A strip in an open overhand knot (a trefoil without its last part), of `scale` (m), whose ends are each pulled by `pull` (m) in `seconds`.
fn knotted(scale: f32, pull: f32, seconds: f64) -> Tank {
    const WIDTH: u32 = 5;
    let center = |u: f32| {
        let (x, z) = (u.sin() + 2.0 * (2.0 * u).sin(), u.cos() - 2.0 * (2.0 * u).cos());
        scale * Vec3::new(x, 1.2 - 0.5 * (3.0 * u).sin(), z)
    };
    // Places along the curve a spacing apart.
    let (mut u, end) = (0.35_f32, std::f32::consts::TAU - 0.35);
    let mut places = Vec::new();
    while u < end {
        places.push(u);
        let speed = (center(u + 1e-3) - center(u - 1e-3)).length() / 2e-3;
        u += SPACING / speed;
    }
    let columns = places.len() as u32;
    let corner = Vec3::ZERO;
    let grid = Grid { corner, along: SPACING * Vec3::X, across: SPACING * Vec3::Z, columns, rows: WIDTH };
    let mut setup = ClothSetup { thickness: SPACING, ..ClothSetup::grid("knot", &grid) };
    setup.rest_shape = setup.vertices.clone();
    for (k, vertex) in setup.vertices.iter_mut().enumerate() {
        let (along, across) = (k as u32 % columns, k as u32 / columns);
        let u = places[along as usize];
        let tangent = center(u + 1e-3) - center(u - 1e-3);
        let side = tangent.cross(Vec3::Y).normalize();
        *vertex = center(u) + SPACING * (across as f32 - 0.5 * (WIDTH - 1) as f32) * side;
    }
    let apart = (center(places[0]) - center(places[columns as usize - 1])).with_y(0.0).normalize();
    for (along, sign) in [(0, 1.0), (columns - 1, -1.0)] {
        // As long as it slows down evenly, it goes half as far as at its first velocity.
        let first = 2.0 * sign * pull / seconds as f32 * apart;
        let motion = Motion::through([(0.0, first), (seconds, Vec3::ZERO)]).expect("a motion");
        setup.pins.extend((0..WIDTH).map(|row| Pin { vertex: row * columns + along, motion: Some(motion.clone()) }));
    }
    let mut tank = Tank::new(&[setup]);
    tank.solids.floor = Some(0.0);
    tank
}

/// Cones come through between vertices unless faces keep them away. The sheet hangs on the tip, which bears its weight, and is not thrown up. It is so
/// rough that it does not slide off.
#[test]
fn a_sheet_on_a_tip_is_not_pierced() {
    for (degrees, aside) in [(30.0_f32, Vec3::new(0.0044, 0.0, 0.0046)), (45.0, Vec3::new(0.001, 0.0, 0.002))] {
        let mut tank = Tank::new(&[ClothSetup { friction: 1.0, ..level("sheet", 24, 0.23) }]);
        let tip = aside.with_y(0.2);
        tank.solids.cone = Some((tip, degrees.to_radians()));
        let mass: f32 = tank.sets[0].masses.iter().sum();
        let mut borne = Vec3::ZERO;
        let energy = tank.energy();
        while tank.time < 2.0 - 1e-9 {
            let report = tank.step(FRAME);
            assert!(!is_pierced(&tank, tip, tip.with_y(0.0)), "a tip of {degrees}° comes through at {} s", tank.time);
            assert!(tank.energy() <= energy * 1.001, "{} J of {energy} at {} s", tank.energy(), tank.time);
            if tank.time > 1.0 {
                borne += report.impulses.iter().map(|impulse| impulse.impulse).sum::<Vec3>();
            }
        }
        let weight = Vec3::NEG_Y * mass * GRAVITY;
        assert!(borne.distance(weight) < 0.03 * weight.length(), "{borne} N are borne of {weight}");
    }
}

/// A tip that is driven into a sheet at rest, farther in a step than an edge is long, lifts it.
#[test]
fn a_tip_driven_into_a_sheet_does_not_pierce_it() {
    let aside = Vec3::new(0.0044, 0.0, 0.0046);
    for below in [0.0155, 0.017, 0.022] {
        let mut tank = Tank::new(&[level("sheet", 24, 0.5)]);
        tank.gravity = Vec3::ZERO;
        tank.solids.cone = Some((aside.with_y(0.5 - below), 40.0_f32.to_radians()));
        tank.solids.cone_motion[1] = Vec3::Y;
        while tank.time < 0.1 {
            tank.step(FRAME);
            let tip = tank.solids.cone.expect("a cone").0;
            assert!(!is_pierced(&tank, tip, tip.with_y(0.0)), "the tip at {tip} comes through at {} s", tank.time);
        }
        let highest = tank.sets[0].positions.iter().map(|place| place.y).fold(0.0, f32::max);
        assert!(highest > 0.57, "the sheet was lifted to {highest} m");
    }
}

#[test]
fn a_knot_keeps_its_distance() {
    watch(&mut knotted(0.1, 0.1, 1.0), 1.0);
}

#[test]
fn a_small_sheet_on_a_sphere_keeps_its_distance() {
    watch(&mut on_a_sphere(30), 1.5);
}

#[test]
fn a_small_sheet_folded_three_times_keeps_its_distance() {
    let mut tank = folded(90);
    watch(&mut tank, 0.5);
}

#[test]
fn five_small_stacked_sheets_keep_their_distance() {
    watch(&mut stacked(16), 1.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn a_sheet_on_a_sphere_keeps_its_distance() {
    watch(&mut on_a_sphere(100), 20.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn a_sheet_folded_three_times_keeps_its_distance() {
    watch(&mut folded(100), 20.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn five_stacked_sheets_keep_their_distance() {
    watch(&mut stacked(100), 20.0);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn a_knot_pulled_tight_keeps_its_distance() {
    let mut tank = knotted(0.05, 0.5, 5.0);
    watch(&mut tank, 20.0);
    // It is tight: the strip would be longer if it could.
    let (sheet, set) = (&tank.cloths.sheets()[0], &tank.sets[0]);
    let length = |edge: Edge| {
        let [a, b] = edge.vertices.map(|vertex| set.positions[vertex as usize]);
        a.distance(b) / edge.length
    };
    let longest = sheet.edges().map(length).fold(0.0, f32::max);
    assert!(longest > 1.2, "an edge is {longest} of its length at most");
}
