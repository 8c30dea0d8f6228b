//! Concave corners of containers and bodies that are meshes: cloth and balls that are driven into one pass neither wall.

use glam::{DVec3, Vec3};
use sph_core::point_sets::PointSetup;
use sph_core::{Body, Container, Dimensions, Discretization, Engine as _, Setup, Shape, Simulation, Solid, TriangleMesh};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid};
use sph_pbd::{BallSettings, PbdSetup};

/// Half the width of a trough at its rim, and its depth, m: a wedge of 44°.
const HALF: f64 = 0.2;
const DEPTH: f64 = 0.5;

/// The prism along z, from 0 to 0.6 m, over a polygon that is cut into these triangles, counter-clockwise.
fn prism(outline: &[[f64; 2]], triangles: &[[u32; 3]]) -> Solid {
    let count = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |&[x, y]| DVec3::new(x, y, z));
    let vertices: Vec<DVec3> = at(0.0).chain(at(0.6)).collect();
    let mut all: Vec<[u32; 3]> =
        triangles.iter().flat_map(|&[a, b, c]| [[a, c, b], [a + count, b + count, c + count]]).collect();
    for from in 0..count {
        let to = (from + 1) % count;
        all.extend([[from, to, to + count], [from, to + count, from + count]]);
    }
    let (mesh, diagnosis) = TriangleMesh::new(&vertices, &all).expect("a closed mesh");
    assert!(!diagnosis.is_inward && diagnosis.self_intersections == 0);
    Shape::mesh(mesh).into()
}

/// The inside of a trough, which goes on upwards between two steep walls.
fn trough() -> Solid {
    prism(&[[0.0, 0.0], [HALF, DEPTH], [HALF, 1.2], [-HALF, 1.2], [-HALF, DEPTH]], &[[0, 1, 4], [1, 2, 4], [2, 3, 4]])
}

/// A block with the same trough in it.
fn block() -> Solid {
    let (wide, deep) = (0.4, -0.2);
    let outline = [[-wide, deep], [wide, deep], [wide, DEPTH], [HALF, DEPTH], [0.0, 0.0], [-HALF, DEPTH], [-wide, DEPTH]];
    prism(&outline, &[[1, 2, 3], [1, 3, 4], [0, 1, 4], [0, 4, 5], [0, 5, 6]])
}

/// A simulation of `points` in the trough, a container or a block in a wide box.
fn simulation(points: PbdSetup, is_container: bool) -> Simulation {
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), Vec::new());
    if is_container {
        let [min, max] = trough().bounds().map(|corner| corner.as_vec3());
        setup.containers = vec![Container { region: Some(trough()), ..Container::new(min, max) }];
    } else {
        setup.containers = vec![Container::new(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 2.0, 2.0))];
        setup.bodies = vec![Body::solid(block())];
    }
    setup.points = Some(PointSetup::new(points));
    Simulation::new(&setup).expect("a valid setup")
}

/// Largest depth in a wall of the trough that a point has in `seconds`, in its radii.
fn deepest(mut simulation: Simulation, is_container: bool, seconds: f64) -> f32 {
    let mut deepest = f32::NEG_INFINITY;
    let solid = if is_container { trough() } else { block() };
    while simulation.time() < seconds {
        assert_eq!(simulation.step().error, None);
        for set in simulation.view().sets {
            for (&position, radius) in set.positions.iter().zip(&set.radii) {
                let distance = solid.signed_distance(position);
                deepest = deepest.max(1.0 - if is_container { -distance } else { distance } / radius);
            }
        }
    }
    deepest
}

/// A sheet that falls into the trough at 3 m/s, its middle first.
fn sheet() -> PbdSetup {
    let grid =
        Grid { corner: Vec3::new(-0.15, 0.7, 0.1), along: 0.01 * Vec3::X, across: 0.01 * Vec3::Z, columns: 31, rows: 41 };
    let mut cloth = ClothSetup { thickness: 0.008, ..ClothSetup::grid("sheet", &grid) };
    cloth.velocity = 3.0 * Vec3::NEG_Y;
    PbdSetup::new(&[cloth], ClothSettings::default()).expect("a valid cloth")
}

fn balls() -> PbdSetup {
    let balls = BallsSetup {
        name: "balls".to_owned(),
        count: 60,
        radii: Radii::LogUniform { min: 0.01, max: 0.03 },
        seed: 3,
        placement: Placement::Fill { min: Vec3::new(-0.15, 0.55, 0.1), max: Vec3::new(0.15, 0.95, 0.5) },
        density: 2500.0,
        material: BallMaterial::default(),
        velocity: 3.0 * Vec3::NEG_Y,
        spin: Vec3::ZERO,
        color: None,
    };
    let none = PbdSetup::new(&[], ClothSettings::default()).expect("no cloth");
    none.with_balls(vec![balls.build().expect("room")], BallSettings::default())
}

#[test]
fn a_sheet_stays_within_a_corner() {
    for is_container in [true, false] {
        let depth = deepest(simulation(sheet(), is_container), is_container, 1.0);
        println!("container: {is_container}, {depth} radii deep");
        assert!(depth < 0.1, "container: {is_container}, {depth} radii deep");
    }
}

#[test]
fn balls_stay_within_a_corner() {
    for is_container in [true, false] {
        let depth = deepest(simulation(balls(), is_container), is_container, 1.0);
        println!("container: {is_container}, {depth} radii deep");
        assert!(depth < 0.3, "container: {is_container}, {depth} radii deep");
    }
}
