//! Balls on a sheet, smaller than its edges and wider.

use glam::Vec3;
use sph_core::point_sets::PointSetup;
use sph_core::{Container, Dimensions, Discretization, Engine as _, Setup, Simulation, View};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid, Pin};
use sph_pbd::{BallSettings, PbdSetup};

/// Distance of neighbouring vertices, and the thickness, m.
const SPACING: f32 = 0.02;

/// Vertices along a side.
const SIDE: u32 = 16;

/// Balls of `radius` (m) over a sheet that is held by its rim, at different places of triangles.
fn setup(radius: f32) -> Setup {
    let corner = Vec3::new(0.05, 0.2, 0.05);
    let grid = Grid { corner, along: SPACING * Vec3::X, across: SPACING * Vec3::Z, columns: SIDE, rows: SIDE };
    let mut sheet = ClothSetup { thickness: SPACING, ..ClothSetup::grid("sheet", &grid) };
    let is_edge = |vertex: u32| [vertex % SIDE, vertex / SIDE].iter().any(|&place| place == 0 || place == SIDE - 1);
    sheet.pins = (0..SIDE * SIDE).filter(|&vertex| is_edge(vertex)).map(|vertex| Pin { vertex, motion: None }).collect();
    let place = |k: u16| {
        let (column, row) = (f32::from(2 + 3 * (k % 4)), f32::from(2 + 3 * (k / 4)));
        let within = Vec3::new(f32::from(k % 5), 0.0, f32::from(k % 7)) / 7.0;
        corner + SPACING * (Vec3::new(column, 1.5, row) + within)
    };
    let balls = BallsSetup {
        name: "shot".to_owned(),
        count: 16,
        radii: Radii::Equal(radius),
        seed: 1,
        placement: Placement::At((0..16).map(place).collect()),
        density: 2500.0,
        material: BallMaterial::default(),
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        color: None,
    };
    let points = PbdSetup::new(&[sheet], ClothSettings::default()).expect("a valid cloth");
    let points = points.with_balls(vec![balls.build().expect("room")], BallSettings::default());
    let container = Container::new(Vec3::ZERO, Vec3::new(0.4, 0.4, 0.4));
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), vec![container]);
    setup.points = Some(PointSetup::new(points));
    setup
}

/// As small as a fifth of an edge or as wide as two, light or heavy beside a vertex: the sheet catches them all, and throws none.
#[test]
fn a_sheet_catches_balls_of_any_size() {
    for part in [0.2, 1.0] {
        let mut simulation = Simulation::new(&setup(part * SPACING)).expect("a valid setup");
        let heights = |view: &View<'_>, set: usize| view.sets[set].positions.iter().map(|place| place.y).collect::<Vec<_>>();
        let start = heights(&simulation.view(), 1)[0];
        while simulation.time() < 0.6 {
            assert_eq!(simulation.step().error, None);
            let highest = heights(&simulation.view(), 1).into_iter().fold(0.0, f32::max);
            assert!(highest <= start + 1e-4, "a ball of {part} edges is thrown up to {highest} m");
        }
        let [sheet, balls] = [0, 1].map(|set| heights(&simulation.view(), set).into_iter().fold(f32::INFINITY, f32::min));
        assert!(balls > sheet + part * SPACING, "a ball of {part} edges falls to {balls} m through the sheet at {sheet} m");
    }
}
