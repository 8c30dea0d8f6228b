//! Foam against closed forms, conservation of numbers, and brute force.

use super::Foam;
use super::emission::{FluidNeighbors, Potentials, Random, Source, full_count, full_weight, ramp};
use super::motion::Mover;
use super::motion::Walls;
use super::{FoamKind, FoamParticle};
use crate::Container;
use crate::neighbors::NeighborLists;
use crate::parameters::{Dimensions, Discretization, FoamModel, FoamParameters};
use crate::setup::{FluidBlock, Setup};
use crate::simulation::{Engine, Simulation, View};
use crate::space::Domain;
use glam::{BVec3, Vec3};

const SPACING: f32 = 0.1;

/// A cube of fluid, 1 m wide, that moves at `velocity` (m/s), without walls.
fn cube(velocity: Vec3) -> Simulation {
    let mut block = FluidBlock::new(Vec3::ZERO, Vec3::ONE);
    block.velocity = velocity;
    Simulation::new(&Setup::new(Discretization::new(Dimensions::Three, SPACING), vec![block], Vec::new())).unwrap()
}

/// A particle at `position` after `steps` of `dt` (s) in `fluid`, which does not move on.
fn moved(fluid: &View<'_>, position: Vec3, velocity: Vec3, (steps, dt): (u32, f32)) -> FoamParticle {
    let mut particle = FoamParticle { position, velocity, left: 100.0, kind: FoamKind::Foam };
    let mut search = FluidNeighbors::new(SPACING);
    assert!(search.update(fluid));
    let (walls, mut lists) = (Walls::new(fluid, dt), NeighborLists::default());
    for _ in 0..steps {
        search.around(&[particle.position], &mut lists);
        Mover::new(fluid, &walls, search.radius, dt).step(&mut particle, lists.of(0));
    }
    particle
}

#[test]
fn spray_flies_on_a_parabola() {
    let simulation = cube(Vec3::ZERO);
    let (start, velocity, time) = (Vec3::new(0.5, 3.0, 0.5), Vec3::new(2.0, 5.0, -1.0), 0.8);
    let end = moved(&simulation.view(), start, velocity, (80, 0.01));
    let expected = start + time * velocity - 0.5 * 9.81 * time * time * Vec3::Y;
    assert_eq!(end.kind, FoamKind::Spray);
    assert!(end.position.abs_diff_eq(expected, 1e-4), "{} {expected}", end.position);
    assert!(end.velocity.abs_diff_eq(velocity - 9.81 * time * Vec3::Y, 1e-4), "{}", end.velocity);
}

#[test]
fn foam_moves_with_a_uniform_flow() {
    let flow = Vec3::new(3.0, 0.0, -1.0);
    let simulation = cube(flow);
    // On the upper face.
    let end = moved(&simulation.view(), Vec3::new(0.4, 1.0, 0.6), Vec3::ZERO, (10, 0.005));
    assert_eq!(end.kind, FoamKind::Foam);
    assert!(end.velocity.abs_diff_eq(flow, 1e-5), "{}", end.velocity);
    assert!(end.position.abs_diff_eq(Vec3::new(0.4, 1.0, 0.6) + 0.05 * flow, 1e-5), "{}", end.position);
}

#[test]
fn bubbles_reach_their_terminal_rise() {
    for dt in [1e-3, 0.1] {
        let simulation = cube(Vec3::new(1.0, 0.0, 0.0));
        let end = moved(&simulation.view(), Vec3::new(0.3, 0.3, 0.5), Vec3::ZERO, ((0.2 / dt) as u32, dt));
        assert_eq!(end.kind, FoamKind::Bubble);
        if dt < 0.01 {
            // k_b g / k_d, beside the flow.
            let FoamParameters { buoyancy, drag, .. } = FoamParameters::default();
            let expected = Vec3::new(1.0, buoyancy * 9.81 / drag, 0.0);
            assert!(end.velocity.abs_diff_eq(expected, 1e-3), "{} {expected}", end.velocity);
        }
        assert!(end.position.is_finite());
    }
}

#[test]
fn walls_hold_spray() {
    let block = FluidBlock::new(Vec3::ZERO, Vec3::new(0.5, 0.5, 1.0));
    let tank = Container::new(Vec3::ZERO, Vec3::new(2.0, 2.0, 1.0));
    let setup = Setup::new(Discretization::new(Dimensions::Three, SPACING), vec![block], vec![tank]);
    let simulation = Simulation::new(&setup).unwrap();
    let end = moved(&simulation.view(), Vec3::new(1.5, 1.0, 0.5), Vec3::new(9.0, 0.0, 0.0), (200, 0.01));
    // In the lower corner, by the clearance away from the walls.
    assert!(end.position.abs_diff_eq(Vec3::new(2.0 - 0.01, 0.01, 0.5), 1e-4), "{}", end.position);
}

/// Σ |v_ij| (1 − cos) w over all pairs, in double precision.
#[test]
fn trapped_air_agrees_with_brute_force() {
    let mut simulation = cube(Vec3::ZERO);
    for _ in 0..5 {
        assert!(simulation.step().error.is_none());
    }
    let fluid = simulation.view();
    let mut search = FluidNeighbors::new(SPACING);
    assert!(search.update(&fluid));
    let (particles, radius, mut lists) = (fluid.particles, f64::from(search.radius), NeighborLists::default());
    search.around(&particles.positions, &mut lists);
    let potentials = Potentials::new(&fluid, search.radius);
    let mut largest: f64 = 0.0;
    for i in 0..particles.len() {
        let expected: f64 = (0..particles.len())
            .map(|j| {
                let from = (particles.positions[i] - particles.positions[j]).as_dvec3();
                let relative = (particles.velocities[i] - particles.velocities[j]).as_dvec3();
                let weight = (1.0 - from.length() / radius).max(0.0);
                if relative == glam::DVec3::ZERO {
                    0.0
                } else {
                    (1.0 - relative.normalize().dot(from.normalize())) * relative.length() * weight
                }
            })
            .sum::<f64>()
            / f64::from(full_weight(3));
        let found = f64::from(potentials.trapped_air(i, lists.of(i)));
        assert!((found - expected).abs() < 1e-4 * (expected + 0.01), "{i}: {found} {expected}");
        largest = largest.max(expected);
    }
    assert!(largest > 0.01, "the fluid moves: {largest}");
}

#[test]
fn normals_point_out_of_the_faces_and_vanish_inside() {
    let simulation = cube(Vec3::ZERO);
    let fluid = simulation.view();
    let mut search = FluidNeighbors::new(SPACING);
    assert!(search.update(&fluid));
    let mut lists = NeighborLists::default();
    search.around(&fluid.particles.positions, &mut lists);
    let potentials = Potentials::new(&fluid, search.radius);
    let at = |point: Vec3| {
        let i = (0..fluid.particles.len()).find(|&i| fluid.particles.positions[i].distance(point) < 0.3 * SPACING).unwrap();
        potentials.normal(i, lists.of(i))
    };
    assert!(at(Vec3::new(0.45, 0.95, 0.55)).abs_diff_eq(Vec3::Y, 1e-3));
    assert_eq!(at(Vec3::new(0.45, 0.55, 0.55)), Vec3::ZERO);
}

#[test]
fn full_neighborhoods_have_the_count_and_weight_of_a_lattice() {
    // Over lattices shifted at random, sums over points are integrals on average.
    let (mut count, mut weight, samples) = (0.0, 0.0, 400);
    for sample in 0..samples {
        let shift = Vec3::from_array(std::array::from_fn(|axis| Random::new(sample, 0).uniform(axis as u32)));
        for cell in 0..6 * 6 * 6 {
            let point = Vec3::new((cell % 6) as f32, (cell / 6 % 6) as f32, (cell / 36) as f32) - 2.5 + shift - 0.5;
            let share = 1.0 - point.length() / 2.0;
            if share > 0.0 {
                count += 1.0 / f64::from(samples);
                weight += f64::from(share) / f64::from(samples);
            }
        }
    }
    assert!((count / f64::from(full_count(3)) - 1.0).abs() < 0.02, "{count} {}", full_count(3));
    assert!((weight / f64::from(full_weight(3)) - 1.0).abs() < 0.01, "{weight} {}", full_weight(3));
}

#[test]
fn potentials_grow_between_their_thresholds() {
    assert_eq!([0.5, 1.0, 1.5, 2.0, 9.0].map(|value| ramp(value, 1.0, 2.0)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!([0.5, 1.0, 1.5].map(|value| ramp(value, 1.0, 1.0)), [0.0, 0.0, 1.0]);
}

#[test]
fn the_number_made_is_rate_times_time_on_average() {
    let domain = Domain::default();
    let source = |id| Source {
        dimensions: Dimensions::Three,
        domain: &domain,
        position: Vec3::ZERO,
        velocity: Vec3::X,
        radius: 0.05,
        random: Random::new(id, 3),
    };
    for expected in [0.003, 0.37, 2.6] {
        let count = 20_000;
        let total: u32 = (0..count).map(|id| source(id).number(expected)).sum();
        let (part, mean) = (f64::from(expected.fract()), f64::from(expected) * f64::from(count));
        let deviation = (f64::from(count) * part * (1.0 - part)).sqrt();
        assert!((f64::from(total) - mean).abs() < 4.0 * deviation, "{total} {mean} ± {deviation}");
    }
}

#[test]
fn particles_are_made_in_the_cylinder_of_the_path() {
    let simulation = cube(Vec3::ZERO);
    let walls = Walls::new(&simulation.view(), 0.01);
    let (velocity, dt) = (Vec3::new(0.0, 3.0, 4.0), 0.01);
    let mut mean = Vec3::ZERO;
    for id in 0..1000 {
        let random = Random::new(id, 0);
        let (dimensions, domain) = (Dimensions::Three, &Domain::default());
        let source = Source { dimensions, domain, position: Vec3::X, velocity, radius: 0.05, random };
        let particle = source.particle(2, dt, 2.0, &walls);
        let offset = particle.position - Vec3::X;
        let along = offset.dot(velocity.normalize());
        assert!((-1e-6..=5.0 * dt).contains(&along) && offset.reject_from(velocity).length() < 0.0501, "{offset}");
        assert!((1.0..=3.0).contains(&particle.left));
        mean += offset / 1000.0;
    }
    // Half of the way, ± 4 standard deviations of a disc's coordinate, r/2.
    assert!(mean.abs_diff_eq(0.5 * dt * velocity, 4.0 * 0.025 / 1000f32.sqrt()), "{mean}");
}

#[test]
fn new_foam_is_inside_a_periodic_domain() {
    let simulation = cube(Vec3::ZERO);
    let fluid = simulation.view();
    let (dt, velocity) = (0.1, Vec3::new(5.0, 0.0, 0.0));
    let walls = Walls::new(&fluid, dt);
    let domain = Domain { periodic: BVec3::new(true, false, false), min: Vec3::ZERO, max: Vec3::ONE };
    let source = |domain, random| Source {
        dimensions: Dimensions::Three,
        domain,
        position: Vec3::new(0.9, 3.0, 0.5),
        velocity,
        radius: 0.05,
        random,
    };
    let (open, mut crossed) = (Domain::default(), 0);
    for random in (0..100).map(|id| Random::new(id, 0)) {
        let [free, wrapped] = [&open, &domain].map(|domain| source(domain, random).particle(0, dt, 2.0, &walls).position);
        let expected = if free.x < 1.0 { free } else { free - Vec3::X };
        assert!(wrapped.abs_diff_eq(expected, 1e-6) && (0.0..1.0).contains(&wrapped.x), "{wrapped} {expected}");
        crossed += u32::from(free.x >= 1.0);
    }
    // From 0.1 m before the face, on ways of up to 0.5 m.
    assert!((60..=98).contains(&crossed), "{crossed}");
}

/// Two columns in two dimensions that run into each other, with foam or without.
fn collision(model: FoamModel) -> Simulation {
    let mut left = FluidBlock::new(Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.5, 0.8, 0.0));
    let mut right = FluidBlock::new(Vec3::new(0.6, 0.0, 0.0), Vec3::new(1.0, 0.8, 0.0));
    (left.velocity, right.velocity) = (4.0 * Vec3::X, -4.0 * Vec3::X);
    let tank = Container::new(Vec3::ZERO, Vec3::new(1.1, 3.0, 0.0));
    let mut setup = Setup::new(Discretization::new(Dimensions::Two, 0.05), vec![left, right], vec![tank]);
    setup.parameters.foam.model = model;
    Simulation::new(&setup).unwrap()
}

/// The foam after `steps` of the fluid.
fn followed(simulation: &mut Simulation, steps: u32) -> Foam {
    let mut foam = Foam::default();
    foam.follow(&simulation.view());
    for _ in 0..steps {
        assert!(simulation.step().error.is_none());
        foam.follow(&simulation.view());
    }
    foam
}

#[test]
fn foam_is_the_same_on_any_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| followed(&mut collision(FoamModel::Ihmsen), 300).particles().to_vec())
    };
    let foam = on(1);
    assert!(foam.len() > 20, "{}", foam.len());
    assert_eq!(foam, on(2));
    for kind in [FoamKind::Spray, FoamKind::Foam] {
        assert!(foam.iter().any(|particle| particle.kind == kind), "{kind:?}");
    }
}

#[test]
fn the_fluid_does_not_feel_foam_and_without_a_model_there_is_none() {
    let (mut with, mut without) = (collision(FoamModel::Ihmsen), collision(FoamModel::None));
    followed(&mut with, 200);
    let foam = followed(&mut without, 200);
    assert_eq!(with.view().particles, without.view().particles);
    assert_eq!((foam.particles().len(), foam.memory()), (0, 0));
}

#[test]
fn the_limit_holds_and_what_it_held_back_is_counted() {
    let mut simulation = collision(FoamModel::Ihmsen);
    let mut parameters = *simulation.parameters();
    parameters.foam = FoamParameters { limit: 10, trapped_air_rate: 100.0, ..parameters.foam };
    simulation.set_parameters(parameters).unwrap();
    let foam = followed(&mut simulation, 200);
    assert_eq!(foam.particles().len(), 10);
    assert!(foam.held_back() > 0);
}

#[test]
fn foam_starts_anew_where_the_fluid_does() {
    let mut simulation = collision(FoamModel::Ihmsen);
    let mut foam = followed(&mut simulation, 300);
    assert!(!foam.particles().is_empty());
    foam.follow(&collision(FoamModel::Ihmsen).view());
    assert!(foam.particles().is_empty());
}
