//! Balls on a sheet, smaller than its edges and wider.

use glam::Vec3;
use sph_core::point_sets::{ColumnValues, PointSetup};
use sph_core::{Container, Dimensions, Discretization, Engine as _, Setup, Simulation, View};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii, SPIN};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid};
use sph_pbd::{BallSettings, PbdSetup};

/// Distance of neighbouring vertices, and the thickness, m.
const SPACING: f32 = 0.02;

/// Vertices along a side.
const SIDE: u32 = 16;

/// Corner of the sheet, m.
const CORNER: Vec3 = Vec3::new(0.05, 0.2, 0.05);

/// Sixteen balls of `radius` and `density` (kg/m³) over different places of triangles.
fn shot(radius: f32, density: f32) -> BallsSetup {
    let place = |k: u16| {
        let (column, row) = (f32::from(2 + 3 * (k % 4)), f32::from(2 + 3 * (k / 4)));
        let within = Vec3::new(f32::from(k % 5), 0.0, f32::from(k % 7)) / 7.0;
        CORNER + SPACING * (Vec3::new(column, 1.5, row) + within)
    };
    balls(radius, density, (0..16).map(place).collect())
}

/// Balls of `radius` and `density` (kg/m³) at `places`, all m.
fn balls(radius: f32, density: f32, places: Vec<Vec3>) -> BallsSetup {
    BallsSetup {
        name: "shot".to_owned(),
        count: places.len(),
        radii: Radii::Equal(radius),
        seed: 1,
        placement: Placement::At(places),
        density,
        material: BallMaterial::default(),
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        color: None,
    }
}

/// A sheet with this `friction` and `thickness` (m) that is held by its rim.
fn sheet(friction: f32, thickness: f32) -> ClothSetup {
    let grid = Grid { corner: CORNER, along: SPACING * Vec3::X, across: SPACING * Vec3::Z, columns: SIDE, rows: SIDE };
    let sheet = ClothSetup { thickness, friction, ..ClothSetup::grid("sheet", &grid) };
    let is_edge = |vertex: u32| [vertex % SIDE, vertex / SIDE].iter().any(|&place| place == 0 || place == SIDE - 1);
    sheet.pinned((0..SIDE * SIDE).filter(|&vertex| is_edge(vertex)))
}

/// Balls over a sheet with this `friction` that is held by its rim.
fn setup(balls: &BallsSetup, friction: f32) -> Setup {
    setup_of(sheet(friction, SPACING), std::slice::from_ref(balls))
}

/// Sets of balls over a sheet.
fn setup_of(sheet: ClothSetup, balls: &[BallsSetup]) -> Setup {
    let points = PbdSetup::new(&[sheet], ClothSettings::default()).expect("a valid cloth");
    let balls = balls.iter().map(|balls| balls.build().expect("room")).collect();
    let points = points.with_balls(balls, BallSettings::default());
    let container = Container::new(Vec3::ZERO, Vec3::new(0.4, 0.6, 0.4));
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), vec![container]);
    setup.points = Some(PointSetup::new(points));
    setup
}

fn heights(view: &View<'_>, set: usize) -> Vec<f32> {
    view.sets[set].positions.iter().map(|place| place.y).collect()
}

/// Runs for `until`, s. No ball may come higher than where it began, or fall through the sheet.
fn drop_onto(balls: &BallsSetup, until: f64) {
    let mut simulation = Simulation::new(&setup(balls, 0.3)).expect("a valid setup");
    let Radii::Equal(radius) = balls.radii else { unreachable!("balls of one size") };
    let start = heights(&simulation.view(), 1).into_iter().fold(0.0, f32::max);
    let edges = radius / SPACING;
    while simulation.time() < until {
        assert_eq!(simulation.step().error, None);
        let highest = heights(&simulation.view(), 1).into_iter().fold(0.0, f32::max);
        assert!(highest <= start + 1e-4, "a ball of {edges} edges is thrown up to {highest} m");
    }
    let [sheet, lowest] = [0, 1].map(|set| heights(&simulation.view(), set).into_iter().fold(f32::INFINITY, f32::min));
    assert!(lowest > sheet + radius, "a ball of {edges} edges falls to {lowest} m through the sheet at {sheet} m");
}

/// A fifth of an edge in radius or a whole one: the sheet catches them all, and throws none.
#[test]
fn a_sheet_catches_small_and_wide_balls() {
    for (part, density) in [(0.2, 2500.0), (1.0, 2500.0)] {
        drop_onto(&shot(part * SPACING, density), 0.6);
    }
}

/// Balls two edges in radius, each about as heavy as a vertex, are caught too, and not thrown.
#[test]
fn light_wide_balls_are_caught() {
    let volume = 4.0 / 3.0 * std::f32::consts::PI * (2.0 * SPACING).powi(3);
    let vertex = sheet(0.3, SPACING).areal_density * SPACING * SPACING;
    let places = [(3.6, 3.3), (10.9, 4.1), (7.3, 10.7)].map(|(column, row)| CORNER + SPACING * Vec3::new(column, 3.5, row));
    drop_onto(&balls(2.0 * SPACING, vertex / volume, places.to_vec()), 0.6);
}

/// Pinned vertices, the edges between them and the triangles that hang on them catch what falls on them.
#[test]
fn a_small_ball_at_a_held_rim_is_caught() {
    let within = |column: f32, row: f32| CORNER + SPACING * Vec3::new(column, 1.0, row);
    let places = [(7.6, 0.4), (0.3, 5.4), (14.6, 9.3), (3.0, 0.1), (14.9, 3.5)].map(|(column, row)| within(column, row));
    drop_onto(&balls(0.2 * SPACING, 2500.0, places.to_vec()), 0.5);
}

/// Without friction, pushes of a sheet act towards the centre of a ball.
#[test]
fn a_sheet_without_friction_does_not_spin_a_ball() {
    let mut balls = shot(0.3 * SPACING, 2500.0);
    balls.material.friction = 0.0;
    let mut simulation = Simulation::new(&setup(&balls, 0.0)).expect("a valid setup");
    let start = heights(&simulation.view(), 1);
    while simulation.time() < 0.2 {
        assert_eq!(simulation.step().error, None);
        let view = simulation.view();
        let Some(ColumnValues::Vectors(spins)) = view.sets[1].column(SPIN) else { panic!("balls spin") };
        assert!(spins.iter().all(|spin| spin.length() < 1e-3), "{spins:?} at {} s", simulation.time());
    }
    let fell = 0.5 * 9.81 * 0.2_f32.powi(2);
    let caught = heights(&simulation.view(), 1).iter().zip(&start).filter(|(now, then)| *now > &(*then - 0.5 * fell)).count();
    assert_eq!(caught, 16, "balls that the sheet has stopped");
}

/// Runs `setup` in steps of at most `dt` (s) until `until`, s: the balls of set 1 must not come below all vertices that are near them.
fn stay_above(mut setup: Setup, dt: f32, until: f64) {
    setup.parameters.time_step.max_dt = dt;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    while simulation.time() < until {
        assert_eq!(simulation.step().error, None);
        let (time, view) = (simulation.time(), simulation.view());
        for ball in &view.sets[1].positions {
            let is_near = |vertex: &&Vec3| (**vertex - *ball).with_y(0.0).length() < 1.5 * SPACING;
            let lowest = view.sets[0].positions.iter().filter(is_near).map(|vertex| vertex.y).reduce(f32::min);
            assert!(lowest.is_none_or(|lowest| ball.y > lowest), "a ball at {ball} is below {lowest:?} m at {time} s");
        }
    }
}

/// A light ball that rests on a sheet stays above it when one of ten times its mass and 4 m/s lands on it, however the step is long.
#[test]
fn a_ball_that_is_struck_from_above_stays_on_the_sheet() {
    let middle = CORNER + 7.4 * SPACING * (Vec3::X + Vec3::Z);
    for (dt, radius) in [(1.0 / 120.0, SPACING), (1.0 / 60.0, SPACING), (1.0 / 120.0, 0.5 * SPACING)] {
        let small = balls(radius, 60.0, vec![middle + (radius + 0.5 * SPACING) * Vec3::Y]);
        let wide = 10.0_f32.cbrt() * radius;
        let above = Vec3::new(0.1 * radius, 2.0 * radius + 0.5 * SPACING + wide + 0.02, 0.0);
        let large = balls(wide, 60.0, vec![middle + above]);
        let large = BallsSetup { name: "large".to_owned(), velocity: -4.0 * Vec3::Y, ..large };
        for pinned in [true, false] {
            let mut sheet = sheet(0.3, SPACING);
            if !pinned {
                // Held by its corners alone.
                sheet.pins.retain(|pin| [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1].contains(&pin.vertex));
            }
            stay_above(setup_of(sheet, &[small.clone(), large.clone()]), dt, 0.15);
        }
    }
}

/// Balls of 2 mm that fly at 5 m/s at a thin sheet, five times as wide between vertices, do not pass it between two substeps.
#[test]
fn fast_small_balls_do_not_pass_a_thin_sheet() {
    let spacing = 0.5 * SPACING;
    let grid = Grid { corner: CORNER, along: spacing * Vec3::X, across: spacing * Vec3::Z, columns: SIDE, rows: SIDE };
    let sheet = ClothSetup { thickness: 0.4 * spacing, ..ClothSetup::grid("sheet", &grid) };
    let is_corner = |vertex: &u32| [vertex % SIDE, vertex / SIDE].iter().all(|place| [0, SIDE - 1].contains(place));
    for pinned in [sheet.clone().pinned(0..SIDE * SIDE), sheet.pinned((0..SIDE * SIDE).filter(is_corner))] {
        let place = |k: u16| {
            CORNER + spacing * Vec3::new(2.1 + 0.7 * f32::from(k), 4.0 + 0.3 * f32::from(k), 3.2 + 0.65 * f32::from(k))
        };
        let shot = balls(0.2 * spacing, 100.0, (0..16).map(place).collect());
        stay_above(setup_of(pinned, &[BallsSetup { velocity: -5.0 * Vec3::Y, ..shot }]), 1.0 / 60.0, 0.05);
    }
}
