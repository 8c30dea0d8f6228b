//! No-slip walls, and walls that move within their planes, against sums over all pairs.

use crate::common::setup;
use glam::{Mat3, Vec3};
use sph_core::kernel::{Kernel, SmoothingKernel};
use sph_core::*;
use std::f32::consts::FRAC_PI_2;
use std::f64::consts::PI;

/// Speed of the lid, m/s.
const SPEED: f32 = 0.5;
/// Kinematic viscosity, m²/s.
const VISCOSITY: f32 = 1e-3;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// Lid-driven cavity: fluid at rest that fills its box, whose lid moves along x.
fn cavity(method: Method, model: ViscosityModel, slip: Slip) -> Setup {
    let max = Vec3::new(2.0, 1.0, 0.0);
    let block = FluidBlock { max, initial_pressure: InitialPressure::Zero, ..FluidBlock::default() };
    let mut container = Container { max, slip, ..Container::default() };
    container.face_velocities[Face::YMax as usize] = SPEED * Vec3::X;
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.fluid.kinematic_viscosity = VISCOSITY;
    setup.parameters.fluid.viscosity_model = model;
    setup.parameters.fluid.artificial_viscosity = 0.0;
    setup.parameters.solver.method = method;
    setup
}

/// Viscous acceleration by the walls of fluid at rest at `position`, m/s²: the mirrored velocity of the lid is twice its own.
fn drag(setup: &Setup, walls: &BoundaryParticles, position: Vec3) -> Vec3 {
    let Discretization { kernel, dimensions, support_radius, .. } = setup.discretization;
    let kernel = Kernel::new(kernel, dimensions, support_radius);
    let eta_squared = 0.01 * (0.5 * support_radius).powi(2);
    let mut sum = Vec3::ZERO;
    for (b, &wall) in walls.positions.iter().enumerate() {
        let x = position - wall;
        let v = -2.0 * walls.velocity(b);
        let weight = VISCOSITY * walls.volumes[b] / (x.length_squared() + eta_squared);
        sum += match setup.parameters.fluid.viscosity_model {
            ViscosityModel::Morris => 2.0 * VISCOSITY * walls.volumes[b] * kernel.dw_over_r(x.length()) * v,
            ViscosityModel::Central | ViscosityModel::Implicit => 8.0 * weight * v.dot(x) * kernel.grad_w(x),
        };
    }
    sum
}

#[test]
fn a_lid_exerts_a_viscous_force_and_no_pressure() {
    for method in Method::ALL {
        for model in [ViscosityModel::Morris, ViscosityModel::Central] {
            let setup = cavity(method, model, Slip::NoSlip);
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            let stats = simulation.step();
            let particles = simulation.particles();
            let strongest = SPEED * VISCOSITY / SPACING.powi(2) * stats.dt;
            let mut fastest = 0.0f32;
            // Away from the side walls, where the moving fluid builds up pressure.
            let middle = |(position, _): &(&Vec3, &Vec3)| (position.x - 1.0).abs() < 4.0 * SPACING;
            for (&position, &velocity) in particles.positions.iter().zip(&particles.velocities).filter(middle) {
                let expected = stats.dt * drag(&setup, simulation.boundary(), position - stats.dt * velocity);
                let error = velocity.distance(expected);
                // The tolerance covers the response of pressure solvers to rounding of densities, and PBF's velocities, which
                // are differences of positions with rounding errors of 6e-8 m over 5 ms.
                assert!(error < 2e-2 * strongest, "{method:?} {model:?} at {position}: {velocity}, not {expected}");
                fastest = fastest.max(velocity.length());
            }
            assert!(fastest > 0.1 * strongest, "{method:?} {model:?}: {fastest}, where {strongest} is usual");
        }
    }
}

#[test]
fn a_free_slip_lid_exerts_no_force() {
    for method in Method::ALL {
        let mut simulation = Simulation::new(&cavity(method, ViscosityModel::Morris, Slip::Free)).expect("a valid setup");
        let stats = simulation.step();
        assert!(stats.kinetic_energy < 1e-7, "{method:?}: {} J/m", stats.kinetic_energy);
        assert!(simulation.boundary().mirrored.is_empty());
    }
}

#[test]
fn no_slip_walls_dissipate_kinetic_energy() {
    for method in [Method::Wcsph, Method::Dfsph] {
        let mut setup = cavity(method, ViscosityModel::Morris, Slip::NoSlip);
        setup.containers[0].face_velocities = [Vec3::ZERO; 6];
        setup.parameters.fluid.kinematic_viscosity = 0.1;
        setup.blocks[0].field =
            VelocityField::Linear { gradient: Mat3::from_rotation_z(FRAC_PI_2), center: Vec3::new(1.0, 0.5, 0.0) };
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let first = simulation.step().kinetic_energy;
        // With no-slip plates 1 m apart, the kinetic energy of any flow decays at least at the rate 2π²ν (Poincaré's
        // inequality).
        let rate = 2.0 * PI * PI * 0.1;
        let mut last = first;
        while simulation.time() < 1.0 / rate {
            last = simulation.step().kinetic_energy;
        }
        assert!(last < first * (-1.0f64).exp(), "{method:?}: {last} J/m of {first}");
    }
}
