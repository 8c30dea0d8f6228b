//! Several fluids: interfaces at rest, conservation between fluids, and agreement with one fluid.

use crate::common::setup;
use glam::{BVec3, DVec3, Vec3};
use sph_core::*;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// A tank 1 m wide with 0.5 m of water and 0.5 m of oil on it.
fn layers(method: Method, densities: [f32; 2]) -> Setup {
    let block = |fluid: usize, low: f32| FluidBlock {
        min: Vec3::new(0.0, low, 0.0),
        max: Vec3::new(1.0, low + 0.5, 0.0),
        fluid,
        ..FluidBlock::default()
    };
    let container = Container { max: Vec3::new(1.0, 1.5, 0.0), ..Container::default() };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block(0, 0.0), block(1, 0.5)], vec![container]);
    let [water, oil] = densities;
    setup = setup.with_fluids(vec![Fluid::new("water", water), Fluid::new("oil", oil)]);
    setup.parameters.solver.method = method;
    setup
}

/// Hydrostatic pressure of the layers at a height, Pa.
fn hydrostatic([water, oil]: [f32; 2], height: f32) -> f32 {
    9.81 * (oil * (1.0 - height.max(0.5)) + water * (0.5 - height).max(0.0))
}

#[test]
fn layers_start_with_the_pressure_of_what_lies_on_them() {
    let densities = [1000.0, 800.0];
    let simulation = Simulation::new(&layers(Method::Wcsph, densities)).expect("a valid setup");
    let Particles { positions, pressures, densities: of_particles, fluids, .. } = simulation.particles();
    for (i, position) in positions.iter().enumerate() {
        let expected = hydrostatic(densities, position.y);
        assert!((pressures[i] - expected).abs() < 1.0, "{position}: {} Pa instead of {expected} Pa", pressures[i]);
        let rest = densities[usize::from(fluids[i])];
        assert!((1.0..1.02).contains(&(of_particles[i] / rest)), "{position}: {} kg/m³", of_particles[i]);
    }
}

#[test]
fn layers_stay_at_rest_with_every_solver() {
    // Oil on water is a case of validation.
    let densities = [1000.0, 100.0];
    let corrected = [Method::Dfsph, Method::Iisph].map(|method| (method, CoarseCorrection::On));
    for (method, correction) in Method::ALL.map(|method| (method, CoarseCorrection::Off)).into_iter().chain(corrected) {
        let mut setup = layers(method, densities);
        setup.parameters.solver.coarse_correction = correction;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let mut sums = Vec::new();
        while simulation.time() < 0.6 {
            let stats = simulation.step();
            assert!(stats.error.is_none(), "{method:?} {correction:?}: {:?}", stats.error);
            sums.push(simulation.particles().pressures.iter().map(|&p| f64::from(p)).sum::<f64>());
        }
        // The pressure that a solve finds must not swing from step to step (docs/adr/0039, 0041, 0045).
        if [Method::Dfsph, Method::Iisph, Method::Pcisph].contains(&method) {
            let last = &sums[sums.len() - 50..];
            let mean = last.iter().sum::<f64>() / 50.0;
            let deviation = (last.iter().map(|sum| (sum - mean).powi(2)).sum::<f64>() / 50.0).sqrt();
            // With a coarse-grid correction it swings by 2 % (docs/adr/0046).
            let most = if correction == CoarseCorrection::On { 0.03 } else { 0.002 };
            assert!(deviation < most * mean, "{method:?} {correction:?}: pressure of {mean} ± {deviation}");
        }
        let Particles { positions, pressures, fluids, .. } = simulation.particles();
        let side = |fluid: u8| (0..positions.len()).filter(move |&i| fluids[i] == fluid);
        let highest = side(0).map(|i| positions[i].y).fold(0.0, f32::max);
        let lowest = side(1).map(|i| positions[i].y).fold(f32::INFINITY, f32::min);
        assert!(
            (highest - 0.5).abs() < SPACING && (lowest - 0.5).abs() < SPACING,
            "{method:?} {correction:?}: water up to {highest} m, oil down to {lowest} m"
        );
        // The mean over each layer, as single pressures scatter with some solvers.
        for fluid in [0, 1] {
            let count = side(fluid).count() as f64;
            let mean = |value: &dyn Fn(usize) -> f32| side(fluid).map(|i| f64::from(value(i))).sum::<f64>() / count;
            let found = mean(&|i| pressures[i]);
            let expected = mean(&|i| hydrostatic(densities, positions[i].y));
            let scale = f64::from(hydrostatic(densities, 0.0));
            assert!((found - expected).abs() < 0.05 * scale, "{method:?} {correction:?} {fluid}: {found} for {expected} Pa");
        }
    }
}

/// Vortices of two fluids in a periodic box.
fn mixed(method: Method) -> Setup {
    let max = Vec3::new(1.0, 1.0, 0.0);
    let block = |fluid: usize, low: f32| FluidBlock {
        min: Vec3::new(0.0, low, 0.0),
        max: max.with_y(low + 0.5),
        field: VelocityField::TaylorGreen { speed: 1.0, wavelength: 1.0 },
        initial_pressure: InitialPressure::Zero,
        fluid,
        ..FluidBlock::default()
    };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block(0, 0.0), block(1, 0.5)], Vec::new());
    setup.domain = Domain { periodic: BVec3::TRUE, min: Vec3::ZERO, max };
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.solver.method = method;
    setup = setup.with_fluids(vec![Fluid::new("heavy", 1000.0), Fluid::new("light", 100.0)]);
    setup
}

fn momentum(simulation: &Simulation, setup: &Setup) -> (DVec3, f64) {
    let Particles { velocities, fluids, .. } = simulation.particles();
    let reference = setup.discretization.rest_density;
    let mass = |i: usize| f64::from(simulation.particle_mass() * setup.rest_density(fluids[i].into()) / reference);
    let terms = || velocities.iter().enumerate().map(|(i, v)| mass(i) * v.as_dvec3());
    (terms().sum(), terms().map(DVec3::length).sum())
}

#[test]
fn forces_between_fluids_conserve_momentum() {
    for method in Method::ALL {
        for model in ViscosityModel::ALL {
            let mut setup = mixed(method);
            setup.parameters.fluid.viscosity_model = model;
            setup.parameters.fluid.artificial_viscosity = 0.1;
            setup.fluids[0].kinematic_viscosity = Some(1e-2);
            setup.fluids[1].kinematic_viscosity = Some(5e-2);
            setup.fluids[1].surface_tension = Some(1.0);
            setup.parameters.forces.vorticity_transfer = 0.01;
            // PCISPH, whose iterations start from no pressure, does not converge in longer steps.
            setup.parameters.time_step.max_dt = 2e-3;
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            let (before, scale) = momentum(&simulation, &setup);
            for _ in 0..20 {
                assert_eq!(simulation.step().error, None, "{method:?} {model:?}");
            }
            let change = momentum(&simulation, &setup).0 - before;
            // 20 steps of f32, whose errors add up at random.
            assert!(change.length() < 2e-5 * scale, "{method:?} {model:?}: {change} of {scale} kg m/s");
        }
    }
}

/// Positions of a fluid in two blocks, and of two fluids with the same constants in the same blocks, after `steps`.
fn alike(method: Method, steps: u32, change: impl Fn(&mut Setup)) -> [Vec<Vec3>; 2] {
    let single = {
        let mut setup = layers(method, [1000.0, 1000.0]);
        setup.fluids.clear();
        setup.blocks.iter_mut().for_each(|block| block.fluid = 0);
        setup
    };
    let double = layers(method, [1000.0, 1000.0]);
    [single, double].map(|mut setup| {
        // Without a table of fluids nobody says that one block lies on the other.
        setup.blocks.iter_mut().for_each(|block| block.initial_pressure = InitialPressure::Zero);
        change(&mut setup);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        for _ in 0..steps {
            assert_eq!(simulation.step().error, None, "{method:?}");
        }
        simulation.particles().positions_by_id()
    })
}

#[test]
fn two_fluids_that_are_alike_are_one() {
    for method in Method::ALL {
        let [single, double] = alike(method, 20, |setup| {
            setup.parameters.fluid.kinematic_viscosity = 0.0;
            setup.parameters.fluid.artificial_viscosity = 0.0;
        });
        assert!(single == double, "{method:?}");
    }
}

/// All forces but surface tension, which two alike fluids do have between them.
///
/// The tolerance is zero. With the same rest density the lightness of each fluid is exactly 1, and so are the weights made of
/// it. The harmonic mean 2ν²/(2ν) of two equal viscosities takes three roundings, none of which changes a bit if ν is a power of
/// two; nor does it matter then which factors of a product come before ν.
#[test]
fn two_fluids_that_are_alike_are_one_with_all_forces() {
    let upper = Vec3::new(1.0, 0.2, 0.0);
    for (index, method) in Method::ALL.into_iter().enumerate() {
        for (number, model) in ViscosityModel::ALL.into_iter().enumerate() {
            let with_forces = |setup: &mut Setup| {
                setup.blocks[1].velocity = upper;
                setup.containers[0].slip = Slip::NoSlip;
                let Parameters { fluid, forces, time_step, .. } = &mut setup.parameters;
                fluid.viscosity_model = model;
                (fluid.kinematic_viscosity, fluid.artificial_viscosity) = (1.0 / 64.0, 0.1);
                (forces.vorticity_transfer, forces.xsph, forces.adhesion) = (0.05, 0.5, 2.0);
                time_step.max_dt = 2e-3;
            };
            let [single, double] = alike(method, 10, with_forces);
            assert!(single == double, "{method:?} {model:?}");
            // Each of them acts.
            if index % ViscosityModel::ALL.len() != number {
                continue;
            }
            let without: [fn(&mut Setup); 5] = [
                |setup| setup.parameters.fluid.kinematic_viscosity = 0.0,
                |setup| setup.parameters.fluid.artificial_viscosity = 0.0,
                |setup| setup.parameters.forces.vorticity_transfer = 0.0,
                |setup| setup.parameters.forces.xsph = 0.0,
                |setup| setup.parameters.forces.adhesion = 0.0,
            ];
            for (force, without) in without.iter().enumerate() {
                let [_, others] = alike(method, 10, |setup| {
                    with_forces(setup);
                    without(setup);
                });
                assert!(double != others, "{method:?} {model:?}: force {force} does nothing");
            }
        }
    }
}

#[test]
fn invalid_fluids_are_refused() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = layers(Method::Wcsph, [1000.0, 800.0]);
        change(&mut setup);
        setup.validate().expect_err("refused")
    };
    let air = refused(|setup| setup.fluids[1].rest_density = 1.2);
    assert!(matches!(air, SetupError::DensityRatio { .. }) && air.to_string().contains("air"), "{air}");
    assert_eq!(refused(|setup| setup.blocks[1].fluid = 2), SetupError::UnknownFluid { block: 1, fluid: 2 });
    assert_eq!(refused(|setup| setup.fluids[0].rest_density = f32::NAN), SetupError::Fluid { fluid: 0 });
    assert_eq!(refused(|setup| setup.fluids[1].kinematic_viscosity = Some(-1.0)), SetupError::Fluid { fluid: 1 });
    assert!(matches!(refused(|setup| setup.fluids[0].rest_density = 900.0), SetupError::ReferenceDensity { .. }));
    assert!(matches!(refused(|setup| setup.fluids = vec![setup.fluids[0].clone(); 17]), SetupError::TooManyFluids { .. }));
}

/// A box of 1 × 2 m with a light fluid under a wave of a heavy one.
fn wave(initial_pressure: InitialPressure) -> Setup {
    let interface = Interface { below: 1, height: 1.0, amplitude: -0.15, wavelength: 1.0 };
    let max = Vec3::new(1.0, 2.0, 0.0);
    let block = FluidBlock { max, interface: Some(interface), initial_pressure, ..FluidBlock::default() };
    let container = Container { max: max + Vec3::Y, ..Container::default() };
    let setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.with_fluids(vec![Fluid::new("heavy", 1.8), Fluid::new("light", 1.0)])
}

#[test]
fn a_wave_starts_with_the_weight_of_both_fluids() {
    let simulation = Simulation::new(&wave(InitialPressure::Hydrostatic)).expect("a valid setup");
    let Particles { positions, pressures, fluids, .. } = simulation.particles();
    for (i, position) in positions.iter().enumerate() {
        let crossing = 1.0 - 0.15 * (std::f32::consts::TAU * position.x).sin();
        assert_eq!(fluids[i], u8::from(position.y < crossing), "{position}");
        let expected = 9.81 * (1.8 * (2.0 - position.y.max(crossing)) + (crossing - position.y).max(0.0));
        assert!((pressures[i] - expected).abs() < 1e-3 * expected, "{position}: {} Pa, not {expected} Pa", pressures[i]);
    }
}

/// Pressure released into two layers in one block is that of layers in two blocks: both discretise the same equation.
#[test]
fn an_interface_in_a_block_is_that_of_two_blocks() {
    let two = layers(Method::Wcsph, [1000.0, 800.0]);
    let mut one = two.clone();
    let interface = Interface { below: 0, height: 0.5, amplitude: 0.0, wavelength: 1.0 };
    one.blocks =
        vec![FluidBlock { max: Vec3::new(1.0, 1.0, 0.0), fluid: 1, interface: Some(interface), ..FluidBlock::default() }];
    for initial_pressure in [InitialPressure::Hydrostatic, InitialPressure::Released] {
        let particles = [&one, &two].map(|setup| {
            let mut setup = setup.clone();
            setup.blocks.iter_mut().for_each(|block| block.initial_pressure = initial_pressure);
            Simulation::new(&setup).expect("a valid setup").particles().clone()
        });
        let [one, two] = &particles;
        assert_eq!(one.fluids, two.fluids);
        for (i, (a, b)) in one.pressures.iter().zip(&two.pressures).enumerate() {
            assert!((a - b).abs() < 2.0, "{initial_pressure:?} {}: {a} Pa and {b} Pa", one.positions[i]);
        }
    }
}

#[test]
fn interfaces_of_nonsense_are_refused() {
    let mut setup = wave(InitialPressure::Zero);
    let mut set = |interface| {
        setup.blocks[0].interface = Some(interface);
        setup.validate().err()
    };
    let valid = Interface { below: 1, height: 1.0, amplitude: 0.0, wavelength: 1.0 };
    assert_eq!(set(valid), None);
    assert_eq!(set(Interface { below: 2, ..valid }), Some(SetupError::UnknownFluid { block: 0, fluid: 2 }));
    for interface in [
        Interface { height: f32::NAN, ..valid },
        Interface { amplitude: f32::INFINITY, ..valid },
        Interface { wavelength: 0.0, ..valid },
        Interface { wavelength: f32::NAN, ..valid },
    ] {
        assert_eq!(set(interface), Some(SetupError::Interface { block: 0 }));
    }
}
