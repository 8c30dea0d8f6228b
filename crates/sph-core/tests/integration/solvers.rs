//! Every pressure solver: still water, dam breaks, convergence, momentum, a change of solver in mid-run; sound and splashes in WCSPH;
//! DFSPH with pressure of either sign; steps that are refused.

use crate::common::{colliding_blocks, dam_break, setup, sum_of_velocities};
use glam::{BVec3, Vec3};
use sph_core::*;
use std::f64::consts::{PI, TAU};

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

/// Still water repeats the pressures of the step before.
#[test]
fn a_warm_start_saves_iterations() {
    for method in [Method::Iisph, Method::Dfsph] {
        let iterations = |warm_start: f32| {
            let mut setup = still_water(15);
            setup.parameters.solver.method = method;
            setup.parameters.solver.warm_start = warm_start;
            let mut simulation = simulation(&setup);
            (0..60).map(|_| step(&mut simulation).density_solve.iterations).sum::<u32>()
        };
        let [cold, usual, warm] = [0.0, 0.5, 0.6].map(iterations);
        assert!(warm < usual && usual < cold, "{method:?}: {cold} {usual} {warm}");
    }
}

/// Still water of any depth takes few iterations with a coarse-grid correction, and has the pressure of its weight.
#[test]
fn a_coarse_correction_saves_iterations_in_deep_water() {
    for method in [Method::Iisph, Method::Dfsph] {
        let run = |rows: u16, coarse_correction: CoarseCorrection| {
            let mut setup = still_water(rows);
            setup.parameters.solver.method = method;
            setup.parameters.solver.coarse_correction = coarse_correction;
            let mut simulation = simulation(&setup);
            let iterations = (0..60).map(|_| step(&mut simulation).density_solve.iterations).sum::<u32>() as f32 / 60.0;
            // The criteria of the case `still_water`.
            let (bed, error) = hydrostatics(&simulation);
            assert!((0.97..1.03).contains(&bed) && error < 0.05, "{method:?}, {rows} rows: bed {bed}, error {error}");
            iterations
        };
        let found = [15, 30].map(|rows| (run(rows, CoarseCorrection::On), run(rows, CoarseCorrection::Off)));
        let [(shallow, without), (deep, deep_without)] = found;
        assert!(shallow < 8.0 && deep < 8.0 && deep < 0.5 * deep_without && without < deep_without, "{method:?}: {found:?}");
    }
}

#[test]
fn nothing_is_corrected_without_iterations_to_smooth_it() {
    let run = |coarse_correction: CoarseCorrection| {
        let mut setup = still_water(10);
        setup.parameters.solver.method = Method::Dfsph;
        setup.parameters.solver.coarse_correction = coarse_correction;
        setup.parameters.solver.dfsph.max_iterations = 3;
        let mut simulation = simulation(&setup);
        let iterations = (0..10).map(|_| step(&mut simulation).density_solve.iterations).sum::<u32>();
        (iterations, simulation.particles().positions.clone(), simulation.particles().pressures.clone())
    };
    assert!(run(CoarseCorrection::On) == run(CoarseCorrection::Off));
}

#[test]
fn periodic_fluid_is_not_corrected_on_a_coarse_grid() {
    let places = |coarse_correction: CoarseCorrection| {
        let max = Vec3::new(1.0, 1.0, 0.0);
        let field = VelocityField::TaylorGreen { speed: 1.0, wavelength: 1.0 };
        let block = FluidBlock { max, field, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
        let mut setup = setup(Dimensions::Two, 0.05, vec![block], Vec::new());
        setup.domain = Domain { periodic: BVec3::TRUE, min: Vec3::ZERO, max };
        setup.parameters.gravity = Vec3::ZERO;
        setup.parameters.solver.method = Method::Dfsph;
        setup.parameters.solver.coarse_correction = coarse_correction;
        let mut simulation = simulation(&setup);
        let iterations = (0..20).map(|_| step(&mut simulation).density_solve.iterations).sum::<u32>();
        (iterations, simulation.particles().positions.clone())
    };
    assert_eq!(places(CoarseCorrection::On), places(CoarseCorrection::Off));
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
    for (tenths, method) in (8..=45u8).zip([Method::Wcsph, Method::Dfsph].into_iter().cycle()) {
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

/// A column of 12 × 16 × 8 particles with the preset *live*, whose longest step the user has raised. Without the limit of waves, steps reach
/// 20 ms, single particles are compressed by 71 %, and 5.3 % are the mean.
#[test]
fn long_steps_do_not_crush_a_column() {
    let block = FluidBlock::new(Vec3::ZERO, Vec3::new(0.3, 0.4, 0.2));
    let tank = Container { min: Vec3::ZERO, max: Vec3::new(0.9, 0.6, 0.2), ..Container::default() };
    let mut setup = setup(Dimensions::Three, 0.025, vec![block], vec![tank]);
    Preset::Live.apply(&mut setup.parameters);
    setup.parameters.time_step.max_dt = 0.03;
    let mut simulation = simulation(&setup);
    // The particle centres span 0.375 m.
    let longest = 0.75 * 0.025 / (9.81f32 * 0.375).sqrt();
    let first = step(&mut simulation);
    assert_eq!(first.dt_limit, TimeStepLimit::Waves);
    assert!((first.dt / longest - 1.0).abs() < 1e-4, "{}", first.dt);
    while simulation.time() < 0.4 {
        let stats = step(&mut simulation);
        assert!(stats.density_error < 0.01 && stats.max_density_error < 0.25, "{stats:?}");
    }
}

/// A column of water that falls as a block onto a floor which it fills, with the kernel and support radius of a scene that names
/// none: it arrives at 2 m/s, stops, and stays down. When the push of walls could add any energy, it flew off with more than twice
/// the energy that it had, at 17 to 26 m/s.
#[test]
fn an_impact_does_not_gain_energy() {
    for method in [Method::Dfsph, Method::Iisph, Method::Pcisph] {
        let block = FluidBlock {
            initial_pressure: InitialPressure::Zero,
            ..FluidBlock::new(Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.2, 0.7, 0.0))
        };
        let tank = Container { min: Vec3::ZERO, max: Vec3::new(0.2, 1.4, 0.0), ..Container::default() };
        let mut setup = setup(Dimensions::Two, 0.02, vec![block], vec![tank]);
        setup.parameters.solver.method = method;
        let mut simulation = simulation(&setup);
        let (mut before, mut lowest, mut rise) = (f64::INFINITY, f64::INFINITY, 0.0f64);
        while simulation.time() < 0.3 {
            let stats = step(&mut simulation);
            let energy = stats.kinetic_energy + stats.potential_energy;
            // Of 445 J.
            assert!(energy < before + 25.0, "{method:?}: {energy} J after {before} J at {} s", stats.time);
            // What escapes at the corners is faster than the column.
            assert!(stats.max_speed < 10.0, "{method:?}: {} m/s at {} s", stats.max_speed, stats.time);
            before = energy;
            lowest = lowest.min(stats.potential_energy);
            rise = rise.max(stats.potential_energy - lowest);
        }
        // Over the energy of the fall, of 100 kg/m by 0.2 m.
        assert!(rise < 0.1 * 100.0 * 9.81 * 0.2, "{method:?}: {rise} J");
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
        setup.parameters.fluid.kinematic_viscosity = 1e-3;
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
    // Each pair of values once.
    for (index, diffusion) in DensityDiffusion::ALL.into_iter().enumerate() {
        for (number, equation_of_state) in StateEquation::ALL.into_iter().enumerate() {
            let integration = Integration::ALL[(index + number) % 2];
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

#[test]
fn dam_break_keeps_its_particles_inside() {
    for (dimensions, rows, steps) in [(Dimensions::Two, 24, 2000), (Dimensions::Three, 12, 1000)] {
        let setup = dam_break(dimensions, rows);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let front_before = front(&simulation);
        for _ in 0..steps {
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            let tank = &simulation.containers()[0];
            for &position in &simulation.particles().positions {
                let inside = position.cmpge(tank.min).all() && position.cmple(tank.max).all();
                assert!(inside, "{position} at t = {} s", stats.time);
            }
        }
        let particles = simulation.particles();
        let finite = particles.velocities.iter().all(|v| v.is_finite()) && particles.densities.iter().all(|d| d.is_finite());
        assert!(finite);
        // All particles have the same mass, so mass is conserved if no particle is lost.
        let mut ids = particles.ids.clone();
        ids.sort_unstable();
        assert!(ids.iter().copied().eq(0..particles.len() as u32), "particles were lost");
        assert!(front(&simulation) > 2.0 * front_before, "the column did not collapse");
    }
}

/// Largest x of the fluid, m.
fn front(simulation: &Simulation) -> f32 {
    simulation.particles().positions.iter().fold(0.0, |front, position| front.max(position.x))
}

/// Still water that fills a third of a tank stays at rest, with hydrostatic pressure at the floor.
#[test]
fn still_water_stays_at_rest() {
    // Two dimensions are a case of validation.
    let dimensions = Dimensions::Three;
    let size = Vec3::new(0.8, 0.4, 0.4);
    let block = FluidBlock { max: size, initial_pressure: InitialPressure::Hydrostatic, ..FluidBlock::default() };
    let tank = Container { min: Vec3::ZERO, max: size.with_y(1.2), ..Container::default() };
    let mut setup = setup(dimensions, 0.04, vec![block], vec![tank]);
    setup.parameters.fluid.sound_speed = 28.0;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    while simulation.time() < 0.5 {
        assert_eq!(simulation.step().error, None);
    }
    let particles = simulation.particles();
    // At first the lattice at the walls rearranges into a denser packing; nothing may move faster than that.
    let scale = (9.81f32 * 0.4).sqrt();
    let speed = particles.velocities.iter().map(|v| v.length()).fold(0.0, f32::max) / scale;
    let energy: f32 = particles.velocities.iter().map(|v| v.length_squared()).sum();
    let rms = (energy / particles.len() as f32).sqrt() / scale;
    assert!(speed < 0.1 && rms < 0.02, "{dimensions:?}: water moves at {speed} sqrt(gH), {rms} rms");
    let (mut ratio, mut count) = (0.0, 0);
    for (position, pressure) in particles.positions.iter().zip(&particles.pressures) {
        if position.y < 0.1 {
            ratio += pressure / (1000.0 * 9.81 * (0.4 - position.y));
            count += 1;
        }
    }
    let ratio = ratio / count as f32;
    assert!((ratio - 1.0).abs() < 0.06, "{dimensions:?}: pressure near the floor is {ratio} of the hydrostatic");
    let height = particles.positions.iter().map(|position| position.y).fold(0.0, f32::max);
    assert!((height - 0.38).abs() < 0.01, "{dimensions:?}: the surface stands at {height} m");
}

/// A block far too fast for its time step: the step is refused, the state is kept, and the error names the particle.
#[test]
fn a_step_with_a_runaway_particle_is_refused() {
    let mut setup = dam_break(Dimensions::Two, 12);
    setup.containers.clear();
    setup.blocks[0].velocity.x = 1e6;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let before = simulation.particles().positions_by_id();
    let stats = simulation.step();
    let error = stats.error.expect("a step error");
    assert!(matches!(error, StepError::Runaway { .. }), "{error}");
    assert!(error.to_string().contains("particle"), "{error}");
    assert_eq!((stats.step, stats.time), (0, 0.0));
    assert_eq!(simulation.particles().positions_by_id(), before);

    let kept = simulation.particles().clone();
    assert_eq!(simulation.step().error, Some(error));
    assert_eq!(simulation.particles(), &kept);
}

/// Length of the periodic box, m.
const LENGTH: f32 = 1.0;

/// Fluid without viscosity in a periodic box, with the speed `speed(x)` along `direction`, m/s.
fn wave(direction: Vec3, damping: f32, speed: impl Fn(f32) -> f32) -> Simulation {
    let max = Vec3::new(LENGTH, 0.3, 0.0);
    let block = FluidBlock { min: Vec3::ZERO, max, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
    let mut setup = setup(Dimensions::Two, 0.02, vec![block], Vec::new());
    setup.discretization.support_radius = 2.6 * setup.discretization.particle_spacing;
    setup.parameters.grid.cell_size = setup.discretization.support_radius;
    setup.domain = Domain { periodic: BVec3::TRUE, min: Vec3::ZERO, max };
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.fluid.kinematic_viscosity = 0.0;
    setup.parameters.fluid.artificial_viscosity = 0.0;
    setup.parameters.fluid.density_diffusion = 0.0;
    setup.parameters.solver.wcsph.negative_pressure = NegativePressure::TensileControl;
    setup.parameters.solver.wcsph.acoustic_damping = damping;
    let mut state = Simulation::new(&setup).expect("a valid setup").state().clone();
    for (velocity, position) in state.particles.velocities.iter_mut().zip(&state.particles.positions) {
        *velocity = speed(position.x) * direction;
    }
    Simulation::from_state(&setup, state).expect("a valid state")
}

/// Kinetic energy after each step until `time`, s.
fn kinetic_energies(mut simulation: Simulation, time: f64) -> Vec<f64> {
    let mut energies = Vec::new();
    while simulation.time() < time {
        let stats = simulation.step();
        assert_eq!(stats.error, None);
        energies.push(stats.kinetic_energy);
    }
    energies
}

/// Each maximum of the kinetic energy of a wave over the one before it is `exp(−γ π/ω′)`, with `γ = α₂ c₀ h k²` and
/// `ω′² = c₀²k² − γ²/4`.
#[test]
fn the_damper_takes_the_energy_of_sound_at_the_rate_of_its_bulk_viscosity() {
    let (sound_speed, h, wave_number) = (30.0, 1.3 * 0.02, TAU / f64::from(LENGTH));
    for damping in [0.5, 1.0, 2.0] {
        let sound = wave(Vec3::X, damping, |x| 0.05 * (TAU as f32 * x / LENGTH).sin());
        let energies = kinetic_energies(sound, 0.06);
        let maxima: Vec<f64> = energies.windows(3).filter(|e| e[1] > e[0] && e[1] >= e[2]).map(|e| e[1]).collect();
        let rate = f64::from(damping) * sound_speed * h * wave_number * wave_number;
        let frequency = ((sound_speed * wave_number).powi(2) - 0.25 * rate * rate).sqrt();
        let expected = (-rate * PI / frequency).exp();
        assert!(maxima.len() >= 2, "{damping}: {maxima:?}");
        for pair in maxima.windows(2).take(2) {
            let found = pair[1] / pair[0];
            assert!((found / expected - 1.0).abs() < 0.05, "{damping}: {found}, expected {expected}");
        }
    }
}

#[test]
fn the_damper_leaves_shear_alone() {
    let energy = |damping| {
        let shear = wave(Vec3::Y, damping, |x| 0.05 * (TAU as f32 * x / LENGTH).sin());
        kinetic_energies(shear, 0.1).last().copied().expect("a step")
    };
    let (free, damped) = (energy(0.0), energy(2.0));
    assert!((damped / free - 1.0).abs() < 1e-3, "{free} J and {damped} J");
}

/// Splashes leave clusters of particles half a spacing apart, which are of the rest density by the continuity equation. The damper must not
/// throw them apart: a step that overshoots would make their energy thousands of times as large within two steps.
#[test]
fn a_cluster_closer_than_a_lattice_is_not_thrown_apart() {
    for kernel in [KernelKind::CubicSpline, KernelKind::WendlandC2] {
        let spacing = 0.02;
        let (min, max) = (Vec3::splat(0.2), Vec3::new(0.24, 0.24, 0.26));
        let block = FluidBlock { min, max, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
        let mut setup = setup(Dimensions::Three, spacing, vec![block], Vec::new());
        setup.discretization.kernel = kernel;
        setup.discretization.support_radius = 2.6 * spacing;
        setup.parameters.grid.cell_size = setup.discretization.support_radius;
        setup.parameters.gravity = Vec3::ZERO;
        let mut state = Simulation::new(&setup).expect("a valid setup").state().clone();
        let particles = &mut state.particles;
        assert_eq!(particles.len(), 12);
        for (position, velocity) in particles.positions.iter_mut().zip(&mut particles.velocities) {
            let center = Vec3::new(0.22, 0.22, 0.23);
            let from_center = *position - center;
            *position = center + 0.5 * from_center;
            // Towards the centre and around it, with 0.06 m/s at most.
            *velocity = -2.0 * from_center + Vec3::Z.cross(from_center);
        }
        let sum_of_squares: f64 = particles.velocities.iter().map(|velocity| f64::from(velocity.length_squared())).sum();
        let mut simulation = Simulation::from_state(&setup, state).expect("a valid state");
        let first = 0.5 * f64::from(spacing.powi(3)) * 1000.0 * sum_of_squares;
        for _ in 0..2 {
            let energy = step(&mut simulation).kinetic_energy;
            assert!(energy < 2.0 * first, "{kernel:?} at {} s: {energy} J after {first} J", simulation.time());
        }
    }
}

/// A drop of one particle, compressed in a splash: it has no neighbours to expand against, and expands as `exp(−c₀ t/h)`.
#[test]
fn spray_expands_in_the_time_of_sound() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let spacing = 0.04;
        let (min, max) = (Vec3::splat(0.2), Vec3::splat(0.2 + spacing));
        let block = FluidBlock { min, max, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
        let mut setup = setup(dimensions, spacing, vec![block], vec![Container::new(Vec3::ZERO, Vec3::ONE)]);
        setup.parameters.gravity = Vec3::ZERO;
        setup.parameters.time_step.max_dt = 2e-5;
        let mut state = Simulation::new(&setup).expect("a valid setup").state().clone();
        assert_eq!(state.particles.len(), 1);
        state.particles.densities[0] = 1100.0;
        let mut simulation = Simulation::from_state(&setup, state).expect("a valid state");
        let (sound_speed, h) = (30.0, f64::from(spacing));
        while simulation.time() < 4.0 * h / sound_speed {
            assert_eq!(simulation.step().error, None);
            // The density of a step is that of its beginning.
            let time = simulation.time() - f64::from(simulation.last_dt());
            let (found, expected) =
                (f64::from(simulation.particles().densities[0]), 1000.0 + 100.0 * (-sound_speed * time / h).exp());
            assert!((found - expected).abs() < 1.5, "{dimensions:?}, {time} s: {found} kg/m³, expected {expected}");
        }
    }
}

/// Taylor and Green's vortices without viscosity, in a periodic square of 1 m with 40² particles, speed 1 m/s.
fn vortices(pressure: PressureSign) -> Simulation {
    let block = FluidBlock {
        min: Vec3::ZERO,
        max: Vec3::new(1.0, 1.0, 0.0),
        initial_pressure: InitialPressure::Zero,
        field: VelocityField::TaylorGreen { speed: 1.0, wavelength: 1.0 },
        ..FluidBlock::default()
    };
    let mut setup = setup(Dimensions::Two, 0.025, vec![block], vec![]);
    setup.domain = Domain { periodic: BVec3::TRUE, min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 1.0) };
    setup.discretization.kernel = KernelKind::WendlandC2;
    setup.discretization.support_radius = 0.1;
    setup.parameters.grid.cell_size = 0.1;
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.fluid.kinematic_viscosity = 0.0;
    setup.parameters.fluid.artificial_viscosity = 0.0;
    setup.parameters.time_step.max_dt = 2e-3;
    signed(setup, pressure)
}

fn signed(mut setup: Setup, pressure: PressureSign) -> Simulation {
    setup.parameters.solver.method = Method::Dfsph;
    let dfsph = &mut setup.parameters.solver.dfsph;
    (dfsph.pressure, dfsph.divergence_tolerance) = (pressure, 1e-4);
    Simulation::new(&setup).expect("a valid setup")
}

fn advance(simulation: &mut Simulation, steps: usize) {
    for step in 0..steps {
        let stats = simulation.step();
        assert_eq!(stats.error, None, "step {step}");
    }
}

/// Slope of the pressure over the exact one, ¼ ρU² (cos 2kx + cos 2ky), and the part of its variance that the exact one explains.
fn fit_of_pressure(simulation: &Simulation) -> [f64; 2] {
    let particles = simulation.particles();
    let exact = |x: Vec3| f64::from(250.0 * ((2.0 * TAU as f32 * x.x).cos() + (2.0 * TAU as f32 * x.y).cos()));
    let count = particles.len() as f64;
    let mean = particles.pressures.iter().map(|&p| f64::from(p)).sum::<f64>() / count;
    let pairs = || particles.positions.iter().zip(&particles.pressures).map(|(&x, &p)| (exact(x), f64::from(p) - mean));
    let sum = |of: fn((f64, f64)) -> f64| pairs().map(of).sum::<f64>();
    let (both, of_exact, found) = (sum(|(e, p)| e * p), sum(|(e, _)| e * e), sum(|(_, p)| p * p));
    [both / of_exact, both * both / (of_exact * found)]
}

fn energy(simulation: &Simulation) -> f64 {
    simulation.particles().velocities.iter().map(|v| f64::from(v.length_squared())).sum()
}

#[test]
fn vortices_have_their_pressure_and_keep_their_energy() {
    let mut simulation = vortices(PressureSign::Signed);
    let before = energy(&simulation);
    advance(&mut simulation, 30);
    let [slope, explained] = fit_of_pressure(&simulation);
    assert!((slope - 1.0).abs() < 0.1 && explained > 0.95, "slope {slope}, explained {explained}");
    assert!(simulation.particles().pressures.iter().any(|&pressure| pressure < -200.0));
    let kept = energy(&simulation) / before;
    assert!((kept - 1.0).abs() < 0.01, "{kept} of the energy");
    let momentum = sum_of_velocities(&simulation).length() / simulation.particles().len() as f64;
    assert!(momentum < 1e-5, "mean velocity {momentum} m/s");
}

#[test]
fn pressure_that_only_pushes_is_never_negative() {
    let mut simulation = vortices(PressureSign::Positive);
    advance(&mut simulation, 10);
    assert!(simulation.particles().pressures.iter().all(|&pressure| pressure >= 0.0));
    let [_, explained] = fit_of_pressure(&simulation);
    assert!(explained < 0.95, "explained {explained}");
}

/// Columns that collapse and splash: positions alone keep the density.
#[test]
fn corrected_positions_keep_the_density() {
    for (dimensions, rows) in [(Dimensions::Two, 12), (Dimensions::Three, 6)] {
        let mut simulation = signed(dam_break(dimensions, rows), PressureSign::Signed);
        for step in 0..150 {
            let stats = simulation.step();
            assert_eq!(stats.error, None, "step {step}");
            assert!(stats.density_error < 2e-3, "step {step}: mean compression {}", stats.density_error);
        }
    }
}
