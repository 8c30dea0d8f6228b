//! Terms of the equations against closed forms on a lattice, refused steps, particles that walls hold back, and the fixtures of all
//! tests of a step.

mod closed_flows;
mod forces;

use super::*;
use crate::boundary::{Container, Openings, Solid};
use crate::kernel::SmoothingKernel;
use crate::parameters::{
    Dimensions, FluidParameters, ForceParameters, GridParameters, HashFunction, KernelKind, Method, Preset, SolverParameters,
    StateEquation, Structure, TimeStepParameters, ViscosityModel, WallPressure, WallSampling, WcsphParameters,
};
use crate::particles::Particles;
use crate::report::Clock;
use crate::setup::{FluidBlock, InitialPressure};
use crate::solver::EquationOfState;
use crate::space::Wrap;
use crate::{StepError, TimeStepLimit};
use glam::{DVec3, Vec3};

const SPACING: f32 = 0.02;
const REST_DENSITY: f32 = 1000.0;
const SOUND_SPEED: f32 = 20.0;
/// Half the support radius of the setup below.
const SMOOTHING_LENGTH: f32 = 1.5 * SPACING;

/// A square of fluid of side 1 m in two dimensions, without walls, gravity or any dissipation.
fn square() -> Setup {
    Setup {
        discretization: Discretization {
            dimensions: Dimensions::Two,
            particle_spacing: SPACING,
            kernel: KernelKind::WendlandC2,
            support_radius: 2.0 * SMOOTHING_LENGTH,
            rest_density: REST_DENSITY,
        },
        parameters: Parameters {
            fluid: FluidParameters {
                sound_speed: SOUND_SPEED,
                kinematic_viscosity: 0.0,
                viscosity_model: ViscosityModel::Morris,
                artificial_viscosity: 0.0,
                density_diffusion: 0.0,
            },
            forces: ForceParameters::default(),
            gravity: Vec3::ZERO,
            time_step: TimeStepParameters { max_dt: 1e-3, ..TimeStepParameters::default() },
            grid: GridParameters {
                structure: Structure::SpatialHash,
                table_size: 997,
                cell_size: 2.0 * SMOOTHING_LENGTH,
                hash: HashFunction::Muller,
                bucket_capacity: 1,
            },
            solver: SolverParameters {
                wcsph: WcsphParameters { acoustic_damping: 0.0, acoustic_steps: 1, ..WcsphParameters::default() },
                ..SolverParameters::default()
            },
            ..Parameters::default()
        },
        curves: Vec::new(),
        fluids: Vec::new(),
        blocks: vec![FluidBlock {
            min: Vec3::ZERO,
            max: Vec3::new(1.0, 1.0, 0.0),
            velocity: Vec3::ZERO,
            initial_pressure: InitialPressure::Zero,
            ..FluidBlock::default()
        }],
        particle_sets: Vec::new(),
        containers: Vec::new(),
        joints: Vec::new(),
        external_forces: Vec::new(),
        bodies: Vec::new(),
        domain: Domain::default(),
        openings: Openings::default(),
        wall_sampling: WallSampling::Layers,
        points: None,
    }
}

/// One evaluation of the equations for fields of velocity (m/s) and density (kg/m³), at particles with full support.
struct Probe {
    simulation: Simulation,
    density_before: Vec<f32>,
}

/// Age of the densities, s, in tests of density rates. In other tests it is 0, so that the pressure is that of the given
/// density.
const DT: f32 = 1e-3;

impl Probe {
    fn new(setup: &Setup, dt: f32, velocity: impl Fn(Vec3) -> Vec3, density: impl Fn(Vec3) -> f32) -> Self {
        let mut simulation = Simulation::new(setup).expect("a valid setup");
        simulation.sort_particles();
        let particles = &mut simulation.state.particles;
        for (index, &position) in particles.positions.iter().enumerate() {
            particles.velocities[index] = velocity(position);
            particles.densities[index] = density(position);
        }
        let density_before = particles.densities.clone();
        simulation.state.density_age = dt;
        let mut phases = Clock::default();
        simulation.find_neighbors(&mut phases).expect("an unbounded structure");
        simulation.solve(&mut phases, None);
        Self { simulation, density_before }
    }

    /// Compares `actual(i)` with `expected(x)` at every particle more than a support radius inside the square. The largest
    /// difference must not exceed `tolerance` times the largest expected value.
    fn compare(&self, name: &str, tolerance: f32, actual: impl Fn(usize) -> f32, expected: impl Fn(Vec3) -> f32) {
        let (mut scale, mut difference, mut count) = (0.0f32, 0.0f32, 0);
        for (index, &x) in self.simulation.state.particles.positions.iter().enumerate() {
            let inside = |coordinate: f32| (2.5 * SMOOTHING_LENGTH..1.0 - 2.5 * SMOOTHING_LENGTH).contains(&coordinate);
            if inside(x.x) && inside(x.y) {
                scale = scale.max(expected(x).abs());
                difference = difference.max((actual(index) - expected(x)).abs());
                count += 1;
            }
        }
        assert!(count > 1000, "{count} particles inside");
        assert!(difference <= tolerance * scale, "{name}: off by {difference:e} where {scale:e} is expected");
    }

    /// dρ/dt of particle i, kg/(m³ s).
    fn density_rate(&self, i: usize) -> f32 {
        (self.simulation.state.particles.densities[i] - self.density_before[i]) / DT
    }

    fn acceleration(&self, i: usize) -> Vec3 {
        let Solver::Wcsph(solver) = &self.simulation.solver else { panic!("another solver") };
        solver.accelerations()[i]
    }
}

#[test]
fn continuity_is_the_divergence() {
    let velocity = |x: Vec3| Vec3::new(0.3 * x.x, -0.1 * x.y, 0.0);
    let probe = Probe::new(&square(), DT, velocity, |_| REST_DENSITY);
    probe.compare("-ρ ∇·v", 0.01, |i| probe.density_rate(i), |_| -REST_DENSITY * 0.2);
}

#[test]
fn a_pressure_gradient_accelerates_against_itself() {
    let state = EquationOfState::new(StateEquation::Tait, REST_DENSITY, SOUND_SPEED);
    let probe = Probe::new(&square(), 0.0, |_| Vec3::ZERO, |x| state.density(500.0 + 300.0 * x.x));
    probe.compare("-∇p/ρ along x", 0.02, |i| probe.acceleration(i).x, |_| -0.3);
    probe.compare("-∇p/ρ along y", 0.02, |i| probe.acceleration(i).y + 0.3, |_| 0.3);
}

#[test]
fn walls_compress_approaching_fluid() {
    let mut setup = square();
    setup.containers.push(Container { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0), ..Container::default() });
    let velocity = Vec3::new(-0.5, 0.0, 0.0);
    let probe = Probe::new(&setup, DT, |_| velocity, |_| REST_DENSITY);
    let Simulation { state: State { particles, .. }, walls, kernel, .. } = &probe.simulation;
    let mut strongest = 0.0f32;
    for (i, &position) in particles.positions.iter().enumerate() {
        let approach = |(&wall, &volume): (&Vec3, &f32)| volume * velocity.dot(kernel.grad_w(position - wall));
        let expected: f32 = walls.positions.iter().zip(&walls.volumes).map(approach).sum::<f32>() * REST_DENSITY;
        // The rate is a difference of two densities with rounding errors of 6e-5 kg/m³.
        assert!((probe.density_rate(i) - expected).abs() < 0.2 + 1e-3 * expected.abs(), "{position}: {expected}");
        if position.x < SPACING && (position.y - 0.5).abs() < 0.3 {
            strongest = strongest.max(expected);
        }
    }
    assert!(strongest > 1000.0, "the wall that the fluid runs into compresses it: {strongest}");
}

#[test]
fn walls_continue_the_hydrostatic_pressure() {
    let mut setup = square();
    setup.parameters.gravity.y = -9.81;
    setup.blocks[0].initial_pressure = InitialPressure::Hydrostatic;
    setup.containers.push(Container { min: Vec3::ZERO, max: Vec3::new(1.0, 1.2, 0.0), ..Container::default() });
    let state = EquationOfState::new(StateEquation::Tait, REST_DENSITY, SOUND_SPEED);
    let hydrostatic = |y: f32| REST_DENSITY * 9.81 * (1.0 - y);
    let probe = Probe::new(&setup, 0.0, |_| Vec3::ZERO, |x| state.density(hydrostatic(x.y)));
    let walls = &probe.simulation.walls;
    let floor = walls
        .positions
        .iter()
        .zip(&walls.pressures)
        .filter(|(x, _)| x.y < 0.0 && x.y > -2.0 * SPACING && (x.x - 0.5).abs() < 0.3);
    let mut count = 0;
    for (position, &pressure) in floor {
        let expected = hydrostatic(position.y);
        assert!((pressure / expected - 1.0).abs() < 0.01, "{pressure} Pa at {position}, not {expected}");
        count += 1;
    }
    assert_eq!(count, 60);
    assert!(
        walls.positions.iter().zip(&walls.pressures).all(|(x, &pressure)| x.y < 1.1 || pressure == 0.0),
        "no fluid, no pressure"
    );
}

#[test]
fn the_report_agrees_with_the_particles() {
    let mut setup = square();
    setup.parameters.gravity.y = -9.81;
    setup.blocks[0].velocity = Vec3::new(0.3, 0.4, 0.0);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let stats = simulation.step();
    let particles = simulation.particles();
    let mass = f64::from(simulation.particle_mass());
    let kinetic: f64 = particles.velocities.iter().map(|v| 0.5 * mass * v.as_dvec3().length_squared()).sum();
    let potential: f64 = particles.positions.iter().map(|x| mass * 9.81 * x.as_dvec3().dot(DVec3::Y)).sum();
    let speed = particles.velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
    let excess = particles.densities.iter().map(|density| f64::from((density / REST_DENSITY - 1.0).max(0.0)));
    assert!((stats.kinetic_energy / kinetic - 1.0).abs() < 1e-6);
    assert!((stats.potential_energy / potential - 1.0).abs() < 1e-6);
    assert_eq!(stats.max_speed, speed);
    assert!((f64::from(stats.density_error) - excess.clone().sum::<f64>() / particles.len() as f64).abs() < 1e-9);
    assert!((f64::from(stats.max_density_error) - excess.fold(0.0, f64::max)).abs() < 1e-9);
    // A square metre of water.
    assert!((mass * particles.len() as f64 / 1000.0 - 1.0).abs() < 0.01);
}

/// Far from the origin slow fluid moves less in a step than the resolution of positions; compensation keeps the displacement.
#[test]
fn slow_fluid_moves_far_from_the_origin() {
    let mut setup = square();
    let block = &mut setup.blocks[0];
    let offset = 100.0 * setup.discretization.support_radius;
    (block.min, block.max) = (Vec3::new(offset, offset, 0.0), Vec3::new(offset + 0.2, offset + 0.2, 0.0));
    block.velocity = Vec3::new(2e-5, -3e-5, 0.0);
    setup.parameters.time_step.max_dt = 1e-4;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let start = simulation.state.particles.positions_by_id();
    for _ in 0..500 {
        assert_eq!(simulation.step().error, None);
    }
    let expected = simulation.time() as f32 * setup.blocks[0].velocity;
    // Half the distance of neighbouring floats at 6 m.
    let resolution = 2.4e-7;
    assert!(2e-5 * 1e-4 < 0.1 * resolution, "steps below the resolution");
    for (position, start) in simulation.state.particles.positions_by_id().iter().zip(&start) {
        let displacement = *position - *start;
        assert!((displacement - expected).abs().max_element() <= 1.01 * resolution, "{displacement} instead of {expected}");
    }
}

// Invalid states: the step is refused, and the particles stay where they are.

/// Error of a step from a state in which one particle has been corrupted, and the id of that particle.
fn error_after(tamper: impl FnOnce(&mut Particles, usize)) -> (Option<StepError>, u32) {
    let mut simulation = Simulation::new(&square()).expect("a valid setup");
    simulation.step();
    let victim = 1234;
    let id = simulation.state.particles.ids[victim];
    tamper(&mut simulation.state.particles, victim);
    let before = simulation.state.particles.positions_by_id();
    let error = simulation.step().error;
    let bits = |positions: Vec<Vec3>| positions.into_iter().map(|x| x.to_array().map(f32::to_bits)).collect::<Vec<_>>();
    assert_eq!(bits(simulation.state.particles.positions_by_id()), bits(before), "a refused step moved particles");
    (error, id)
}

#[test]
fn non_finite_states_are_refused() {
    let (error, _) = error_after(|particles, i| particles.densities[i] = f32::NAN);
    assert!(matches!(error, Some(StepError::NonFinite { .. })), "{error:?}");
    let (error, _) = error_after(|particles, i| particles.velocities[i].x = f32::INFINITY);
    assert!(matches!(error, Some(StepError::NonFinite { .. })), "{error:?}");
    let (error, id) = error_after(|particles, i| particles.positions[i].y = f32::NAN);
    assert!(matches!(error, Some(StepError::NonFinite { particle_id, .. }) if particle_id == id), "{error:?}");
}

#[test]
fn a_negative_density_is_refused() {
    let (error, id) = error_after(|particles, i| particles.densities[i] = -5.0);
    assert!(matches!(error, Some(StepError::Density { particle_id, .. }) if particle_id == id), "{error:?}");
}

#[test]
fn a_vanishing_time_step_is_refused() {
    // A square of a hundredth of the side, a trillion times as viscous as water.
    let mut setup = square();
    let Setup { discretization, parameters, blocks, .. } = &mut setup;
    for length in [&mut discretization.particle_spacing, &mut discretization.support_radius, &mut parameters.grid.cell_size] {
        *length *= 0.01;
    }
    blocks[0].max *= 0.01;
    parameters.fluid.kinematic_viscosity = 1e6;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let stats = simulation.step();
    assert!(matches!(stats.error, Some(StepError::Stalled { dt }) if dt < 1e-12), "{:?}", stats.error);
    assert_eq!((stats.dt_limit, stats.step), (TimeStepLimit::Viscous, 0));
}

#[test]
fn a_domain_too_large_for_the_uniform_grid_is_refused() {
    let mut setup = square();
    setup.parameters.grid.structure = Structure::UniformGrid;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.state.particles.positions[0] = Vec3::new(1e5, 1e5, 0.0);
    let error = simulation.step().error;
    assert!(matches!(error, Some(StepError::Search(_))), "{error:?}");
    let mut parameters = *simulation.parameters();
    parameters.grid.structure = Structure::SpatialHash;
    simulation.set_parameters(parameters).expect("valid parameters");
    assert_eq!(simulation.step().error, None, "another structure has no such limit");
}

#[test]
fn a_step_that_would_throw_a_particle_is_made_again_up_to_three_times() {
    let mut simulation = Simulation::new(&square()).expect("a valid setup");
    let dt = simulation.step().dt;
    let support = simulation.discretization.support_radius;
    // Alone, so that no approach limits the step.
    let throw = |simulation: &mut Simulation, supports: f32| {
        simulation.state.particles.positions[7] = Vec3::new(9.0, 9.0, 0.0);
        simulation.state.particles.velocities[7] = Vec3::new(supports * support / dt, 0.0, 0.0);
        simulation.step()
    };
    for (supports, shorter) in [(0.3, 0.25), (1.2, 0.0625)] {
        let stats = throw(&mut simulation.clone(), supports);
        assert_eq!((stats.error, stats.dt_limit), (None, TimeStepLimit::Retry));
        assert!((stats.dt / (shorter * dt) - 1.0).abs() < 0.05, "{} s after {dt} s", stats.dt);
    }
    assert!(matches!(throw(&mut simulation.clone(), 64.0).error, Some(StepError::Runaway { .. })));
    let mut fixed = *simulation.parameters();
    fixed.time_step.fixed_dt = Some(dt);
    simulation.set_parameters(fixed).expect("valid parameters");
    assert!(matches!(throw(&mut simulation, 1.0).error, Some(StepError::Runaway { .. })), "a fixed length is kept");
}

/// Two blocks that meet, each with 1 m/s: a step of 0.7 spacings takes particles from 1.9 spacings to half a spacing, where the kernel's slope
/// at 1.9 foretells little of what becomes of it.
fn meeting_blocks(method: Method) -> Setup {
    let mut setup = square();
    Preset::Live.apply(&mut setup.parameters);
    setup.parameters.solver.method = method;
    setup.parameters.time_step.max_dt = 1.0;
    setup.discretization.support_radius = 2.0 * SPACING;
    let block = setup.blocks[0].clone();
    let shift = (block.max.x - block.min.x + 0.9 * SPACING) * Vec3::X;
    setup.blocks.push(FluidBlock { min: block.min + shift, max: block.max + shift, ..block });
    [setup.blocks[0].velocity, setup.blocks[1].velocity] = [Vec3::X, Vec3::NEG_X];
    setup
}

#[test]
fn a_long_step_that_would_compress_fluid_is_made_again() {
    let (setup, long) = (meeting_blocks(Method::Iisph), 0.7 * SPACING);
    let meet = |fixed_dt: Option<f32>| {
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let mut parameters = setup.parameters;
        parameters.time_step.fixed_dt = fixed_dt;
        simulation.set_parameters(parameters).expect("valid parameters");
        let first = simulation.step();
        simulation.set_parameters(setup.parameters).expect("valid parameters");
        (first.dt / long, first.dt_limit, simulation.step().max_density_error)
    };
    let (factor, limit, compression) = meet(Some(long));
    assert_eq!((factor, limit), (1.0, TimeStepLimit::Fixed), "a fixed length is kept");
    assert!(compression > 0.08, "{compression}");
    let (factor, limit, compression) = meet(None);
    assert_eq!(limit, TimeStepLimit::Retry);
    assert!((factor - 0.7).abs() < 1e-5 && compression < 0.08, "{compression} after {factor} of the length");
}

/// A step that is made again has the bits of one that was never longer: all that the first attempt changed is restored.
#[test]
fn a_step_made_again_leaves_no_trace_of_the_first_attempt() {
    for method in [Method::Iisph, Method::Dfsph] {
        let mut simulation = Simulation::new(&meeting_blocks(method)).expect("a valid setup");
        let mut retries = 0;
        for _ in 0..20 {
            let mut other = simulation.clone();
            let stats = simulation.step();
            if stats.dt_limit == TimeStepLimit::Retry {
                retries += 1;
                let mut parameters = *other.parameters();
                parameters.time_step.max_dt = stats.dt;
                other.set_parameters(parameters).expect("valid parameters");
                assert_eq!(other.step().dt, stats.dt);
                assert!(other.particles() == simulation.particles(), "{method:?}, step {}", stats.step);
            }
        }
        assert!(retries >= 1, "{method:?}");
    }
}

// The account of particles that walls hold back.

/// Fluid too soft to be stopped by pressure is held at a wall, which feels what holds it.
#[test]
fn a_held_particle_is_counted_with_its_impulse() {
    let mut setup = square();
    setup.parameters.fluid.sound_speed = 1e-3;
    setup.blocks[0].max = Vec3::new(SPACING, SPACING, 0.0);
    setup.blocks[0].velocity = Vec3::new(0.5, -3.0, 0.0);
    setup.parameters.time_step.fixed_dt = Some(1e-3);
    setup.containers.push(Container::new(Vec3::new(-0.5, -0.005, 0.0), Vec3::ONE));
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.set_wall_reaction(true);
    let mut held = 0.0;
    for _ in 0..10 {
        let stats = simulation.step();
        assert_eq!(stats.error, None);
        let contact = simulation.reactions.of(Solid::Walls).expect("it is wanted").contact;
        assert!((contact + stats.held_force * DVec3::Y).length() <= 1e-6 * stats.held_force, "{contact} N, not {stats:?}");
        assert_eq!(stats.held_particles, usize::from(stats.held_force > 0.0));
        held += stats.held_force * f64::from(stats.dt);
    }
    let impulse = f64::from(3.0 * simulation.particle_mass());
    assert!((0.999 * impulse..1.001 * impulse).contains(&held), "{held} of {impulse} N s/m");
    assert!(simulation.particles().velocities[0].y > -1e-3, "it came to rest");
}

/// The extrapolated pressure bears a column of still water: beside a single layer all but the two particles in the corners, whose
/// neighbourhood it cannot stand for. One-sided walls need help.
#[test]
fn the_default_wall_holds_still_water_by_pressure_alone() {
    let most_held = |walls, sampling| {
        let mut setup = square();
        setup.parameters.solver.walls = walls;
        setup.wall_sampling = sampling;
        setup.parameters.gravity = Vec3::new(0.0, -9.81, 0.0);
        setup.parameters.fluid.artificial_viscosity = 0.1;
        setup.parameters.fluid.density_diffusion = 0.1;
        setup.blocks[0].max = Vec3::new(0.4, 0.4, 0.0);
        setup.blocks[0].initial_pressure = InitialPressure::Hydrostatic;
        setup.containers.push(Container::new(Vec3::ZERO, Vec3::new(0.4, 0.8, 0.0)));
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let steps = std::iter::from_fn(|| Some(simulation.step())).take(600);
        steps.fold(0, |most, stats| {
            assert_eq!(stats.error, None);
            // The pressure at the bottom compresses the fluid by 1 %; beside one-sided walls it is twice that.
            assert!(stats.max_density_error < 0.02 || walls == WallPressure::OneSided, "{walls:?} {sampling:?}: {stats:?}");
            most.max(stats.held_particles)
        })
    };
    assert_eq!(most_held(WallPressure::Extrapolated, WallSampling::Layers), 0);
    assert_eq!(most_held(WallPressure::Extrapolated, WallSampling::Analytic), 0);
    assert!(most_held(WallPressure::Extrapolated, WallSampling::SingleLayer) <= 2);
    assert!(most_held(WallPressure::OneSided, WallSampling::Layers) > 10);
}
