//! Thin sheets that fall fast.

use glam::Vec3;
use sph_core::point_sets::PointSetup;
use sph_core::{Container, Dimensions, Discretization, Engine as _, Setup, Simulation};
use sph_pbd::PbdSetup;
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid};

use crate::tank::{FRAME, GRAVITY, Solids, Tank};

const THICKNESS: f32 = 0.002;

/// A level sheet of 12 by 12 vertices, 2 mm thick, whose first corner is at `corner` (m).
fn sheet(corner: Vec3) -> ClothSetup {
    let grid = Grid { corner, along: THICKNESS * Vec3::X, across: THICKNESS * Vec3::Z, columns: 12, rows: 12 };
    ClothSetup { thickness: THICKNESS, ..ClothSetup::grid("sheet", &grid) }
}

/// What falls freely is as fast as g t, whatever its thickness.
#[test]
fn a_thin_sheet_falls_freely() {
    let mut tank = Tank::new(&[sheet(Vec3::ZERO)]);
    while tank.time < 0.55 {
        tank.step(FRAME);
        let expected = f64::from(GRAVITY) * tank.time;
        let lag = tank.sets[0].velocities.iter().map(|velocity| expected + f64::from(velocity.y)).fold(0.0, f64::max);
        assert!(lag < 1e-3 * expected, "{lag} m/s slower than {expected} m/s");
    }
}

/// At 5 m/s it lands on a floor and on a sphere: no vertex passes.
#[test]
fn a_fast_thin_sheet_lands() {
    for spheres in [Vec::new(), vec![(Vec3::new(0.011, 0.05, 0.011), 0.05)]] {
        let top = if spheres.is_empty() { 0.0 } else { 0.1 };
        let setup = ClothSetup { velocity: -5.0 * Vec3::Y, ..sheet(Vec3::new(0.0, top + 0.12, 0.0)) };
        let mut tank = Tank::new(&[setup]);
        tank.solids = Solids { floor: Some(0.0), spheres, ..Solids::default() };
        while tank.time < 0.1 {
            tank.step(FRAME);
            for &place in &tank.sets[0].positions {
                let is_free = |&(center, radius): &(Vec3, f32)| place.distance(center) > radius;
                assert!(place.y > 0.0 && tank.solids.spheres.iter().all(is_free), "{place} at {} s", tank.time);
            }
        }
        let lowest = tank.sets[0].positions.iter().map(|place| place.y).fold(f32::INFINITY, f32::min);
        assert!(lowest < top + 0.01, "it has come to {lowest} m");
    }
}

/// The floor of a box, which answers only to what is in the box, holds a sheet that falls on it, even one that is so fast that its vertices are below
/// the floor at the end of a substep.
#[test]
fn a_thin_sheet_lands_on_the_floor_of_a_box() {
    for (fall, speed) in [(0.07, 0.0), (0.3, 0.0), (0.3, 20.0)] {
        let setup = ClothSetup { velocity: -speed * Vec3::Y, ..sheet(Vec3::new(0.05, fall, 0.05)) };
        let points = PbdSetup::new(&[setup], ClothSettings::default()).expect("a valid cloth");
        let container = Container::new(Vec3::ZERO, Vec3::new(0.2, 0.5, 0.2));
        let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), vec![container]);
        setup.parameters.time_step.max_dt = 1.0 / 60.0;
        setup.points = Some(PointSetup::new(points));
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        while simulation.time() < 0.4 {
            assert_eq!(simulation.step().error, None);
        }
        let heights = simulation.view().sets[0].positions.iter().map(|place| place.y).collect::<Vec<_>>();
        assert!(
            heights.iter().all(|height| (0.0..5.0 * THICKNESS).contains(height)),
            "{heights:?} after a fall of {fall} m at {speed} m/s"
        );
    }
}
