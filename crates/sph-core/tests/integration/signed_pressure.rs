//! DFSPH with pressure of either sign: Taylor and Green's vortices, whose pressure and energy are known, and free surfaces.

use crate::common::{dam_break, setup, sum_of_velocities};
use glam::{BVec3, Vec3};
use sph_core::{
    Dimensions, Domain, FluidBlock, InitialPressure, KernelKind, Method, PressureSign, Setup, Simulation, VelocityField,
};
use std::f32::consts::TAU;

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
    let exact = |x: Vec3| f64::from(250.0 * ((2.0 * TAU * x.x).cos() + (2.0 * TAU * x.y).cos()));
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
