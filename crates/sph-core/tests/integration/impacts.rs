//! Sound and splashes in WCSPH: the acoustic damper against the closed form of a damped wave, and spray that expands.

use crate::common::setup;
use glam::{BVec3, Vec3};
use sph_core::{Container, Dimensions, Domain, FluidBlock, InitialPressure, NegativePressure, Simulation};
use std::f64::consts::TAU;

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
        let expected = (-rate * std::f64::consts::PI / frequency).exp();
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
