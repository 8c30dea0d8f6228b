//! A box that turns about an oblique axis in water in space: reactions on it and on the walls, and its surface.

use crate::common::setup;
use glam::{DVec3, Vec3};
use sph_core::*;

/// Particle spacing, m.
const SPACING: f32 = 0.1;

/// Rounding of f32, relative.
const ROUNDING: f64 = 1.0 / (1u32 << 24) as f64;

/// A tank with water that sways in all directions, around a box that turns about the axis (1, 2, 3) with `law`.
fn tank(method: Method, law: AngleLaw) -> Setup {
    let velocity = Vec3::new(0.4, 0.1, -0.3);
    let block = FluidBlock { max: Vec3::new(0.9, 0.6, 0.8), velocity, around_bodies: true, ..FluidBlock::default() };
    let container = Container { max: Vec3::new(0.9, 0.9, 0.8), slip: Slip::NoSlip, ..Container::default() };
    let mut setup = setup(Dimensions::Three, SPACING, vec![block], vec![container]);
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

/// Bound on the rounding of the momentum in a step of `dt` (s): f32 rounds each velocity in ten or so sums, and the terms of
/// the pressure, whose pairs cancel but for their rounding. Errors of particles are independent; so their squares add up, and
/// twice the root is never exceeded.
fn rounding(simulation: &Simulation, dt: f64) -> f64 {
    let Particles { velocities, pressures, .. } = simulation.particles();
    let error = |(velocity, pressure): (&Vec3, &f32)| {
        let pairs = 2.0 * f64::from(pressure.abs() / 1000.0) * dt * 10.0 / f64::from(SPACING);
        10.0 * f64::from(velocity.length()) + pairs
    };
    let squares: f64 = velocities.iter().zip(pressures).map(|pair| error(pair).powi(2)).sum();
    2.0 * f64::from(simulation.particle_mass()) * ROUNDING * squares.sqrt()
}

/// What the fluid gains is its weight less what solids get. Central viscosity and pressure act along the lines between
/// particles, so that this is true of the angular momentum as well, but for two roundings: cached gradients of fluid pairs, of
/// DFSPH, are rounded to 1/32,000 of the largest along each axis; and x moves by dt v, which is exact to the rounding of x.
#[test]
fn momentum_and_angular_momentum_of_the_fluid_and_of_solids_add_up() {
    for (method, exactness) in [(Method::Wcsph, 3e-6), (Method::Dfsph, 1e-4)] {
        let setup = tank(method, AngleLaw::steady(8.0).expect("finite"));
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
            let parts = [body, walls].map(|force| [force.pressure, force.viscous, force.adhesion, force.contact]);
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
            assert!(body.viscous.length() > 0.0 && walls.viscous.length() > 0.0 && body.adhesion.length() > 0.0, "{method:?}");
        }
        assert!(largest.iter().all(|torque| torque.min_element() > 3.0), "{method:?}: {largest:?}");
    }
}

#[test]
fn no_particle_enters_a_box_that_turns_about_an_oblique_axis() {
    for method in Method::ALL {
        let law = AngleLaw::with_velocities([(0.0, 0.0), (0.1, 8.0), (0.3, -8.0)]).expect("ascending times");
        let mut simulation = Simulation::new(&tank(method, law)).expect("a valid setup");
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
        assert!(nearest < SPACING && simulation.particles().len() == count, "{method:?}: {nearest} m");
        let angle = simulation.bodies()[0].body.motion.rotation().map(|rotation| rotation.angle(simulation.time()));
        assert!(angle.is_some_and(|angle| angle > 0.3), "{method:?}: {angle:?}");
    }
}
