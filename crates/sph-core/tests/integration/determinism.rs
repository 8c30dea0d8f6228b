//! The motion is identical to the bit for any number of threads and any neighbour search.

use crate::common::dam_break;
use glam::Vec3;
use sph_core::neighbors::{GridParameters, HashFunction, Structure};
use sph_core::{Container, Dimensions, Faces, Method, Setup, Simulation, WallSampling};

const STEPS: usize = 300;

fn setup() -> Setup {
    dam_break(Dimensions::Three, 10)
}

/// Bits of every coordinate after `STEPS` steps, by stable id. `change` may change the grid's parameters before each step.
fn run(setup: &Setup, threads: usize, change: impl Fn(usize, &mut GridParameters) + Sync) -> Vec<[u32; 3]> {
    run_for(setup, STEPS, threads, change)
}

fn run_for(setup: &Setup, steps: usize, threads: usize, change: impl Fn(usize, &mut GridParameters) + Sync) -> Vec<[u32; 3]> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut simulation = Simulation::new(setup).expect("a valid setup");
        simulation.set_audit(50);
        for step in 0..steps {
            let mut parameters = *simulation.parameters();
            change(step, &mut parameters.grid);
            simulation.set_parameters(parameters).expect("valid parameters");
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            assert!(stats.audit.queries > 0 && stats.audit.is_clean(), "{:?}", stats.audit);
            assert_eq!(stats.search.parameters, parameters.grid);
        }
        let bits = |position: &Vec3| position.to_array().map(f32::to_bits);
        simulation.particles().positions_by_id().iter().map(bits).collect()
    })
}

fn unchanged(_step: usize, _grid: &mut GridParameters) {}

#[test]
fn motion_is_the_same_for_any_number_of_threads() {
    let one = run(&setup(), 1, unchanged);
    for threads in [2, 3, 8] {
        assert!(run(&setup(), threads, unchanged) == one, "{threads} threads");
    }
}

#[test]
fn motion_between_planes_is_the_same_for_any_number_of_threads() {
    let mut setup = setup();
    setup.wall_sampling = WallSampling::Analytic;
    for method in [Method::Wcsph, Method::Dfsph] {
        setup.parameters.solver.method = method;
        let one = run_for(&setup, 60, 1, unchanged);
        for threads in [2, 8] {
            assert!(run_for(&setup, 60, threads, unchanged) == one, "{method:?}, {threads} threads");
        }
    }
}

/// Enough particles for every parallel loop to be split, and one far away, so that sorting compares instead of counting.
#[test]
fn motion_of_many_particles_is_the_same_for_any_number_of_threads() {
    let mut setup = dam_break(Dimensions::Three, 24);
    let mut stray = setup.blocks[0].clone();
    stray.min = glam::Vec3::new(500.0, 500.0, 500.0);
    stray.max = stray.min + setup.discretization.particle_spacing;
    setup.blocks.push(stray.clone());
    setup.containers[0].faces = Faces::NONE;
    setup.containers.push(Container { min: stray.min - 1.0, max: stray.max + 1.0, faces: Faces::NONE, ..Container::default() });
    let few = |_: usize, _: &mut GridParameters| {};
    let one = run_for(&setup, 20, 1, few);
    for threads in [2, 3, 8] {
        assert!(run_for(&setup, 20, threads, few) == one, "{threads} threads");
    }
}

#[test]
fn motion_is_the_same_for_any_table_size() {
    let setup = setup();
    let reference = run(&setup, 2, unchanged);
    let particles = setup.particle_counts().fluid as u32;
    for table_size in [1, 97, 4096, 2 * particles] {
        let motion = run(&setup, 2, |_, grid| grid.table_size = table_size);
        assert!(motion == reference, "table size {table_size}");
    }
}

#[test]
fn motion_is_the_same_for_any_cell_size() {
    let setup = setup();
    let reference = run(&setup, 2, unchanged);
    for ratio in [0.5, 1.0, 1.5, 2.5] {
        let motion = run(&setup, 2, |_, grid| grid.cell_size = ratio * setup.discretization.support_radius);
        assert!(motion == reference, "cell size {ratio} support radii");
    }
}

#[test]
fn motion_is_the_same_for_any_hash_function() {
    let setup = setup();
    let reference = run(&setup, 2, unchanged);
    for hash in HashFunction::ALL {
        assert!(run(&setup, 2, |_, grid| grid.hash = hash) == reference, "{hash:?}");
    }
}

#[test]
fn motion_is_the_same_for_any_structure() {
    let setup = setup();
    let reference = run(&setup, 2, unchanged);
    for structure in Structure::all() {
        assert!(run(&setup, 2, |_, grid| grid.structure = structure) == reference, "{structure:?}");
    }
}

#[test]
fn motion_is_the_same_while_the_grid_changes() {
    let setup = setup();
    let reference = run(&setup, 2, unchanged);
    let support = setup.discretization.support_radius;
    let structures = Structure::all();
    let motion = run(&setup, 2, |step, grid| {
        grid.table_size = [1024, 4096, 97, 20_011][step / 10 % 4];
        grid.cell_size = [1.0, 1.5, 2.5][step / 10 % 3] * support;
        grid.structure = structures[step / 10 % structures.len()];
    });
    assert!(motion == reference);
}

/// Original and clone have the same order in memory too, and are compared entry by entry.
#[test]
fn a_clone_with_another_grid_moves_the_same() {
    let mut original = Simulation::new(&setup()).expect("a valid setup");
    for _ in 0..20 {
        original.step();
    }
    let support = original.discretization().support_radius;
    for (index, structure) in Structure::all().into_iter().enumerate() {
        let mut clone = original.clone();
        let mut parameters = *clone.parameters();
        parameters.grid.structure = structure;
        parameters.grid.table_size = [97, 4096][index % 2];
        parameters.grid.cell_size = [1.0, 0.6, 2.5][index % 3] * support;
        clone.set_parameters(parameters).expect("valid parameters");
        for _ in 0..4 {
            let (stats, expected) = (clone.step(), original.step());
            assert_eq!((stats.dt, stats.time, stats.error), (expected.dt, expected.time, None), "{structure:?}");
        }
        let (found, expected) = (clone.particles(), original.particles());
        assert!(found.ids == expected.ids, "{structure:?}");
        let bits = |vectors: &[Vec3]| -> Vec<_> { vectors.iter().map(|vector| vector.to_array().map(f32::to_bits)).collect() };
        assert!(bits(&found.positions) == bits(&expected.positions), "{structure:?}");
        assert!(bits(&found.velocities) == bits(&expected.velocities), "{structure:?}");
        let bits = |values: &[f32]| -> Vec<_> { values.iter().map(|value| value.to_bits()).collect() };
        assert!(bits(&found.densities) == bits(&expected.densities), "{structure:?}");
    }
}

#[test]
fn motion_in_two_dimensions_is_the_same() {
    let setup = dam_break(Dimensions::Two, 24);
    let reference = run(&setup, 1, unchanged);
    assert!(run(&setup, 3, |_, grid| grid.table_size = 11) == reference);
}

#[test]
fn motion_of_every_solver_is_the_same() {
    for method in Method::ALL {
        let mut setup = dam_break(Dimensions::Three, 10);
        setup.parameters.solver.method = method;
        let reference = run_for(&setup, 40, 1, unchanged);
        assert!(run_for(&setup, 40, 3, unchanged) == reference, "{method:?}: 3 threads");
        let structures = Structure::all();
        let motion = run_for(&setup, 40, 2, |step, grid| {
            grid.table_size = [1024, 97][step / 5 % 2];
            grid.structure = structures[step % structures.len()];
        });
        assert!(motion == reference, "{method:?}: a grid that changes");
    }
}
