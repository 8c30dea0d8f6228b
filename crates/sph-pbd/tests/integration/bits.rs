//! The same bits for every structure, table size, cell size and number of threads.

use glam::Vec3;
use sph_core::neighbors::{HashFunction, Structure, Update};
use sph_core::point_sets::{PointDynamics, PointHold, PointSet};
use sph_pbd::cloth::{ClothSetup, Grid};

use crate::tank::{FRAME, Tank};

/// A sheet above the limit below which loops are serial, that falls onto itself and over a sphere, and a small one under it.
fn scene() -> Tank {
    let sheet = |name: &str, side: u32, height: f32| {
        let corner = Vec3::new(-0.005 * side as f32, height, -0.005 * side as f32);
        let grid =
            Grid { corner, along: 0.01 * Vec3::X, across: 0.01 * Vec3::new(0.0, 0.3, 0.9539), columns: side, rows: side };
        ClothSetup { velocity: -2.0 * Vec3::Y, drag: 1.0, damping: 1.0, ..ClothSetup::grid(name, &grid) }
    };
    let mut tank = Tank::new(&[sheet("large", 66, 0.135), sheet("small", 20, 0.175)]);
    tank.solids.floor = Some(0.0);
    tank.solids.spheres = vec![(Vec3::new(0.0, 0.1, 0.0), 0.1)];
    tank
}

fn run(structure: Structure, table_size: u32, cell_size: f32, threads: usize) -> Vec<PointSet> {
    let mut tank = scene();
    // A hand pulls a vertex of the large sheet.
    let target = Vec3::new(0.2, 0.2, 0.1);
    tank.hold = Some(PointHold { set: 0, index: 30, target, time: 0.05, top_speed: 3.0 });
    tank.grid.structure = structure;
    tank.grid.table_size = table_size;
    tank.grid.cell_size = cell_size;
    tank.grid.bucket_capacity = 128;
    tank.grid.hash = if threads == 2 { HashFunction::Morton } else { HashFunction::Muller };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        for _ in 0..3 {
            let report = tank.step(FRAME);
            assert_eq!(report.searches.len(), 2);
            assert!(report.searches[0].stats.tally.neighbors > 0);
        }
    });
    tank.sets
}

#[test]
fn neither_structures_nor_threads_change_a_bit() {
    compare(&[Structure::SpatialHash, Structure::UniformGrid, Structure::CellHash(Update::Incremental)]);
}

#[test]
#[ignore = "long: cargo xtask test --long"]
fn no_structure_changes_a_bit() {
    compare(&Structure::all());
}

fn compare(structures: &[Structure]) {
    let expected = run(Structure::SortedCells, 1, 0.02, 1);
    let slowed = expected[1].velocities.iter().map(|velocity| velocity.y).fold(f32::NEG_INFINITY, f32::max);
    assert!(slowed > -1.0, "the sheet has not met the sphere");
    for (k, structure) in structures.iter().copied().enumerate() {
        if structure == Structure::BruteForce {
            continue;
        }
        let (table_size, cell_size) = ([3000, 20_000, 5000][k % 3], [0.02, 0.012, 0.035, 0.008][k % 4]);
        assert_eq!(run(structure, table_size, cell_size, 1 + k % 3), expected, "{structure}");
    }
}

#[test]
fn a_step_does_not_depend_on_the_past_of_the_dynamics() {
    let mut tank = scene();
    tank.run(0.2);
    let sets = tank.sets.clone();
    let mut fresh = scene();
    (fresh.sets, fresh.time) = (sets, tank.time);
    for _ in 0..3 {
        tank.step(FRAME);
        fresh.step(FRAME);
    }
    assert_eq!(tank.sets, fresh.sets);
    assert!(tank.cloths.fork().memory() > 0);
}
