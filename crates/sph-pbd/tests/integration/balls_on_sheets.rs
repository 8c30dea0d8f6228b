//! Balls on a sheet, smaller than its edges and wider.

use glam::Vec3;
use sph_core::point_sets::{ColumnValues, PointSetup};
use sph_core::{Container, Dimensions, Discretization, Engine as _, Setup, Simulation, View};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii, SPIN};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid, Pin};
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

/// Balls over a sheet with this `friction` that is held by its rim.
fn setup(balls: &BallsSetup, friction: f32) -> Setup {
    let grid = Grid { corner: CORNER, along: SPACING * Vec3::X, across: SPACING * Vec3::Z, columns: SIDE, rows: SIDE };
    let mut sheet = ClothSetup { thickness: SPACING, friction, ..ClothSetup::grid("sheet", &grid) };
    let is_edge = |vertex: u32| [vertex % SIDE, vertex / SIDE].iter().any(|&place| place == 0 || place == SIDE - 1);
    sheet.pins = (0..SIDE * SIDE).filter(|&vertex| is_edge(vertex)).map(|vertex| Pin { vertex, motion: None }).collect();
    let points = PbdSetup::new(&[sheet], ClothSettings::default()).expect("a valid cloth");
    let points = points.with_balls(vec![balls.build().expect("room")], BallSettings::default());
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

/// As small as a fifth of an edge or as wide as two: the sheet catches them all, and throws none.
#[test]
fn a_sheet_catches_balls_of_any_size() {
    for (part, density) in [(0.2, 2500.0), (1.0, 2500.0)] {
        drop_onto(&shot(part * SPACING, density), 0.6);
    }
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
