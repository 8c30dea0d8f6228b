//! The same bits for every structure, table, spacing and number of threads, and from a state in the middle.

use super::{GRAVITY, Walls, World};
use glam::Vec3;
use rayon::ThreadPoolBuilder;
use sph_core::neighbors::{GridParameters, HashFunction, Structure};
use sph_core::point_sets::{PointHold, PointSet};
use sph_pbd::balls::{BallDynamics, BallMaterial, BallSet, BallsSetup, Placement, Radii};

/// Balls of two sets and several sizes that fall into a basin; so many that tasks are divided.
fn world() -> World {
    let setup = |name: &str, min: Vec3, max: Vec3, count| BallsSetup {
        name: name.to_owned(),
        count,
        radii: Radii::LogUniform { min: 0.01, max: 0.1 },
        seed: 5,
        placement: Placement::Fill { min, max },
        density: 2500.0,
        material: BallMaterial::default(),
        velocity: Vec3::new(0.3, -1.0, 0.0),
        spin: Vec3::X,
        color: None,
    };
    let glass = setup("glass", Vec3::ZERO, Vec3::new(1.0, 1.5, 1.0), 700).build().expect("room");
    let steel = setup("steel", Vec3::Y * 1.5, Vec3::new(1.0, 2.5, 1.0), 300).build().expect("room");
    let rough = BallMaterial { friction: 0.8, ..BallMaterial::default() };
    let sets = vec![glass.set, BallSet { material: rough, ..BallSet::default() }];
    let world = World::of(vec![glass.points, steel.points], BallDynamics::new(sets)).with_walls(Walls::basin(1.0), GRAVITY);
    // A hand pulls one out.
    let target = Vec3::new(0.5, 3.0, 0.5);
    World { hold: Some(PointHold { set: 1, index: 7, target, time: 0.05, top_speed: 3.0 }), ..world }
}

/// Bits of everything that the sets hold.
fn bits(sets: &[PointSet]) -> String {
    format!("{sets:?}")
}

fn after(mut world: World, steps: usize) -> String {
    (0..steps).for_each(|_| world.step());
    bits(&world.sets)
}

#[test]
fn structures_tables_and_spacings_do_not_matter() {
    let expected = after(world(), 6);
    for (number, structure) in Structure::all().into_iter().enumerate() {
        let table_size = [1 << 14, 1000, 64][number % 3];
        let cell_size = [0.1, 0.2, 0.4][number / 3 % 3];
        let hash = HashFunction::Muller;
        let mut world = world();
        world.grid = GridParameters { structure, table_size, cell_size, hash, bucket_capacity: 8 };
        assert!(after(world, 6) == expected, "{structure} with {table_size} buckets and cells of {cell_size} m");
    }
}

#[test]
fn threads_do_not_matter() {
    let run = |threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| after(world(), 15))
    };
    let expected = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == expected, "{threads} threads");
    }
}

/// All that later steps depend on is in the sets.
#[test]
fn new_dynamics_go_on_with_the_same_bits() {
    use sph_core::point_sets::PointDynamics;
    let mut first = world();
    (0..15).for_each(|_| first.step());
    let dynamics = world().dynamics;
    let mut second = World { sets: first.sets.clone(), dynamics, time: first.time, ..world() };
    assert!(first.dynamics.memory() > 100_000);
    (0..5).for_each(|_| first.step());
    (0..5).for_each(|_| second.step());
    assert!(bits(&first.sets) == bits(&second.sets));
}

/// A uniform grid that cannot cover a ball which has flown far away is replaced by another structure.
#[test]
fn a_ball_far_away_does_not_stop_a_bounded_grid() {
    let far = [(Vec3::ZERO, Vec3::X), (Vec3::new(0.15, 0.0, 0.0), Vec3::ZERO), (Vec3::splat(1e5), Vec3::ZERO)];
    let run = |structure| {
        let mut world = World::equal(BallMaterial::default(), &far);
        world.grid.structure = structure;
        after(world, 10)
    };
    assert!(run(Structure::UniformGrid) == run(Structure::BruteForce));
}

/// Values that are not finite stay with their balls: nothing panics, and the caller sees them.
#[test]
fn not_a_number_is_no_panic() {
    for bad in [f32::NAN, f32::INFINITY, 1e38] {
        let mut world = world();
        world.sets[0].positions[3].x = bad;
        world.sets[0].velocities[9].y = bad;
        world.sets[1].velocities[4].z = -bad;
        (0..3).for_each(|_| world.step());
        assert!(world.sets.iter().all(|set| set.positions.len() == set.ids.len()));
        assert!(bad == 1e38 || world.sets.iter().any(|set| !set.is_valid()), "{bad} is hidden");
    }
}
