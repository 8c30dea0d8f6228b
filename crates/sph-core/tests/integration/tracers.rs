//! Points that drift with the fluid: what their dynamics see of it, by tracers.

use crate::common::tracers::{PATH, Tracers};
use crate::common::{dam_break, setup};
use glam::{BVec3, Quat, Vec3};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::point_sets::{ColumnValues, PointSet, PointSetup};
use sph_core::probes::velocity_at;
use sph_core::*;

const SPACING: f32 = 0.05;

/// `setup` with tracers at these places, m.
fn with_tracers(setup: Setup, places: &[Vec3]) -> Setup {
    Setup { points: Some(PointSetup::new(Tracers(places.to_vec()))), ..setup }
}

/// A block of fluid between these corners (m), without gravity and walls.
fn block(min: Vec3, max: Vec3, velocity: Vec3) -> Setup {
    let block = FluidBlock { min, max, velocity, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
    let mut setup = setup(Dimensions::Three, SPACING, vec![block], Vec::new());
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.fluid.kinematic_viscosity = 0.0;
    setup
}

fn step(simulation: &mut Simulation, steps: u32) {
    for _ in 0..steps {
        assert_eq!(simulation.step().error, None);
    }
}

fn tracers(simulation: &Simulation) -> &PointSet {
    &simulation.state().sets[0]
}

fn paths(simulation: &Simulation) -> &[f32] {
    match tracers(simulation).column(PATH) {
        Some(ColumnValues::Scalars(path)) => path,
        other => panic!("{other:?}"),
    }
}

/// Fluid that moves along as a whole takes tracers along, within it and at its surface, also through a periodic face.
#[test]
fn tracers_in_fluid_that_moves_as_a_whole_go_straight() {
    let velocity = Vec3::new(1.0, 0.3, -0.2);
    let mut setup = block(Vec3::ZERO, Vec3::new(1.0, 0.4, 0.4), velocity);
    setup.domain = Domain { periodic: BVec3::new(true, false, false), min: Vec3::ZERO, max: Vec3::ONE };
    setup.parameters.time_step.fixed_dt = Some(2e-3);
    let places = [Vec3::splat(0.2), Vec3::new(0.97, 0.21, 0.13), Vec3::new(0.5, 0.41, 0.2), Vec3::new(0.5, 2.0, 0.2)];
    let mut simulation = Simulation::new(&with_tracers(setup, &places)).expect("a valid setup");
    step(&mut simulation, 200);
    let way = simulation.time() as f32 * velocity;
    for (tracer, &start) in places[..3].iter().enumerate() {
        let gone = tracers(&simulation).positions[tracer] - start;
        assert!(gone.distance(way) < 1e-5, "{tracer}: {gone} of {way}");
        assert!((paths(&simulation)[tracer] / way.length() - 1.0).abs() < 1e-5);
    }
    assert_eq!((tracers(&simulation).positions[3], paths(&simulation)[3]), (places[3], 0.0), "there is no fluid");
}

/// In fluid that turns as a rigid body tracers go in circles. The fluid, which nothing holds together, is put in its place before each step.
#[test]
fn tracers_in_rigid_rotation_go_in_circles() {
    const RATE: f32 = 2.0;
    let center = Vec3::splat(0.3);
    let mut setup = block(Vec3::ZERO, Vec3::splat(0.6), Vec3::ZERO);
    setup.parameters.time_step.fixed_dt = Some(0.01);
    // Soft: pressure from the rounding of the gradients would push the fluid.
    setup.parameters.fluid.sound_speed = 1e-3;
    let places = [center, Vec3::new(0.4, 0.3, 0.25), Vec3::new(0.17, 0.22, 0.35), Vec3::new(0.3, 0.01, 0.3)];
    let mut simulation = Simulation::new(&with_tracers(setup, &places)).expect("a valid setup");
    let lattice = simulation.state().particles.positions_by_id();
    while simulation.time() < std::f64::consts::TAU / f64::from(RATE) {
        let turned = Quat::from_rotation_z(RATE * simulation.time() as f32);
        let mut state = simulation.snapshot();
        let Particles { positions, velocities, ids, .. } = &mut state.particles;
        for ((position, velocity), &id) in positions.iter_mut().zip(velocities).zip(&*ids) {
            *position = center + turned * (lattice[id as usize] - center);
            *velocity = RATE * Vec3::Z.cross(*position - center);
        }
        simulation.restore(state).expect("a state of this setup");
        step(&mut simulation, 1);
        let turned = Quat::from_rotation_z(RATE * simulation.time() as f32);
        for (tracer, &start) in places.iter().enumerate() {
            let (at, expected) = (tracers(&simulation).positions[tracer], center + turned * (start - center));
            // The midpoint rule turns by (ω dt)²/6 of the angle too far: 7e-5 of the way.
            let way = RATE * simulation.time() as f32 * start.distance(center);
            assert!(at.distance(expected) < 1e-4 * way + 3e-6, "{tracer}: {at} for {expected} at {} s", simulation.time());
        }
    }
    let circle = RATE * simulation.time() as f32 * 0.29;
    assert!((paths(&simulation)[3] / circle - 1.0).abs() < 1e-3, "{} of {circle} m", paths(&simulation)[3]);
}

/// A dam break, with tracers in the water, above it, beyond the walls and far away from all.
fn wave() -> Setup {
    let mut setup = dam_break(Dimensions::Three, 8);
    setup.parameters.solver.method = Method::Dfsph;
    let mut places: Vec<Vec3> =
        (0..20).map(|i| 0.02 + 0.023 * Vec3::new(i as f32, (i * 7 % 20) as f32, (i * 3 % 20) as f32)).collect();
    places.extend([Vec3::new(0.55, 0.1, 0.2), Vec3::new(-0.03, 0.2, 0.2), Vec3::new(-50.0, 1e6, 9.0)]);
    with_tracers(setup, &places)
}

/// The velocities are those that a probe reads, by brute force, where the particles are before the step and as fast as after it.
#[test]
fn tracers_see_what_probes_read() {
    let mut setup = wave();
    // Nothing stops the particles in one step, so that they have their velocities from the solver.
    setup.containers = Vec::new();
    setup.domain = Domain { periodic: BVec3::new(false, false, true), min: Vec3::ZERO, max: Vec3::splat(0.48) };
    // The midpoint of a short step is its beginning.
    setup.parameters.time_step.fixed_dt = Some(1e-6);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let mut state = simulation.snapshot();
    for (i, velocity) in state.particles.velocities.iter_mut().enumerate() {
        *velocity = 0.1 * Vec3::new((i as f32).sin(), (2.0 * i as f32).cos(), (3.0 * i as f32).sin());
    }
    simulation.restore(state).expect("a state of this setup");
    let before = simulation.snapshot();
    step(&mut simulation, 1);
    let seen = tracers(&simulation).velocities.clone();
    let mut state = simulation.snapshot();
    let positions = before.particles.positions_by_id();
    let Particles { positions: now, ids, .. } = &mut state.particles;
    now.iter_mut().zip(&*ids).for_each(|(position, &id)| *position = positions[id as usize]);
    simulation.restore(state).expect("a state of this setup");
    let read: Vec<_> = before.sets[0].positions.iter().map(|&at| velocity_at(&simulation.view(), at)).collect();
    for (seen, read) in seen.iter().zip(&read) {
        let read = read.map_or(Vec3::ZERO, |velocity| velocity.as_vec3());
        assert!(seen.distance(read) < 1e-5, "{seen} for {read}");
    }
    assert!(read.iter().flatten().count() >= 20 && read.iter().any(Option::is_none));
}

/// They drift to the bit the same whatever the search of the fluid is, whatever the number of threads, and in a run that is resumed.
#[test]
fn tracers_do_not_depend_on_the_search() {
    const STEPS: u32 = 12;
    let setup = wave();
    let run = |grid: GridParameters, threads: usize| {
        let mut simulation = Simulation::new(&Setup { parameters: Parameters { grid, ..setup.parameters }, ..setup.clone() })
            .expect("a valid setup");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| step(&mut simulation, STEPS));
        tracers(&simulation).clone()
    };
    let usual = setup.parameters.grid;
    let expected = run(usual, 1);
    assert!(expected.velocities.iter().filter(|velocity| **velocity != Vec3::ZERO).count() >= 20);
    for (number, structure) in Structure::all().into_iter().enumerate() {
        let (table_size, part) = ([7, 100, 4096][number % 3], [0.5, 1.0, 1.3][number % 2]);
        let grid = GridParameters { structure, table_size, cell_size: part * usual.cell_size, ..usual };
        assert!(run(grid, 1 + number % 3) == expected, "{grid:?}");
    }
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    step(&mut simulation, STEPS / 2);
    let state = simulation.snapshot();
    let mut resumed = Simulation::from_state(&setup, state.clone()).expect("a state of this setup");
    step(&mut resumed, STEPS / 2);
    assert!(*tracers(&resumed) == expected);
    resumed.restore(state).expect("a state of this setup");
    step(&mut resumed, STEPS / 2);
    assert!(*tracers(&resumed) == expected);
}
