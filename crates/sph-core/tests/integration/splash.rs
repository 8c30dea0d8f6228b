//! The scene of the reactions: water that splashes in a tank, with every solver and every kind of solid.

use crate::common::setup;
use glam::Vec3;
use sph_core::*;

/// Particle spacing, m.
pub const SPACING: f32 = 0.05;

/// Solids of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solids {
    MovingBody,
    BodyAtRest,
    Layers,
    SingleLayer,
    PlanesAndMovingBody,
    TurningBody,
    RockingContainer,
    /// A body at rest in two fluids, of which one is a tenth as dense.
    TwoFluids,
}

/// Solver of a case, with its integration and its background pressure, Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    pub method: Method,
    pub integration: Integration,
    pub background: f32,
}

/// All solvers and their integrations, with and without background pressure where there is one.
pub fn schemes() -> Vec<Scheme> {
    let wcsph = Integration::ALL
        .into_iter()
        .flat_map(|integration| [0.0, 500.0].map(|background| Scheme { method: Method::Wcsph, integration, background }));
    let others = Method::ALL.into_iter().filter(|&method| method != Method::Wcsph);
    wcsph.chain(others.map(|method| Scheme { method, integration: Integration::SymplecticEuler, background: 0.0 })).collect()
}

/// Water that sways in a small tank, and two droplets that hit its wall and the body, or the place where a body would be.
pub fn splash(scheme: Scheme, solids: Solids, viscosity: Option<ViscosityModel>, walls: WallPressure) -> Setup {
    let block = |min: [f32; 2], max: [f32; 2], velocity: Vec3| FluidBlock {
        min: Vec3::new(min[0], min[1], 0.0),
        max: Vec3::new(max[0], max[1], 0.0),
        velocity,
        around_bodies: true,
        ..FluidBlock::default()
    };
    let blocks = vec![
        block([0.0, 0.0], [0.8, 0.35], Vec3::new(0.4, 0.1, 0.0)),
        block([0.05, 0.5], [0.1, 0.55], Vec3::new(-9.0, 1.0, 0.0)),
        block([0.35, 0.5], [0.4, 0.55], Vec3::new(1.0, -9.0, 0.0)),
    ];
    let slip = if solids == Solids::PlanesAndMovingBody { Slip::Free } else { Slip::NoSlip };
    let container = Container { max: Vec3::new(0.8, 0.7, 0.0), slip, ..Container::default() };
    let turn = |pivot: Vec3, velocity: f64| {
        let law = AngleLaw::steady(velocity).expect("finite");
        Motion::default().with_rotation(Rotation::new(pivot, Vec3::Z, law).expect("a direction"))
    };
    let mut setup = setup(Dimensions::Two, SPACING, blocks, vec![container]);
    if solids == Solids::RockingContainer {
        setup.containers[0].motion = turn(Vec3::new(0.1, 0.2, 0.0), 2.0);
    }
    if solids == Solids::TwoFluids {
        setup.blocks[1].fluid = 1;
        setup.blocks[2].fluid = 1;
        setup.blocks[0].max.x = 0.4;
        setup.blocks.push(block([0.4, 0.0], [0.8, 0.35], Vec3::new(0.4, 0.1, 0.0)));
        setup.blocks[3].fluid = 1;
        setup = setup.with_fluids(vec![Fluid::new("heavy", 1000.0), Fluid::new("light", 100.0)]);
    }
    let moves = || Motion::through([(0.0, Vec3::new(1.5, 0.3, 0.0)), (0.01, Vec3::new(1.0, 0.8, 0.0))]).expect("times ascend");
    setup.wall_sampling = match solids {
        Solids::SingleLayer => WallSampling::SingleLayer,
        Solids::PlanesAndMovingBody => WallSampling::Analytic,
        _ => WallSampling::Layers,
    };
    if !matches!(solids, Solids::Layers | Solids::SingleLayer | Solids::RockingContainer) {
        let (min, max) = (Vec3::new(0.3, 0.25, 0.0), Vec3::new(0.45, 0.45, 0.0));
        let motion = match solids {
            Solids::BodyAtRest | Solids::TwoFluids => Motion::default(),
            Solids::TurningBody => turn(0.5 * (min + max), 10.0),
            _ => moves(),
        };
        setup.bodies.push(Body { min, max, slip: Slip::NoSlip, motion, ..Body::default() });
    }
    let parameters = &mut setup.parameters;
    parameters.time_step.max_dt = 2e-3;
    parameters.forces.adhesion = if walls == WallPressure::Extrapolated { 0.0 } else { 2.0 };
    parameters.fluid.kinematic_viscosity = if viscosity.is_some() { 0.02 } else { 0.0 };
    parameters.fluid.viscosity_model = viscosity.unwrap_or(ViscosityModel::Morris);
    let solver = &mut parameters.solver;
    (solver.method, solver.walls, solver.wcsph.integration) = (scheme.method, walls, scheme.integration);
    // Tensile control is left to the test below: by design its pair forces do not cancel.
    solver.wcsph.background_pressure = scheme.background;
    setup
}
