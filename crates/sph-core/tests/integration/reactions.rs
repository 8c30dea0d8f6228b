//! Reactions on bodies and walls: what the fluid gains is what solids lose, in momentum and in angular momentum.

use crate::common::setup;
use glam::{DVec3, Mat3, Vec3};
use rayon::prelude::*;
use sph_core::*;

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// Solids of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SolidCase {
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
struct Scheme {
    method: Method,
    integration: Integration,
    background: f32,
}

/// All solvers and their integrations, with and without background pressure where there is one.
fn schemes() -> Vec<Scheme> {
    let wcsph = Integration::ALL
        .into_iter()
        .flat_map(|integration| [0.0, 500.0].map(|background| Scheme { method: Method::Wcsph, integration, background }));
    let others = Method::ALL.into_iter().filter(|&method| method != Method::Wcsph);
    wcsph.chain(others.map(|method| Scheme { method, integration: Integration::SymplecticEuler, background: 0.0 })).collect()
}

/// Water that sways in a small tank, and two droplets that hit its wall and the body, or the place where a body would be.
fn splash(scheme: Scheme, solids: SolidCase, viscosity: Option<ViscosityModel>, walls: WallPressure) -> Setup {
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
    let slip = if solids == SolidCase::PlanesAndMovingBody { Slip::Free } else { Slip::NoSlip };
    let container = Container { max: Vec3::new(0.8, 0.7, 0.0), slip, ..Container::default() };
    let turn = |pivot: Vec3, velocity: f64| {
        let law = AngleLaw::steady(velocity).expect("finite");
        Motion::default().with_rotation(Rotation::new(pivot, Vec3::Z, law).expect("a direction"))
    };
    let mut setup = setup(Dimensions::Two, SPACING, blocks, vec![container]);
    if solids == SolidCase::RockingContainer {
        setup.containers[0].motion = turn(Vec3::new(0.1, 0.2, 0.0), 2.0);
    }
    if solids == SolidCase::TwoFluids {
        setup.blocks[1].fluid = 1;
        setup.blocks[2].fluid = 1;
        setup.blocks[0].max.x = 0.4;
        setup.blocks.push(block([0.4, 0.0], [0.8, 0.35], Vec3::new(0.4, 0.1, 0.0)));
        setup.blocks[3].fluid = 1;
        setup = setup.with_fluids(vec![Fluid::new("heavy", 1000.0), Fluid::new("light", 100.0)]);
    }
    let moves = || Motion::through([(0.0, Vec3::new(1.5, 0.3, 0.0)), (0.01, Vec3::new(1.0, 0.8, 0.0))]).expect("times ascend");
    setup.wall_sampling = match solids {
        SolidCase::SingleLayer => WallSampling::SingleLayer,
        SolidCase::PlanesAndMovingBody => WallSampling::Analytic,
        _ => WallSampling::Layers,
    };
    if !matches!(solids, SolidCase::Layers | SolidCase::SingleLayer | SolidCase::RockingContainer) {
        let (min, max) = (Vec3::new(0.3, 0.25, 0.0), Vec3::new(0.45, 0.45, 0.0));
        let motion = match solids {
            SolidCase::BodyAtRest | SolidCase::TwoFluids => Motion::default(),
            SolidCase::TurningBody => turn(0.5 * (min + max), 10.0),
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

/// Rounding of f32, relative.
const ROUNDING: f64 = 1.0 / (1u32 << 24) as f64;

fn momentum(simulation: &Simulation) -> DVec3 {
    let velocities = &simulation.particles().velocities;
    velocities.iter().enumerate().map(|(i, velocity)| simulation.view().mass_of(i) * velocity.as_dvec3()).sum()
}

/// Mass of all particles, kg/m.
fn mass(simulation: &Simulation) -> f64 {
    (0..simulation.particles().len()).map(|i| simulation.view().mass_of(i)).sum()
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

/// Bound on the rounding of the momentum in a step of `dt` (s): f32 rounds each velocity in ten or so sums, and the terms of
/// the pressure, whose pairs cancel but for their rounding; PBF takes velocities from differences of positions. Errors of
/// particles are independent; so their squares add up, and twice the root is never exceeded.
fn rounding(simulation: &Simulation, dt: f64) -> f64 {
    let Particles { positions, velocities, pressures, .. } = simulation.particles();
    let from_positions = simulation.parameters().solver.method == Method::Pbf;
    let error = |i: usize| {
        let pairs =
            2.0 * f64::from(pressures[i].abs() / 1000.0) * dt * 10.0 / f64::from(simulation.discretization().particle_spacing);
        let position = if from_positions { f64::from(positions[i].length()) / dt } else { 0.0 };
        10.0 * f64::from(velocities[i].length()) + pairs + 4.0 * position
    };
    let squares: f64 = (0..positions.len()).map(|i| error(i).powi(2)).sum();
    2.0 * f64::from(simulation.particle_mass()) * ROUNDING * squares.sqrt()
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
        let weight = mass(&simulation) * setup.parameters.gravity.as_dvec3();
        let all = reactions(&simulation);
        let off = momentum(&simulation) - before - dt * weight + dt * all.iter().map(Reaction::total).sum::<DVec3>();
        let parts = all.iter().map(|force| [force.pressure, force.viscous, force.by(Force::Adhesion), force.contact]);
        let sizes = parts.fold([0.0; 4], |sum, parts| std::array::from_fn(|part| sum[part] + parts[part].length()));
        let impulses = dt * (weight.length() + sizes.iter().sum::<f64>());
        worst = worst.max(off.length() / (1e-6 * impulses + rounding(&simulation, dt)));
        largest = std::array::from_fn(|part| largest[part].max(sizes[part]));
    }
    (worst, largest)
}

#[test]
fn momentum_of_the_fluid_and_impulses_on_solids_add_up() {
    let solids = [
        SolidCase::MovingBody,
        SolidCase::BodyAtRest,
        SolidCase::Layers,
        SolidCase::SingleLayer,
        SolidCase::PlanesAndMovingBody,
        SolidCase::TurningBody,
        SolidCase::RockingContainer,
        SolidCase::TwoFluids,
    ];
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

/// A single particle between four bodies, one of which moves away: the fluid is under tension, and pulls the bodies on both sides
/// of it, although tensile control changes the sign of its own pressure in the sum over all neighbours.
#[test]
fn fluid_under_tension_pulls_bodies() {
    for integration in Integration::ALL {
        let corner = |x: f32, y: f32| SPACING * Vec3::new(x, y, 0.0);
        let mut setup = setup(
            Dimensions::Two,
            SPACING,
            vec![FluidBlock { max: corner(1.0, 1.0), initial_pressure: InitialPressure::Zero, ..FluidBlock::default() }],
            Vec::new(),
        );
        let body = |[x, y]: [f32; 2], [right, top]: [f32; 2], motion| Body {
            min: corner(x, y),
            max: corner(right, top),
            motion,
            ..Body::default()
        };
        let away = Motion::through([(0.0, Vec3::ZERO), (1.0, Vec3::new(-1.0, 0.0, 0.0))]).expect("times ascend");
        setup.bodies = vec![
            body([-3.0, -3.0], [0.0, 4.0], away),
            body([1.0, -3.0], [4.0, 4.0], Motion::default()),
            body([0.0, -3.0], [1.0, 0.0], Motion::default()),
            body([0.0, 1.0], [1.0, 4.0], Motion::default()),
        ];
        setup.parameters.gravity = Vec3::ZERO;
        let wcsph = &mut setup.parameters.solver.wcsph;
        wcsph.integration = integration;
        wcsph.negative_pressure = NegativePressure::TensileControl;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        assert_eq!(simulation.particles().len(), 1);
        let mut tension = 0;
        for _ in 0..10 {
            simulation.step();
            let [left, right] = [0, 1].map(|body| simulation.bodies()[body].force.pressure.x);
            if simulation.particles().pressures[0] < 0.0 {
                tension += 1;
                assert!(left > 0.0 && right < 0.0, "{integration:?}: {left} and {right} N/m");
            }
        }
        assert!(tension > 3, "{integration:?}: the fluid is under tension in {tension} steps");
    }
}

/// Angular momentum of fluid and body in free flight, and of water around a body in a tank: with central viscosity all forces
/// are central, so that the fluid loses what the torques give the solids. The exceptions: cached gradients of fluid pairs are
/// rounded to 1/32,000 of the largest along each axis; and x moves by dt v, which is exact to the rounding of x.
#[test]
fn angular_momentum_of_the_fluid_and_torques_on_solids_add_up() {
    for scheme in schemes().into_iter().filter(|scheme| scheme.method != Method::Pbf) {
        for viscosity in [ViscosityModel::Central, ViscosityModel::Implicit] {
            for solids in [SolidCase::MovingBody, SolidCase::PlanesAndMovingBody, SolidCase::TurningBody] {
                let mut setup = splash(scheme, solids, Some(viscosity), WallPressure::Mls);
                if solids == SolidCase::MovingBody {
                    // No container: fluid in free flight.
                    setup.containers.clear();
                    setup.parameters.gravity = Vec3::ZERO;
                }
                let mut simulation = Simulation::new(&setup).expect("a valid setup");
                simulation.set_wall_reaction(true);
                for _ in 0..8 {
                    let before = angular_momentum(&simulation);
                    let mass = f64::from(simulation.particle_mass());
                    let (bodies, time) = (simulation.bodies().to_vec(), simulation.time());
                    let Particles { positions, velocities, .. } = simulation.particles().clone();
                    let dt = f64::from(simulation.step().dt);
                    // The predictor–corrector has the forces of the middle of the step.
                    let age = if scheme.integration == Integration::PredictorCorrector { 0.5 * dt } else { 0.0 };
                    let arms = positions.iter().zip(&velocities).map(|(x, v)| x.as_dvec3() + age * v.as_dvec3());
                    let weight = mass * arms.sum::<DVec3>().cross(setup.parameters.gravity.as_dvec3()).z;
                    let centers = bodies.iter().map(|body| center(body) + age * body.body.motion.velocity(time).as_dvec3());
                    let walls = simulation.wall_reaction().expect("asked for").torque.z;
                    let bodies = simulation.bodies().iter().zip(centers);
                    let bodies = bodies.map(|(body, center)| body.force.torque.z + center.cross(body.force.total()).z);
                    let torques: Vec<f64> = bodies.chain([walls]).collect();
                    let off = angular_momentum(&simulation) - before - dt * weight + dt * torques.iter().sum::<f64>();
                    let size = dt * (weight.abs() + torques.iter().map(|torque| torque.abs()).sum::<f64>());
                    let tolerance = if scheme.method == Method::Wcsph { 3e-6 } else { 1e-4 };
                    assert!(
                        off.abs() < tolerance * size + 0.25 * rounding(&simulation, dt),
                        "{scheme:?} {viscosity:?} {solids:?}: {off} of {size} N m s/m"
                    );
                }
            }
        }
    }
}

/// Centre of a body, m.
fn center(body: &PlacedBody) -> DVec3 {
    body.center().as_dvec3()
}

/// Torque on a square that is off-centre in a shear flow, against its four quarters, whose boundary particles are the same:
/// their torques, and the moments of their forces about the centre of the square.
#[test]
fn the_torque_is_the_sum_of_moments() {
    for method in Method::ALL {
        let [min, max] = [[0.3, 0.2], [0.5, 0.4]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let shear = Mat3::from_cols(Vec3::ZERO, 5.0 * Vec3::X, Vec3::ZERO);
        let tank = |bodies: Vec<Body>| {
            let block = FluidBlock {
                max: Vec3::new(1.2, 0.8, 0.0),
                field: VelocityField::Linear { gradient: shear, center: Vec3::ZERO },
                around_bodies: true,
                ..FluidBlock::default()
            };
            let container = Container { max: Vec3::new(1.2, 1.0, 0.0), ..Container::default() };
            let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
            (setup.bodies, setup.parameters.solver.method) = (bodies, method);
            (setup.parameters.fluid.kinematic_viscosity, setup.parameters.time_step.max_dt) = (0.02, 5e-4);
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            // A step later, rounding would have changed the number of iterations.
            simulation.step();
            simulation
        };
        let half = Vec3::new(0.1, 0.1, 0.0);
        let quarter = |x: f32, y: f32| {
            let min = min + half * Vec3::new(x, y, 0.0);
            Body { min, max: min + half, slip: Slip::NoSlip, ..Body::default() }
        };
        let whole = tank(vec![Body { min, max, slip: Slip::NoSlip, ..Body::default() }]);
        let quarters = tank([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|(x, y)| quarter(x, y)).to_vec());
        let (whole, about) = (&whole.bodies()[0], center(&whole.bodies()[0]));
        let moments = quarters.bodies().iter().map(|body| body.force.torque + (center(body) - about).cross(body.force.total()));
        let (moment, force) = (moments.sum::<DVec3>(), whole.force.total());
        let off = (moment - whole.force.torque).length();
        assert!(off < 1e-5 * force.length() * f64::from(half.x), "{method:?}: {moment}, not {}", whole.force.torque);
        assert!(whole.force.torque.length() > 0.01 * force.length() * f64::from(half.x), "{method:?}: hardly any torque");
    }
}

/// Still water: all torques about the origin together are that of its weight, and that on a square about its centre is zero
/// beside its buoyancy, which acts at the centre.
#[test]
fn torques_in_still_water_are_those_of_its_weight() {
    let (min, max) = (Vec3::new(0.2, 0.2, 0.0), Vec3::new(0.4, 0.4, 0.0));
    for sampling in [WallSampling::Layers, WallSampling::Analytic] {
        let block = FluidBlock { max: Vec3::new(0.8, 0.7, 0.0), around_bodies: true, ..FluidBlock::default() };
        let container = Container { max: Vec3::new(0.8, 0.9, 0.0), ..Container::default() };
        let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
        (setup.bodies, setup.wall_sampling) = (vec![Body { min, max, ..Body::default() }], sampling);
        setup.parameters.solver.method = Method::Dfsph;
        setup.parameters.time_step.max_dt = 2e-3;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.set_wall_reaction(true);
        let (mut all, mut own, mut buoyancy, mut weight) = (0.0, 0.0, 0.0, 0.0);
        while simulation.time() < 1.0 {
            let dt = f64::from(simulation.step().dt);
            if simulation.time() > 0.5 {
                let body = &simulation.bodies()[0];
                own += dt * body.force.torque.z;
                buoyancy += dt * body.force.total().y;
                let moment = body.force.torque + center(body).cross(body.force.total());
                all += dt * (moment + simulation.wall_reaction().expect("asked for").torque).z;
                let arm: f64 = simulation.particles().positions.iter().map(|x| f64::from(x.x)).sum();
                weight -= dt * f64::from(simulation.particle_mass()) * 9.81 * arm;
            }
        }
        assert!((all / weight - 1.0).abs() < 0.003, "{sampling:?}: {all} N m, not {weight}");
        assert!(own.abs() < 0.02 * 0.2 * buoyancy, "{sampling:?}: {own} N m beside a buoyancy of {buoyancy} N");
    }
}

/// A tank_in_space with water that sways in all directions, around a box that turns about the axis (1, 2, 3) with `law`.
fn tank_in_space(method: Method, law: AngleLaw) -> Setup {
    let velocity = Vec3::new(0.4, 0.1, -0.3);
    let block = FluidBlock { max: Vec3::new(0.9, 0.6, 0.8), velocity, around_bodies: true, ..FluidBlock::default() };
    let container = Container { max: Vec3::new(0.9, 0.9, 0.8), slip: Slip::NoSlip, ..Container::default() };
    let mut setup = setup(Dimensions::Three, 0.1, vec![block], vec![container]);
    let (min, max) = (Vec3::new(0.25, 0.25, 0.3), Vec3::new(0.65, 0.45, 0.5));
    let rotation = Rotation::new(0.5 * (min + max), Vec3::new(1.0, 2.0, 3.0), law).expect("a direction");
    setup.bodies =
        vec![Body { min, max, slip: Slip::NoSlip, motion: Motion::default().with_rotation(rotation), ..Body::default() }];
    let parameters = &mut setup.parameters;
    parameters.solver.method = method;
    parameters.time_step.max_dt = 2e-3;
    parameters.forces.adhesion = 2.0;
    (parameters.fluid.kinematic_viscosity, parameters.fluid.viscosity_model) = (0.02, ViscosityModel::Central);
    setup
}

/// Momentum, N s, and angular momentum about the origin, N m s.
fn momenta(simulation: &Simulation) -> [DVec3; 2] {
    let Particles { positions, velocities, .. } = simulation.particles();
    let moments = positions.iter().zip(velocities).map(|(x, v)| x.as_dvec3().cross(v.as_dvec3()));
    let mass = f64::from(simulation.particle_mass());
    [mass * velocities.iter().map(|value| value.as_dvec3()).sum::<DVec3>(), mass * moments.sum::<DVec3>()]
}

/// What the fluid gains is its weight less what solids get. Central viscosity and pressure act along the lines between
/// particles, so that this is true of the angular momentum as well, but for two roundings: cached gradients of fluid pairs, of
/// DFSPH, are rounded to 1/32,000 of the largest along each axis; and x moves by dt v, which is exact to the rounding of x.
#[test]
fn momentum_and_angular_momentum_of_the_fluid_and_of_solids_add_up() {
    for (method, exactness) in [(Method::Wcsph, 3e-6), (Method::Dfsph, 1e-4)] {
        let setup = tank_in_space(method, AngleLaw::steady(8.0).expect("finite"));
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.set_wall_reaction(true);
        let gravity = setup.parameters.gravity.as_dvec3();
        // Largest torque of the box and of the walls about each axis, over the tolerance.
        let mut largest = [DVec3::ZERO; 2];
        for step in 0..30 {
            let before = momenta(&simulation);
            let center = simulation.bodies()[0].center().as_dvec3();
            let mass = f64::from(simulation.particle_mass());
            let arms: DVec3 = simulation.particles().positions.iter().map(|value| value.as_dvec3()).sum();
            let stats = simulation.step();
            assert_eq!(stats.error, None, "{method:?}");
            let dt = f64::from(stats.dt);
            let [body, walls] = [simulation.bodies()[0].force, *simulation.wall_reaction().expect("asked for")];
            let weight = mass * simulation.particles().len() as f64 * gravity;
            let moment = mass * arms.cross(gravity);
            let [momentum, angular] = momenta(&simulation);

            let off = momentum - before[0] - dt * weight + dt * (body.total() + walls.total());
            let parts = [body, walls].map(|force| [force.pressure, force.viscous, force.by(Force::Adhesion), force.contact]);
            let size = dt * (weight.length() + parts.iter().flatten().map(|part| part.length()).sum::<f64>());
            let tolerance = 1e-6 * size + rounding(&simulation, dt);
            assert!(off.length() < tolerance, "{method:?}, step {step}: {off} N s, more than {tolerance}");

            let torques = [body.torque, center.cross(body.total()), walls.torque];
            let off = angular - before[1] - dt * moment + dt * torques.iter().sum::<DVec3>();
            let size = dt * (moment.length() + torques.iter().map(|torque| torque.length()).sum::<f64>());
            let tolerance = exactness * size + 0.25 * rounding(&simulation, dt);
            assert!(off.length() < tolerance, "{method:?}, step {step}: {off} N m s, more than {tolerance}");

            let parts = [body.torque, walls.torque].map(|torque| dt / tolerance * torque.abs());
            largest = std::array::from_fn(|solid| largest[solid].max(parts[solid]));
            assert!(
                body.viscous.length() > 0.0 && walls.viscous.length() > 0.0 && body.by(Force::Adhesion).length() > 0.0,
                "{method:?}"
            );
        }
        assert!(largest.iter().all(|torque| torque.min_element() > 3.0), "{method:?}: {largest:?}");
    }
}

#[test]
fn no_particle_enters_a_box_that_turns_about_an_oblique_axis() {
    for method in Method::ALL {
        let law = AngleLaw::with_velocities([(0.0, 0.0), (0.1, 8.0), (0.3, -8.0)]).expect("ascending times");
        let mut simulation = Simulation::new(&tank_in_space(method, law)).expect("a valid setup");
        let count = simulation.particles().len();
        let mut nearest = f32::INFINITY;
        while simulation.time() < 0.3 {
            assert_eq!(simulation.step().error, None, "{method:?}");
            let PlacedBody { body, pose, .. } = &simulation.bodies()[0];
            for position in &simulation.particles().positions {
                let described = pose.start(position.as_dvec3()).as_vec3();
                let outside = ((described - body.middle()).abs() - body.half_extent()).max_element();
                assert!(outside > 0.0, "{method:?}: {position} is {} m inside after {} s", -outside, simulation.time());
                nearest = nearest.min(outside);
            }
        }
        // Water has been next to the box, which has turned: the angle is largest at 0.2 s, and 0.4 rad at the end.
        assert!(nearest < 0.1 && simulation.particles().len() == count, "{method:?}: {nearest} m");
        let angle = simulation.bodies()[0].body.motion.rotation().map(|rotation| rotation.angle(simulation.time()));
        assert!(angle.is_some_and(|angle| angle > 0.3), "{method:?}: {angle:?}");
    }
}
