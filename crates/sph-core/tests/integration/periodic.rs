//! Periodic domains: translation invariance, and conservation across periodic faces.

use crate::common::searches::grids;
use crate::common::{setup, sum_of_velocities};
use glam::{BVec3, Vec3};
use sph_core::probes::{PointGrid, Probe, Quantity, pressure_at, velocity_at, water_height};
use sph_core::tuning::{Plan, Sample, Sweep};
use sph_core::{
    Container, Dimensions, Domain, DomainError, Engine as _, FluidBlock, InitialPressure, KernelKind, Method, Setup,
    SetupError, Simulation, VelocityField, View,
};
use std::f32::consts::TAU;

const SPACING: f32 = 0.05;

/// A fluid-filled box, periodic along every axis, 0.75 m long, 0.5 m high and 0.35 m deep, without gravity.
fn full_box(dimensions: Dimensions) -> Setup {
    let (min, max) = (Vec3::new(-0.25, 0.1, 0.0), Vec3::new(0.5, 0.6, 0.35));
    let block = FluidBlock { min, max, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
    let mut setup = setup(dimensions, SPACING, vec![block], vec![]);
    setup.domain = Domain { periodic: BVec3::TRUE, min, max };
    setup.parameters.gravity = Vec3::ZERO;
    setup
}

/// The box of [`full_box`] with a shear flow that disorders the lattice.
fn stirred_box(dimensions: Dimensions) -> Setup {
    let mut setup = full_box(dimensions);
    let [min, max] = [setup.blocks[0].min, setup.blocks[0].max];
    let middle = 0.5 * (min.y + max.y);
    let half = |low: f32, high: f32, velocity: Vec3| FluidBlock {
        min: min.with_y(low),
        max: max.with_y(high),
        velocity,
        ..setup.blocks[0].clone()
    };
    setup.blocks = vec![half(min.y, middle, Vec3::new(1.0, 0.3, -0.2)), half(middle, max.y, Vec3::new(-1.0, 0.1, 0.4))];
    setup
}

/// Squared minimum-image distance of two positions, m², by comparing all neighbouring images in f64.
fn distance_squared(domain: &Domain, a: Vec3, b: Vec3) -> f64 {
    let mut difference = (a - b).as_dvec3();
    let exact = a.as_dvec3() - b.as_dvec3();
    for axis in (0..3).filter(|&axis| domain.periodic.test(axis)) {
        let period = f64::from(domain.max[axis]) - f64::from(domain.min[axis]);
        let images = [-period, 0.0, period].map(|shift| exact[axis] + shift);
        difference[axis] = images.into_iter().min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
    }
    difference.length_squared()
}

/// A trial of a grid does what a step does, images included: its last repeat finds all neighbours of one of its two moments.
#[test]
fn trials_find_neighbors_across_faces() {
    let mut simulation = Simulation::new(&stirred_box(Dimensions::Three)).expect("a valid setup");
    for _ in 0..20 {
        assert_eq!(simulation.step().error, None);
    }
    let (present, discretization, view) = (simulation.parameters().grid, simulation.discretization(), simulation.view());
    let positions = &view.particles.positions;
    let plan = Plan::around(&present, Vec::new(), positions.len(), discretization);
    let mut sweep = Sweep::new(Sample::of(&view), present, plan);
    assert!(sweep.next_trial());
    let found = sweep.results().present_cost().expect("it was measured").tally.neighbors;
    let moved = |(&x, &v): (&Vec3, &Vec3)| x + view.last_dt * v;
    let next: Vec<Vec3> = positions.iter().zip(&view.particles.velocities).map(moved).collect();
    // Some distances of the lattice equal the radius: rounded, as images are, they may be on either side of it.
    let within = |points: &[Vec3], radius: f64| {
        let near =
            |a: &Vec3| points.iter().filter(|&&b| distance_squared(view.domain, *a, b) < radius * radius).count() as u64 - 1;
        points.iter().map(near).sum::<u64>()
    };
    let radius = f64::from(discretization.support_radius);
    let expected =
        [positions, &next].map(|points| within(points, (1.0 - 1e-5) * radius)..=within(points, (1.0 + 1e-5) * radius));
    assert!(expected.iter().any(|numbers| numbers.contains(&found)), "{found} of {expected:?}");
}

/// Every search structure finds all neighbours across periodic faces: the lists pass an audit by brute force over all images,
/// and all structures give bitwise identical positions.
#[test]
fn every_structure_finds_neighbors_across_faces() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let setup = stirred_box(dimensions);
        let mut original = Simulation::new(&setup).expect("a valid setup");
        for _ in 0..40 {
            assert_eq!(original.step().error, None);
        }
        let mut reference: Option<Vec<Vec3>> = None;
        // Every structure once, with other options each: all of them are tested without periods elsewhere.
        for grid in grids(setup.discretization.support_radius).step_by(25) {
            let mut simulation = original.clone();
            let mut parameters = *simulation.parameters();
            parameters.grid = grid;
            simulation.set_parameters(parameters).expect("valid parameters");
            simulation.set_audit(40);
            for _ in 0..2 {
                let stats = simulation.step();
                assert!(
                    stats.error.is_none() && stats.audit.queries > 0 && stats.audit.is_clean(),
                    "{grid:?}: {:?}",
                    stats.audit
                );
            }
            let moved = simulation.particles().positions_by_id();
            assert!(*reference.get_or_insert_with(|| moved.clone()) == moved, "{grid:?}");
        }
    }
}

/// Number of neighbours against the definition: minimum-image distances in f64.
#[test]
fn neighbors_are_those_of_the_minimum_image() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let mut setup = stirred_box(dimensions);
        // Between two shells of the lattice, so that no pair depends on rounding.
        setup.discretization.support_radius = 2.13 * SPACING;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        for _ in 0..60 {
            simulation.step();
        }
        let positions = simulation.particles().positions.clone();
        let stats = simulation.step();
        let radius = f64::from(setup.discretization.support_radius);
        let mut expected = 0;
        for (i, &a) in positions.iter().enumerate() {
            for (j, &b) in positions.iter().enumerate() {
                let distance = distance_squared(&setup.domain, a, b).sqrt();
                assert!(i == j || (distance / radius - 1.0).abs() > 1e-6, "{distance}");
                expected += u64::from(i != j && distance < radius);
            }
        }
        assert_eq!(stats.search.tally.neighbors, expected);
    }
}

/// All methods in two dimensions. In three, two: the others differ from these in their iterations only.
fn methods(dimensions: Dimensions) -> &'static [Method] {
    if dimensions == Dimensions::Two { &Method::ALL } else { &[Method::Wcsph, Method::Dfsph] }
}

/// Momentum along periodic axes is conserved: forces across a face cancel.
#[test]
fn momentum_is_conserved_across_faces() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let mut setup = stirred_box(dimensions);
        setup.parameters.fluid.kinematic_viscosity = 1e-3;
        // The initial velocity is discontinuous: particles must not pass each other in one step.
        setup.parameters.time_step.max_dt = 1e-3;
        for &method in methods(dimensions) {
            setup.parameters.solver.method = method;
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            let scale: f64 = simulation.particles().velocities.iter().map(|v| f64::from(v.length())).sum();
            let before = sum_of_velocities(&simulation);
            let mut crossed = 0;
            for _ in 0..40 {
                let start = simulation.particles().positions_by_id();
                assert_eq!(simulation.step().error, None, "{method:?}");
                let far = |(a, b): (&Vec3, &Vec3)| (*a - *b).length() > 0.25;
                crossed += simulation.particles().positions_by_id().iter().zip(&start).filter(|&pair| far(pair)).count();
            }
            assert!(crossed > 0, "{method:?}: nothing crossed a face");
            // PBF takes velocities from differences of positions, which round by 6e-8 m a step.
            let bound = if method == Method::Pbf { 2e-4 } else { 1e-6 };
            let drift = (sum_of_velocities(&simulation) - before).length() / scale;
            assert!(drift < bound, "{dimensions:?}, {method:?}: momentum drifted by {drift:e}");
        }
    }
}

/// With large neighbourhoods in a small periodic box, iterations with the relaxation factor ½ would diverge.
#[test]
fn iterations_converge_with_large_neighbourhoods() {
    let ratio = 3.0;
    for method in [Method::Pcisph, Method::Iisph, Method::Dfsph] {
        let mut setup = stirred_box(Dimensions::Three);
        // Three support radii at least.
        setup.domain.max.z = 0.5;
        setup.blocks.iter_mut().for_each(|block| block.max.z = 0.5);
        setup.discretization.kernel = KernelKind::WendlandC2;
        setup.discretization.support_radius = ratio * SPACING;
        setup.parameters.grid.cell_size = ratio * SPACING;
        setup.parameters.time_step.max_dt = 1e-3;
        setup.parameters.solver.method = method;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        for _ in 0..25 {
            assert_eq!(simulation.step().error, None, "{method:?} at {ratio} spacings");
        }
        let fastest = simulation.step().max_speed;
        assert!(fastest < 2.0, "{method:?} at {ratio} spacings: {fastest} m/s from 1.1");
    }
}

/// Uniform flow keeps its velocity, and every particle returns to its start after whole periods.
#[test]
fn a_uniform_flow_stays_uniform_and_returns() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        for &method in methods(dimensions) {
            let mut setup = full_box(dimensions);
            // One period along x takes 0.0625 s, and so does one along y.
            let velocity = Vec3::new(12.0, -8.0, 0.0);
            setup.blocks[0].velocity = velocity;
            setup.parameters.solver.method = method;
            setup.parameters.time_step.max_dt = 1.0 / 2048.0;
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            let start = simulation.particles().positions_by_id();
            for _ in 0..128 {
                let stats = simulation.step();
                assert_eq!((stats.error, stats.dt), (None, 1.0 / 2048.0), "{method:?}");
            }
            // PBF takes velocities from differences of positions, which round by 3e-8 m in steps of 5e-4 s.
            let bound = if method == Method::Pbf { 5e-3 } else { 1e-3 };
            for (position, &before) in simulation.particles().positions_by_id().iter().zip(&start) {
                let off = distance_squared(&setup.domain, *position, before).sqrt();
                assert!(off < bound * f64::from(SPACING), "{dimensions:?}, {method:?}: {off:e} m off");
            }
            let slip = simulation.particles().velocities.iter().map(|v| (*v - velocity).length()).fold(0.0, f32::max);
            assert!(slip < if method == Method::Pbf { 1e-2 } else { 1e-3 }, "{dimensions:?}, {method:?}: {slip:e} m/s off");
        }
    }
}

/// Translation of fluid and domain changes velocities by rounding errors only.
#[test]
fn flow_is_invariant_under_translation() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let mut setup = stirred_box(dimensions);
        setup.parameters.fluid.kinematic_viscosity = 0.01;
        let velocities = |offset: Vec3| {
            let mut moved = setup.clone();
            for block in &mut moved.blocks {
                block.field = VelocityField::Still;
            }
            moved.domain.min += offset;
            moved.domain.max += offset;
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            let mut shifted = Simulation::new(&{
                let mut setup = moved.clone();
                for block in &mut setup.blocks {
                    block.min += offset;
                    block.max += offset;
                }
                setup
            })
            .expect("a valid setup");
            for _ in 0..20 {
                simulation.step();
                shifted.step();
            }
            let by_id = |simulation: &Simulation| {
                let particles = simulation.particles();
                let mut velocities = vec![Vec3::ZERO; particles.len()];
                particles.ids.iter().zip(&particles.velocities).for_each(|(&id, &v)| velocities[id as usize] = v);
                velocities
            };
            (by_id(&simulation), by_id(&shifted))
        };
        for offset in [Vec3::new(0.137, 0.0, 0.0), Vec3::new(-0.3, 0.211, 0.0), Vec3::new(0.5, 0.25, -0.2)] {
            let (still, shifted) = velocities(offset);
            let off = still.iter().zip(&shifted).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
            assert!(off < 1e-3, "{dimensions:?}, {offset}: {off:e} m/s");
        }
    }
}

/// Still water in a channel that is periodic along x and z.
#[test]
fn a_periodic_tank_of_still_water() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let size = Vec3::new(0.6, 0.4, 0.4);
        let block = FluidBlock { max: size, ..FluidBlock::default() };
        let tank = Container { min: Vec3::ZERO, max: size.with_y(0.8), ..Container::default() };
        let mut setup = setup(dimensions, 0.04, vec![block], vec![tank]);
        setup.domain = Domain { periodic: BVec3::new(true, false, true), min: Vec3::ZERO, max: size };
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        assert_eq!(simulation.boundary().len() as u64, setup.particle_counts().boundary);
        let (floor, ceiling) = (simulation.boundary().positions.iter().filter(|p| p.y < 0.0), 0.8);
        let columns = if dimensions == Dimensions::Two { 15 } else { 15 * 10 };
        assert_eq!(floor.count(), 2 * columns);
        assert!(simulation.boundary().positions.iter().all(|p| p.y < 0.0 || p.y > ceiling));
        while simulation.time() < 0.2 {
            assert_eq!(simulation.step().error, None);
        }
        let fluid = simulation.view();
        // On both periodic faces, in the middle, and a period away from it.
        for x in [0.0, 0.6, 0.3, -0.3] {
            let point = Vec3::new(x, 0.0, 0.4);
            let ratio = pressure_at(&fluid, point).expect("fluid") / (1000.0 * 9.81 * 0.4);
            assert!((ratio - 1.0).abs() < 0.05, "{dimensions:?}: {ratio} of the hydrostatic pressure at x = {x}");
            let height = water_height(&fluid, point, None).expect("fluid");
            assert!((height - 0.4).abs() < 0.01, "{dimensions:?}: {height} m at x = {x}");
        }
        assert_eq!(pressure_at(&fluid, Vec3::ZERO), pressure_at(&fluid, size.with_y(0.0)));
        let line = Probe::Field {
            quantity: Quantity::Velocity,
            points: PointGrid::line(Vec3::new(-0.6, 0.2, 0.0), Vec3::new(0.6, 0.2, 0.0), 3),
        };
        let readings = line.read(&fluid);
        let axes = dimensions.count();
        assert_eq!(readings[..axes], readings[axes..2 * axes]);
        assert_eq!(readings[..axes], readings[2 * axes..]);
    }
}

/// Readings on periodic faces agree with those of the same fluid in a translated domain. Velocity and pressure vary within a
/// support radius, so that a reading from one side of a face only would differ.
#[test]
fn probes_read_across_periodic_faces() {
    let setup = full_box(Dimensions::Three);
    let Domain { min, max, .. } = setup.domain;
    let mut moved = setup.clone();
    // Whole spacings, for the same lattice.
    let offset = SPACING * Vec3::new(7.0, 4.0, 3.0);
    let Setup { domain, blocks, .. } = &mut moved;
    let block = &mut blocks[0];
    for corner in [&mut domain.min, &mut domain.max, &mut block.min, &mut block.max] {
        *corner += offset;
    }
    let readings = |setup: &Setup, point: Vec3| {
        let simulation = Simulation::new(setup).expect("a valid setup");
        let mut particles = simulation.particles().clone();
        // Waves with the periods of the domain.
        let phase = |point: Vec3| TAU * (point - min) / (max - min);
        particles.velocities = particles.positions.iter().map(|&point| phase(point).map(f32::sin)).collect();
        particles.pressures = particles.positions.iter().map(|&point| phase(point).map(f32::cos).element_sum()).collect();
        let fluid = View { particles: &particles, ..simulation.view() };
        (velocity_at(&fluid, point).expect("fluid").as_vec3(), pressure_at(&fluid, point).expect("fluid"))
    };
    for point in [min, max, min + Vec3::new(0.0, 0.013, 0.4), max - Vec3::new(0.3, 0.0, 0.01)] {
        let ((velocity, pressure), (expected, expected_pressure)) = (readings(&setup, point), readings(&moved, point));
        assert!(velocity.abs_diff_eq(expected, 1e-5), "{velocity} at {point}, not {expected}");
        assert!((pressure - expected_pressure).abs() < 1e-4, "{pressure} at {point}, not {expected_pressure}");
    }
}

#[test]
fn invalid_domains_are_refused() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = full_box(Dimensions::Three);
        change(&mut setup);
        Simulation::new(&setup).expect_err("an invalid setup")
    };
    assert!(matches!(refused(|s| s.domain.max.y = 0.35), SetupError::Domain(DomainError::Short { axis: 'y', .. })));
    assert!(matches!(refused(|s| s.domain.max.x = f32::NAN), SetupError::Domain(DomainError::Short { axis: 'x', .. })));
    assert!(matches!(refused(|s| s.domain.max.z = 0.37), SetupError::Domain(DomainError::Uneven { axis: 'z', .. })));
    assert_eq!(refused(|s| s.blocks[0].max.x += 0.1), SetupError::BlockThroughFace { block: 0, axis: 'x' });
    let tank = Container { min: Vec3::splat(-1.0), max: Vec3::splat(1.0), ..Container::default() };
    let mut setup = full_box(Dimensions::Three);
    setup.containers.push(tank);
    assert_eq!(Simulation::new(&setup).expect_err("a tank too long"), SetupError::ContainerPeriod { container: 0, axis: 'x' });
    // In two dimensions z does not matter.
    let mut flat = full_box(Dimensions::Two);
    flat.domain.max.z = -3.0;
    assert!(Simulation::new(&flat).is_ok());
}
