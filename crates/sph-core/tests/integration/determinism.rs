//! The motion is identical to the bit for any number of threads and any neighbour search: here with many particles, and entry by entry.
//! The golden bits vary both in every case.

use crate::common::dam_break;
use glam::Vec3;
use sph_core::neighbors::Structure;
use sph_core::{Container, Dimensions, Faces, Method, Setup, Simulation, WallSampling};

/// Bits of every coordinate after `steps`, by stable id. With `changes`, each step has another grid.
fn run(setup: &Setup, steps: usize, threads: usize, changes: bool) -> Vec<[u32; 3]> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    let structures: Vec<Structure> =
        Structure::all().into_iter().filter(|&structure| structure != Structure::BruteForce).collect();
    pool.install(|| {
        let mut simulation = Simulation::new(setup).expect("a valid setup");
        for step in 0..steps {
            if changes {
                let mut parameters = *simulation.parameters();
                parameters.grid.structure = structures[(7 * step + threads) % structures.len()];
                parameters.grid.table_size = [1024, 20_011, 97][step % 3];
                parameters.grid.cell_size = [1.0, 1.5][step % 2] * setup.discretization.support_radius;
                simulation.set_parameters(parameters).expect("valid parameters");
            }
            assert_eq!(simulation.step().error, None);
        }
        simulation.particles().positions_by_id().iter().map(|position| position.to_array().map(f32::to_bits)).collect()
    })
}

/// Enough particles for every parallel loop to be split, with every solver, between particles and between planes.
#[test]
fn motion_of_many_particles_is_the_same_for_any_number_of_threads_and_any_search() {
    for (method, threads) in Method::ALL.into_iter().zip([3, 8].into_iter().cycle()) {
        let mut setup = dam_break(Dimensions::Three, 20);
        setup.parameters.solver.method = method;
        if matches!(method, Method::Wcsph | Method::Dfsph) {
            setup.wall_sampling = WallSampling::Analytic;
        }
        assert!(run(&setup, 6, threads, true) == run(&setup, 6, 1, false), "{method:?}, {threads} threads");
    }
}

/// One particle far away, so that sorting compares instead of counting.
#[test]
fn motion_of_particles_far_apart_is_the_same_for_any_number_of_threads() {
    let mut setup = dam_break(Dimensions::Three, 24);
    let mut stray = setup.blocks[0].clone();
    stray.min = Vec3::new(500.0, 500.0, 500.0);
    stray.max = stray.min + setup.discretization.particle_spacing;
    setup.blocks.push(stray.clone());
    setup.containers[0].faces = Faces::NONE;
    setup.containers.push(Container { min: stray.min - 1.0, max: stray.max + 1.0, faces: Faces::NONE, ..Container::default() });
    let one = run(&setup, 8, 1, false);
    for threads in [2, 3, 8] {
        assert!(run(&setup, 8, threads, false) == one, "{threads} threads");
    }
}

/// Original and clone have the same order in memory too, and are compared entry by entry.
#[test]
fn a_clone_with_another_grid_moves_the_same() {
    let mut original = Simulation::new(&dam_break(Dimensions::Three, 10)).expect("a valid setup");
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
