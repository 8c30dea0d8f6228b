//! Reactions on bodies and walls: what the fluid gains is what solids lose, in momentum and in angular momentum.

mod common;

use common::setup;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use sph_core::*;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// Rounding of f32, relative.
const ROUNDING: f64 = 1.0 / (1u32 << 24) as f64;

/// Solids of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Solids {
    MovingBody,
    BodyAtRest,
    Layers,
    SingleLayer,
    PlanesAndMovingBody,
}

/// Solver of a case, with its integration and its background pressure, Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scheme {
    method: Method,
    integration: Integration,
    background: f32,
}

fn schemes() -> Vec<Scheme> {
    let wcsph = Integration::ALL
        .into_iter()
        .flat_map(|integration| [0.0, 500.0].map(|background| Scheme { method: Method::Wcsph, integration, background }));
    let others = Method::ALL.into_iter().filter(|&method| method != Method::Wcsph);
    wcsph.chain(others.map(|method| Scheme { method, integration: Integration::SymplecticEuler, background: 0.0 })).collect()
}

/// Water that sways in a small tank, and two droplets that hit its wall and the body, or the place where a body would be.
fn splash(scheme: Scheme, solids: Solids, viscosity: Option<ViscosityModel>, walls: WallPressure) -> Setup {
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
    let mut setup = setup(Dimensions::Two, SPACING, blocks, vec![container]);
    let moves = || Motion::through([(0.0, Vec3::ZERO), (0.01, Vec3::new(0.006, 0.002, 0.0))]).expect("times ascend");
    setup.wall_sampling = match solids {
        Solids::SingleLayer => WallSampling::SingleLayer,
        Solids::PlanesAndMovingBody => WallSampling::Analytic,
        Solids::MovingBody | Solids::BodyAtRest | Solids::Layers => WallSampling::Layers,
    };
    if !matches!(solids, Solids::Layers | Solids::SingleLayer) {
        let motion = if solids == Solids::BodyAtRest { Motion::default() } else { moves() };
        let (min, max) = (Vec3::new(0.3, 0.25, 0.0), Vec3::new(0.45, 0.45, 0.0));
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

fn momentum(simulation: &Simulation) -> DVec3 {
    f64::from(simulation.particle_mass()) * common::sum_of_velocities(simulation)
}

/// Angular momentum about the origin, N m s/m.
fn angular_momentum(simulation: &Simulation) -> f64 {
    let Particles { positions, velocities, .. } = simulation.particles();
    let terms = positions.iter().zip(velocities).map(|(x, v)| x.as_dvec3().cross(v.as_dvec3()).z);
    f64::from(simulation.particle_mass()) * terms.sum::<f64>()
}

/// Reactions of all bodies and of the walls.
fn reactions(simulation: &Simulation) -> Vec<Reaction> {
    simulation.bodies().iter().map(|body| body.force).chain(simulation.wall_reaction().copied()).collect()
}

/// Bound on the rounding of the momentum in a step of `dt` (s): f32 rounds each velocity in ten or so sums, and the terms of the pressure, whose
/// pairs cancel but for their rounding; PBF takes velocities from differences of positions. Errors of particles are independent; so
/// their squares add up, and six times the root is never exceeded.
fn rounding(simulation: &Simulation, dt: f64) -> f64 {
    let Particles { positions, velocities, pressures, .. } = simulation.particles();
    let from_positions = simulation.parameters().solver.method == Method::Pbf;
    let error = |i: usize| {
        let pairs = 2.0 * f64::from(pressures[i].abs() / 1000.0) * dt * 10.0 / f64::from(SPACING);
        let position = if from_positions { f64::from(positions[i].length()) / dt } else { 0.0 };
        10.0 * f64::from(velocities[i].length()) + pairs + 4.0 * position
    };
    let squares: f64 = (0..positions.len()).map(|i| error(i).powi(2)).sum();
    6.0 * f64::from(simulation.particle_mass()) * ROUNDING * squares.sqrt()
}

/// Largest imbalance of a case over its tolerance, and the largest of each part of the reactions, N.
fn imbalance(setup: &Setup, steps: usize) -> (f64, [f64; 4]) {
    let mut simulation = Simulation::new(setup).expect("a valid setup");
    simulation.set_wall_reaction(true);
    let (mut worst, mut largest) = (0.0f64, [0.0f64; 4]);
    for _ in 0..steps {
        let before = momentum(&simulation);
        let stats = simulation.step();
        assert_eq!(stats.error, None);
        let dt = f64::from(stats.dt);
        let weight =
            f64::from(simulation.particle_mass()) * simulation.particles().len() as f64 * setup.parameters.gravity.as_dvec3();
        let all = reactions(&simulation);
        let off = momentum(&simulation) - before - dt * weight + dt * all.iter().map(Reaction::total).sum::<DVec3>();
        let parts = all.iter().map(|force| [force.pressure, force.viscous, force.adhesion, force.contact]);
        let sizes = parts.fold([0.0; 4], |sum, parts| std::array::from_fn(|part| sum[part] + parts[part].length()));
        let impulses = dt * (weight.length() + sizes.iter().sum::<f64>());
        worst = worst.max(off.length() / (1e-5 * impulses + rounding(&simulation, dt)));
        largest = std::array::from_fn(|part| largest[part].max(sizes[part]));
    }
    (worst, largest)
}

#[test]
fn momentum_of_the_fluid_and_impulses_on_solids_add_up() {
    let solids = [Solids::MovingBody, Solids::BodyAtRest, Solids::Layers, Solids::SingleLayer, Solids::PlanesAndMovingBody];
    let viscosities = [None, Some(ViscosityModel::Morris), Some(ViscosityModel::Central), Some(ViscosityModel::Implicit)];
    let mut cases = Vec::new();
    for scheme in schemes() {
        for solids in solids {
            for viscosity in viscosities {
                cases.extend(WallPressure::ALL.map(|walls| (scheme, solids, viscosity, walls)));
            }
        }
    }
    let found: Vec<_> = cases
        .par_iter()
        .map(|&(scheme, solids, viscosity, walls)| imbalance(&splash(scheme, solids, viscosity, walls), 8))
        .collect();
    let mut failures = Vec::new();
    let mut stopped = 0;
    for (case, &(worst, [pressure, viscous, adhesion, contact])) in cases.iter().zip(&found) {
        let &(_, _, viscosity, walls) = case;
        let good = worst < 1.0
            && pressure > 1.0
            && (viscous > 0.1) == viscosity.is_some()
            && (adhesion > 0.0) == (walls != WallPressure::Extrapolated);
        if !good {
            failures.push(format!(
                "{case:?}: {worst:.2} of the tolerance; {pressure:.1}, {viscous:.1}, {adhesion:.1}, {contact:.1} N"
            ));
        }
        stopped += usize::from(contact > 10.0);
    }
    assert!(failures.is_empty(), "{} of {}: {failures:#?}", failures.len(), cases.len());
    assert!(stopped > cases.len() / 4, "walls stop particles in {stopped} of {} cases", cases.len());
}
