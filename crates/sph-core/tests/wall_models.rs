//! What walls give still water, with each way of making and filling them.

mod common;

use common::setup;
use glam::Vec3;
use sph_core::*;

/// m.
const SPACING: f32 = 0.05;
/// Of the water, m: 20 rows.
const DEPTH: f32 = 1.0;

/// Still water in a tank.
fn still_water(kernel: KernelKind, ratio: f32, walls: WallPressure) -> Setup {
    let max = Vec3::new(1.0, DEPTH, 0.0);
    let block = FluidBlock { max, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.5), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.discretization.kernel = kernel;
    setup.discretization.support_radius = ratio * SPACING;
    setup.parameters.grid.cell_size = ratio * SPACING;
    setup.parameters.solver.method = Method::Dfsph;
    setup.parameters.solver.walls = walls;
    setup.parameters.time_step.max_dt = 2e-3;
    setup
}

/// The pressure of the lowest row over what its depth gives, mean of the second half of a run, and the level, m, at the end.
fn bed(setup: &Setup) -> (f64, f64) {
    let mut simulation = Simulation::new(setup).expect("a valid setup");
    let (mut sum, mut count) = (0.0, 0.0);
    while simulation.time() < 0.4 {
        assert_eq!(simulation.step().error, None);
        if simulation.time() < 0.2 {
            continue;
        }
        let particles = simulation.particles();
        for (position, &pressure) in particles.positions.iter().zip(&particles.pressures) {
            if position.y < 0.9 * SPACING && (position.x - 0.5).abs() < 0.3 {
                sum += f64::from(pressure / (1000.0 * 9.81 * (DEPTH - position.y)));
                count += 1.0;
            }
        }
    }
    let heights = simulation.particles().positions.iter().map(|position| f64::from(position.y));
    let mean = heights.sum::<f64>() / simulation.particles().len() as f64;
    (sum / count, 2.0 * mean)
}

#[test]
fn pressure_on_the_bed() {
    // Bounds: the weight of the water within 3 %; one-sided walls as measured before with another program, 1.74 and 2.28, within a tenth and a sixth, which is what
    // tells them from the others.
    let cases = [
        (KernelKind::CubicSpline, 2.0, WallPressure::Extrapolated, 0.97..=1.03),
        (KernelKind::CubicSpline, 2.0, WallPressure::Mls, 0.97..=1.03),
        (KernelKind::CubicSpline, 2.0, WallPressure::OneSided, 1.57..=1.91),
        (KernelKind::WendlandC2, 3.0, WallPressure::Extrapolated, 0.97..=1.03),
        (KernelKind::WendlandC2, 3.0, WallPressure::Mls, 0.97..=1.03),
        (KernelKind::WendlandC2, 3.0, WallPressure::OneSided, 1.9..=2.5),
    ];
    let mut report = Vec::new();
    for (kernel, ratio, walls, bounds) in cases {
        let (bed, level) = bed(&still_water(kernel, ratio, walls));
        report.push((format!("{kernel:?} {walls:?}: bed {bed:.3}, level {level:.3} m"), bounds.contains(&bed)));
        // Whatever the pressure, the water keeps its volume; one-sided walls let the lowest row come a fifth of a spacing closer.
        let slack = if walls == WallPressure::OneSided { 0.3 * f64::from(SPACING) } else { 0.01 };
        assert!((level - f64::from(DEPTH)).abs() < slack, "{kernel:?} {walls:?}: level {level}");
    }
    assert!(report.iter().all(|(_, good)| *good), "{report:#?}");
}

/// Walls have the pressure of the way that is chosen now, whatever it was before.
#[test]
fn ways_are_switched_in_mid_run() {
    for method in Method::ALL.into_iter().filter(|&method| method != Method::Pbf) {
        let mut setup = still_water(KernelKind::CubicSpline, 2.0, WallPressure::Extrapolated);
        setup.parameters.solver.method = method;
        setup.parameters.fluid.sound_speed = 44.0;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let ways = [
            WallPressure::Extrapolated,
            WallPressure::OneSided,
            WallPressure::Mls,
            WallPressure::OneSided,
            WallPressure::Extrapolated,
        ];
        for walls in ways {
            let mut parameters = *simulation.parameters();
            parameters.solver.walls = walls;
            simulation.set_parameters(parameters).expect("valid parameters");
            for _ in 0..3 {
                assert_eq!(simulation.step().error, None);
            }
            let highest = simulation.boundary().pressures.iter().fold(0.0f32, |highest, &pressure| highest.max(pressure));
            // One metre of water weighs 9.8 kPa; in the first steps after a change some solvers have less, and some far more.
            let good = if walls == WallPressure::OneSided { highest == 0.0 } else { highest > 2e3 };
            assert!(good, "{method:?} {walls:?}: {highest} Pa");
        }
    }
}

#[test]
fn one_layer_carries_the_water() {
    for kernel in [KernelKind::CubicSpline, KernelKind::WendlandC2] {
        let mut setup = still_water(kernel, 2.0, WallPressure::OneSided);
        setup.wall_sampling = WallSampling::SingleLayer;
        let simulation = Simulation::new(&setup).expect("a valid setup");
        // One layer around 20 by 30 cells.
        assert_eq!(simulation.boundary().len(), 22 * 32 - 20 * 30);
        let (_, level) = bed(&setup);
        assert!((level - 1.0).abs() < 0.3 * f64::from(SPACING), "{kernel:?}: level {level}");
    }
}

#[test]
fn a_round_body_has_the_pressure_of_the_water_around() {
    let error = |walls: WallPressure| {
        let mut setup = still_water(KernelKind::WendlandC2, 3.0, walls);
        let (min, max) = (Vec3::new(0.3, 0.25, 0.0), Vec3::new(0.7, 0.65, 0.0));
        setup.bodies = vec![Body { min, max, shape: BlockShape::Ellipsoid, ..Body::default() }];
        setup.blocks[0].around_bodies = true;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let (mut squares, mut count) = (0.0, 0.0);
        while simulation.time() < 0.4 {
            simulation.step();
            if simulation.time() < 0.2 {
                continue;
            }
            // The disc's own particles, of its first ring: what the fluid gives the wall against the weight of the water at the place.
            let walls = simulation.boundary();
            let middle = 0.5 * (min + max);
            let surface =
                simulation.particles().positions.iter().map(|position| position.y).fold(0.0, f32::max) + 0.5 * SPACING;
            for (position, &pressure) in walls.positions.iter().zip(&walls.pressures) {
                if (position.distance(middle) - 0.175).abs() < 0.01 {
                    squares += f64::from(pressure / (1000.0 * 9.81) - (surface - position.y)).powi(2);
                    count += 1.0;
                }
            }
        }
        (squares / count).sqrt()
    };
    // In still water the one has nothing over the other: what holds the fluid is known.
    for walls in [WallPressure::Extrapolated, WallPressure::Mls] {
        let error = error(walls);
        assert!(error < 1.5 * f64::from(SPACING), "{walls:?}: {error} m of water");
    }
}

/// Planes instead of particles: the bed of still water, with the two main solvers.
#[test]
fn pressure_on_an_analytic_bed() {
    let mut report = Vec::new();
    for method in [Method::Dfsph, Method::Wcsph] {
        for (kernel, ratio) in [(KernelKind::CubicSpline, 2.0), (KernelKind::WendlandC2, 3.0)] {
            let mut setup = still_water(kernel, ratio, WallPressure::Extrapolated);
            setup.parameters.solver.method = method;
            setup.parameters.fluid.sound_speed = 44.0;
            setup.wall_sampling = WallSampling::Analytic;
            let simulation = Simulation::new(&setup).expect("a valid setup");
            assert!(simulation.boundary().is_empty());
            let (bed, level) = bed(&setup);
            // The weight of the water within 3 %, and its volume within 1 %.
            let good = (0.97..=1.03).contains(&bed) && (level - f64::from(DEPTH)).abs() < 0.01;
            report.push((format!("{method:?} {kernel:?}: bed {bed:.3}, level {level:.3} m"), good));
        }
    }
    assert!(report.iter().all(|(_, good)| *good), "{report:#?}");
}

/// What goes on to the left of the middle goes on to its right, and nothing pushes the water up or down for ever.
#[test]
fn planes_push_alike_from_both_sides() {
    let mut setup = still_water(KernelKind::CubicSpline, 2.0, WallPressure::Extrapolated);
    setup.wall_sampling = WallSampling::Analytic;
    setup.parameters.fluid.sound_speed = 44.0;
    setup.parameters.solver.method = Method::Wcsph;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let count = simulation.particles().len() as f64;
    let (mut impulse, mut time) = (0.0, 0.0);
    while simulation.time() < 0.2 {
        simulation.step();
        let mean = common::sum_of_velocities(&simulation) / count;
        // Rounding alone tells left from right, and waves make it grow.
        assert!(mean.x.abs() < 1e-4, "{mean} m/s at {} s", simulation.time());
        (impulse, time) = (mean.y, simulation.time());
    }
    // The bed bears the water's weight, within a percent.
    assert!((impulse / (9.81 * time)).abs() < 0.01, "{impulse} m/s after {time} s");
}

#[test]
fn a_dam_breaks_between_planes() {
    for method in Method::ALL {
        for dimensions in [Dimensions::Two, Dimensions::Three] {
            let mut setup = common::dam_break(dimensions, 12);
            setup.wall_sampling = WallSampling::Analytic;
            setup.parameters.solver.method = method;
            // With 4 ms PCISPH gains a tenth of its energy in an impact; the others would not mind.
            setup.parameters.time_step.max_dt = 2e-3;
            let container = setup.containers[0];
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            let energy = |stats: &StepStats| stats.kinetic_energy + stats.potential_energy;
            let mut first = None;
            for _ in 0..500 {
                let stats = simulation.step();
                assert_eq!(stats.error, None, "{method:?} {dimensions:?}");
                // Walls do no work.
                let start = *first.get_or_insert(energy(&stats));
                assert!(energy(&stats) < 1.01 * start, "{method:?} {dimensions:?}: {} J of {start} J", energy(&stats));
            }
            for place in &simulation.particles().positions {
                let inside =
                    (0..dimensions.count()).all(|axis| (container.min[axis]..=container.max[axis]).contains(&place[axis]));
                assert!(inside, "{method:?} {dimensions:?}: {place}");
            }
        }
    }
}
