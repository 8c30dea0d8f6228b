//! Setups that several tests share.
#![allow(dead_code, reason = "each test binary uses some of these")]

pub mod searches;
pub mod tracers;

use glam::{DVec3, Vec3};
use sph_core::neighbors::{GridParameters, HashFunction, Structure};
use sph_core::{
    Container, Dimensions, Discretization, Domain, FluidBlock, FluidParameters, ForceParameters, InitialPressure, Joint,
    JointEnd, JointKind, KernelKind, Method, Openings, Parameters, Setup, Simulation, TimeStepParameters, ViscosityModel,
    WallSampling,
};

/// A column of water at the left end of a closed tank; `rows` particles high. In two dimensions the tank is a slice.
pub fn dam_break(dimensions: Dimensions, rows: u32) -> Setup {
    let spacing = 0.48 / rows as f32;
    let block = FluidBlock {
        min: Vec3::ZERO,
        max: Vec3::new(0.48, 0.48, 0.48),
        velocity: Vec3::ZERO,
        initial_pressure: InitialPressure::Hydrostatic,
        ..FluidBlock::default()
    };
    let container = Container { min: Vec3::ZERO, max: Vec3::new(1.6, 0.96, 0.48), ..Container::default() };
    setup(dimensions, spacing, vec![block], vec![container])
}

/// Two blocks that meet in free flight inside a closed box, without gravity and far from its walls.
pub fn colliding_blocks(dimensions: Dimensions) -> Setup {
    let block = |x: f32, velocity: Vec3| FluidBlock {
        min: Vec3::new(x, 0.8, 0.8),
        max: Vec3::new(x + 0.4, 1.2, 1.2),
        velocity,
        initial_pressure: InitialPressure::Zero,
        ..FluidBlock::default()
    };
    let blocks = vec![block(0.5, Vec3::new(1.0, 0.2, -0.1)), block(0.95, Vec3::new(-1.0, 0.1, 0.3))];
    let tank = Container { min: Vec3::ZERO, max: Vec3::splat(2.0), ..Container::default() };
    let mut setup = setup(dimensions, 0.05, blocks, vec![tank]);
    setup.parameters.gravity = Vec3::ZERO;
    setup
}

/// A hinge about z at `anchor` (m) between a body and `to`.
pub fn hinge(body: usize, to: JointEnd, anchor: Vec3) -> Joint {
    Joint {
        kind: JointKind::Hinge,
        body,
        to,
        anchor,
        to_anchor: anchor,
        axis: Vec3::Z,
        limits: None,
        motor: None,
        length: 0.0,
        stiffness: 0.0,
        damping: 0.0,
    }
}

/// The momentum of all particles together, over their mass, m/s.
pub fn sum_of_velocities(simulation: &Simulation) -> DVec3 {
    simulation.particles().velocities.iter().map(|velocity| velocity.as_dvec3()).sum()
}

/// Water parameters around the given fluid and walls.
pub fn setup(dimensions: Dimensions, spacing: f32, blocks: Vec<FluidBlock>, containers: Vec<Container>) -> Setup {
    let discretization = Discretization {
        dimensions,
        particle_spacing: spacing,
        kernel: KernelKind::CubicSpline,
        support_radius: 2.0 * spacing,
        rest_density: 1000.0,
    };
    let parameters = Parameters {
        fluid: FluidParameters {
            sound_speed: 30.0,
            kinematic_viscosity: 1e-6,
            viscosity_model: ViscosityModel::Morris,
            artificial_viscosity: 0.05,
            density_diffusion: 0.1,
        },
        forces: ForceParameters::default(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        time_step: TimeStepParameters::default(),
        grid: GridParameters {
            structure: Structure::SpatialHash,
            table_size: 4096,
            cell_size: discretization.support_radius,
            hash: HashFunction::Muller,
            bucket_capacity: 4,
        },
        ..Parameters::default()
    };
    Setup {
        discretization,
        parameters,
        curves: Vec::new(),
        fluids: Vec::new(),
        blocks,
        particle_sets: Vec::new(),
        containers,
        bodies: Vec::new(),
        joints: Vec::new(),
        external_forces: Vec::new(),
        domain: Domain::default(),
        openings: Openings::default(),
        wall_sampling: WallSampling::Layers,
        points: None,
    }
}

/// Particle spacing of [`pool`], m.
pub const POOL_SPACING: f32 = 0.05;

/// A pool of two dimensions, 1.2 m wide, with water 0.5 m deep.
pub fn pool(method: Method) -> Setup {
    let max = Vec3::new(1.2, 0.5, 0.0);
    let block = FluidBlock { max, initial_pressure: InitialPressure::Hydrostatic, ..FluidBlock::default() };
    let container = Container { max: max.with_y(1.6), ..Container::default() };
    let mut setup = setup(Dimensions::Two, POOL_SPACING, vec![block], vec![container]);
    setup.parameters.solver.method = method;
    setup
}
