//! Tests of every pressure solver: hydrostatic pressure, dam break, convergence, momentum, and a change of solver in mid-run.

use crate::common::{colliding_blocks, dam_break, setup, sum_of_velocities};
use glam::Vec3;
use sph_core::{
    Container, DensityDiffusion, Dimensions, FluidBlock, InitialPressure, Integration, Iterations, KernelKind, Method, Setup,
    Simulation, StateEquation, StepStats, WcsphParameters,
};

fn simulation(setup: &Setup) -> Simulation {
    Simulation::new(setup).expect("a valid setup")
}

fn step(simulation: &mut Simulation) -> StepStats {
    let stats = simulation.step();
    assert_eq!(stats.error, None, "{:?} at t = {} s", simulation.parameters().solver.method, stats.time);
    stats
}

fn switch(simulation: &mut Simulation, method: Method) {
    let mut parameters = *simulation.parameters();
    parameters.solver.method = method;
    simulation.set_parameters(parameters).expect("valid parameters");
}

/// Still water, 0.5 m deep and `rows` particles high.
fn still_water(rows: u16) -> Setup {
    let spacing = 0.5 / f32::from(rows);
    let block = FluidBlock {
        min: Vec3::ZERO,
        max: Vec3::new(0.8, 0.5, 0.0),
        velocity: Vec3::ZERO,
        initial_pressure: InitialPressure::Hydrostatic,
        ..FluidBlock::default()
    };
    let tank = Container { min: Vec3::ZERO, max: Vec3::new(0.8, 1.0, 0.0), ..Container::default() };
    let mut setup = setup(Dimensions::Two, spacing, vec![block], vec![tank]);
    setup.discretization.kernel = KernelKind::WendlandC2;
    setup.discretization.support_radius = 3.0 * spacing;
    setup.parameters.grid.cell_size = 3.0 * spacing;
    setup.parameters.time_step.max_dt = 2e-3;
    setup
}

/// Mean pressure of the lowest row over the hydrostatic pressure, and root-mean-square error over ρgH of the interior, a support
/// radius below the surface, as in validation.
fn hydrostatics(simulation: &Simulation) -> (f32, f32) {
    let spacing = simulation.discretization().particle_spacing;
    let (mut bed, mut lowest, mut squares, mut inside) = (0.0, 0, 0.0, 0);
    let particles = simulation.particles();
    for (position, pressure) in particles.positions.iter().zip(&particles.pressures) {
        let expected = 9810.0 * (0.5 - position.y);
        if position.y < spacing {
            bed += pressure / expected;
            lowest += 1;
        }
        if position.y < 0.5 - simulation.discretization().support_radius {
            squares += ((pressure - expected) / 4905.0).powi(2);
            inside += 1;
        }
    }
    (bed / lowest as f32, (squares / inside as f32).sqrt())
}

#[test]
fn still_water_under_dfsph_has_hydrostatic_pressure() {
    let mut setup = still_water(25);
    setup.parameters.solver.method = Method::Dfsph;
    let mut simulation = simulation(&setup);
    let scale = (9.81f32 * 0.5).sqrt();
    let (mut bed, mut count) = (0.0, 0);
    while simulation.time() < 0.6 {
        let stats = step(&mut simulation);
        if stats.time > 0.2 {
            let (now, rms) = hydrostatics(&simulation);
            assert!(rms < 0.05, "the rms error of pressure is {rms} ρgH at t = {}", stats.time);
            assert!(stats.max_speed < 0.05 * scale, "water moves at {} √(gH)", stats.max_speed / scale);
            assert!(stats.density_solve.error <= 1e-4, "{:?}", stats.density_solve);
            (bed, count) = (bed + now, count + 1);
        }
    }
    let bed = bed / count as f32;
    assert!((bed - 1.0).abs() < 0.03, "the pressure at the bed is {bed} of the hydrostatic pressure");
}

/// Water settles to the right depth, measured as twice the mean height of its particles (SPlisHSPlasH issue 242).
#[test]
fn water_settles_to_the_right_height() {
    for method in Method::ALL {
        let mut setup = still_water(20);
        // The water falls by half a spacing, and is damped.
        setup.blocks[0].initial_pressure = InitialPressure::Zero;
        setup.parameters.fluid.artificial_viscosity = 0.3;
        setup.parameters.solver.method = method;
        let mut simulation = simulation(&setup);
        let mut height = 0.0;
        while simulation.time() < 0.5 {
            step(&mut simulation);
        }
        let mut count = 0;
        while simulation.time() < 0.6 {
            step(&mut simulation);
            let positions = &simulation.particles().positions;
            height += 2.0 * positions.iter().map(|x| f64::from(x.y)).sum::<f64>() / positions.len() as f64;
            count += 1;
        }
        let height = height / f64::from(count);
        assert!((height / 0.5 - 1.0).abs() < 0.01, "{method:?}: the water stands {height} m high");
    }
}

#[test]
fn iterations_end_within_tolerance_or_at_their_maximum() {
    for method in Method::ALL {
        let mut setup = dam_break(Dimensions::Two, 16);
        setup.parameters.solver.method = method;
        let Some(allowed) = setup.parameters.solver.iterations() else { continue };
        let mut simulation = simulation(&setup);
        for _ in 0..150 {
            let solve = step(&mut simulation).density_solve;
            assert!((allowed.min_iterations..=allowed.max_iterations).contains(&solve.iterations), "{method:?}: {solve:?}");
            assert!(solve.error <= allowed.tolerance || solve.iterations == allowed.max_iterations, "{method:?}: {solve:?}");
            assert!(solve.max_error >= solve.error, "{method:?}: {solve:?}");
        }
    }
}

/// Dam breaks are stable in tanks of any length (SPlisHSPlasH issue 179; the water touches three walls from the start, as in
/// issue 56).
#[test]
fn dam_breaks_are_stable_in_tanks_of_any_length() {
    for tenths in 8..=45u8 {
        for method in [Method::Wcsph, Method::Dfsph] {
            let mut setup = dam_break(Dimensions::Two, 12);
            setup.containers[0].max.x = 0.1 * f32::from(tenths);
            setup.parameters.solver.method = method;
            let mut simulation = simulation(&setup);
            for _ in 0..60 {
                let stats = step(&mut simulation);
                assert!(stats.max_speed < 6.0, "{method:?}, {tenths} dm: {} m/s at {} s", stats.max_speed, stats.time);
            }
        }
    }
}

/// From the same state, more iterations leave a smaller error.
#[test]
fn the_residual_falls() {
    for method in Method::ALL {
        let mut setup = dam_break(Dimensions::Two, 16);
        setup.parameters.solver.method = method;
        let mut before = f32::INFINITY;
        for count in [4, 16, 64, 256] {
            if !method.is_iterative() {
                continue;
            }
            setup.parameters.solver.set_iterations(Iterations { tolerance: 1e-6, min_iterations: 1, max_iterations: 1000 });
            let mut simulation = simulation(&setup);
            for _ in 0..3 {
                step(&mut simulation);
            }
            setup.parameters.solver.set_iterations(Iterations {
                tolerance: 1e-6,
                min_iterations: count,
                max_iterations: count,
            });
            simulation.set_parameters(setup.parameters).expect("valid parameters");
            let solve = step(&mut simulation).density_solve;
            assert_eq!(solve.iterations, count);
            assert!(
                solve.error < before || solve.error < 1e-6,
                "{method:?}: {} after {before}, {count} iterations",
                solve.error
            );
            before = solve.error;
        }
    }
}

/// Colliding blocks without gravity: the pressure forces of a pair cancel with every solver.
#[test]
fn momentum_is_conserved_without_gravity() {
    for (method, dimensions) in Method::ALL.into_iter().flat_map(|m| [(m, Dimensions::Two), (m, Dimensions::Three)]) {
        let mut setup = colliding_blocks(dimensions);
        setup.parameters.solver.method = method;
        let mut simulation = simulation(&setup);
        let scale: f64 = simulation.particles().velocities.iter().map(|v| f64::from(v.length())).sum();
        let before = sum_of_velocities(&simulation);
        let mut met = false;
        while simulation.time() < 0.15 {
            step(&mut simulation);
            met |= simulation.particles().pressures.iter().any(|&pressure| pressure > 100.0);
        }
        assert!(met, "{method:?} {dimensions:?}: the blocks did not meet");
        let drift = (sum_of_velocities(&simulation) - before).length() / scale;
        // PBF's velocities are differences of positions, which are rounded to 6e-8 m in each of eight corrections or more.
        let most = if method == Method::Pbf { 4e-5 } else { 2e-6 };
        assert!(drift < most, "{method:?} {dimensions:?}: momentum drifted by {drift:e}");
    }
}

/// Positions of a collapsing column without damping after 20 ms in steps of `dt` (s), m.
fn column_after_20_ms(integration: Integration, dt: f32) -> Vec<Vec3> {
    let mut setup = dam_break(Dimensions::Two, 16);
    setup.parameters.fluid.artificial_viscosity = 0.0;
    setup.parameters.fluid.density_diffusion = 0.0;
    setup.parameters.time_step.cfl_factor = 1.0;
    setup.parameters.time_step.max_dt = dt;
    setup.parameters.solver.wcsph.integration = integration;
    let mut simulation = simulation(&setup);
    for _ in 0..(0.02 / dt).round() as usize {
        step(&mut simulation);
    }
    simulation.particles().positions_by_id()
}

#[test]
fn predictor_corrector_beats_euler_with_half_the_step() {
    let reference = column_after_20_ms(Integration::PredictorCorrector, 2.5e-5);
    let error = |integration, dt| {
        let positions = column_after_20_ms(integration, dt);
        positions.iter().zip(&reference).map(|(a, b)| a.distance_squared(*b)).sum::<f32>().sqrt()
    };
    let once = error(Integration::SymplecticEuler, 2e-4);
    let twice = error(Integration::PredictorCorrector, 4e-4);
    assert!(twice < 0.6 * once, "{twice:e} against {once:e}");
}

#[test]
fn every_form_of_wcsph_runs() {
    for diffusion in DensityDiffusion::ALL {
        for equation_of_state in StateEquation::ALL {
            for integration in Integration::ALL {
                let mut setup = dam_break(Dimensions::Two, 12);
                setup.parameters.solver.wcsph =
                    WcsphParameters { equation_of_state, diffusion, integration, ..WcsphParameters::default() };
                let mut simulation = simulation(&setup);
                while simulation.time() < 0.3 {
                    let stats = step(&mut simulation);
                    assert!(stats.density_error < 0.01, "{diffusion:?} {equation_of_state:?} {integration:?}: {stats:?}");
                }
                let front = simulation.particles().positions.iter().map(|x| x.x).fold(0.0, f32::max);
                assert!((front - 1.14).abs() < 0.06, "{diffusion:?} {equation_of_state:?} {integration:?}: front at {front} m");
            }
        }
    }
}

/// Times (s) and kinetic energies (J/m) of the next `steps` steps.
fn energies(simulation: &mut Simulation, steps: usize) -> Vec<(f64, f64)> {
    (0..steps).map(|_| step(simulation)).map(|stats| (stats.time, stats.kinetic_energy)).collect()
}

/// A change of solver in mid-run causes no jump (SPlisHSPlasH issue 36): for 20 steps the kinetic energy stays within 1 % of
/// that without the change.
#[test]
fn the_solver_can_change_in_mid_run() {
    const MOMENT: f64 = 0.2;
    let mut wrong = Vec::new();
    for from in Method::ALL {
        let mut setup = dam_break(Dimensions::Two, 16);
        setup.parameters.solver.method = from;
        let mut arrived = simulation(&setup);
        while arrived.time() < MOMENT {
            step(&mut arrived);
        }
        let mut undisturbed = arrived.clone();
        let mut expected = Vec::new();
        while undisturbed.time() < MOMENT + 0.06 {
            expected.extend(energies(&mut undisturbed, 1));
        }
        for to in Method::ALL {
            let mut simulation = arrived.clone();
            switch(&mut simulation, to);
            for (time, energy) in energies(&mut simulation, 20) {
                let later = expected.partition_point(|&(at, _)| at < time).clamp(1, expected.len() - 1);
                let ((t0, e0), (t1, e1)) = (expected[later - 1], expected[later]);
                let expected = e0 + (e1 - e0) * (time - t0) / (t1 - t0);
                let jump = energy / expected - 1.0;
                if jump.abs() > 0.01 {
                    wrong.push(format!("{from:?} to {to:?}: {:+.1} % at {time:.4} s", 100.0 * jump));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
