//! Particles that come and go: added and removed between steps, through emitters and drains; simulations made from a state.

use crate::common::{dam_break, setup};
use glam::{Vec2, Vec3};
use sph_core::neighbors::Structure;
use sph_core::probes::{FluxGate, Instruments, Probe};
use sph_core::*;

/// Pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Whole number below `end`.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// State with its particles in another order.
fn shuffled(state: &State, random: &mut Random) -> State {
    let mut state = state.clone();
    let mut order: Vec<u32> = (0..state.particles.len() as u32).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    state.particles.permute(&order, &mut Particles::default());
    state
}

/// Removes a few particles at random and adds some elsewhere, above the water.
fn disturb(simulation: &mut Simulation, random: &mut Random) {
    let ids = &simulation.particles().ids;
    // About as many as there are.
    let most = if ids.len() > 120 { 3 } else { 1 };
    let gone: Vec<u32> = (0..random.below(most)).map(|_| ids[random.below(ids.len())]).collect();
    let spacing = simulation.discretization().particle_spacing;
    let planar = simulation.discretization().dimensions == Dimensions::Two;
    let fluids = simulation.fluids().len().max(1);
    let new: Vec<NewParticle> = (0..random.below(3))
        .map(|_| {
            let part = |random: &mut Random| (random.below(64) as f32 + 0.5) / 64.0;
            let position = Vec3::new(0.9 * part(random) + 0.03, 0.6 + 0.08 * part(random), 0.4 * part(random) + 0.03);
            let position = if planar { position.with_z(0.0) } else { position };
            NewParticle { position, velocity: Vec3::new(0.0, -1.0, 0.0), pressure: 0.0, fluid: random.below(fluids) }
        })
        // None on top of another.
        .filter(|new| simulation.particles().positions.iter().all(|x| x.distance(new.position) > spacing))
        .collect();
    simulation.remove(&gone).expect("ids of particles");
    let one = new.first().copied();
    let ids = simulation.add(one.as_slice()).expect("valid particles");
    assert_eq!(ids.len(), one.as_slice().len());
}

/// Steps a simulation whose particles come and go beside one that is made anew, from the same state in another order, in each
/// step. Returns the simulation.
fn compare_with_new_ones(setup: &Setup, steps: u32) -> Simulation {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut simulation = Simulation::new(setup).expect("a valid setup");
    for step in 0..steps {
        disturb(&mut simulation, &mut random);
        let state = shuffled(simulation.state(), &mut random);
        let mut fresh = Simulation::from_state(setup, state).expect("the state of a simulation");
        let (stats, fresh_stats) = (simulation.step(), fresh.step());
        let name = (setup.parameters.solver.method, setup.parameters.grid.structure);
        assert_eq!(stats.error, None, "{name:?}, step {step}");
        assert_eq!(stats.kinetic_energy.to_bits(), fresh_stats.kinetic_energy.to_bits(), "{name:?}, step {step}");
        assert!(simulation.state() == fresh.state(), "{name:?}, step {step}: the states differ");
        let forces = |simulation: &Simulation| simulation.bodies().iter().map(|body| body.force).collect::<Vec<_>>();
        assert_eq!(forces(&simulation), forces(&fresh), "{name:?}, step {step}");
    }
    let Particles { ids, .. } = simulation.particles();
    assert!(
        simulation.state().next_id as usize > ids.len() + steps as usize / 8,
        "{} ids for {} particles",
        simulation.state().next_id,
        ids.len()
    );
    simulation
}

/// A tank with a fluid of 300 kg/m³ on one of 1000 kg/m³, and a bar that turns in both.
fn tank_of_two_fluids(method: Method) -> Setup {
    let block = |fluid: usize, low: f32| FluidBlock {
        min: Vec3::new(0.0, low, 0.0),
        max: Vec3::new(0.96, low + 0.24, 0.0),
        around_bodies: true,
        fluid,
        ..FluidBlock::default()
    };
    let container = Container { max: Vec3::new(0.96, 0.72, 0.0), ..Container::default() };
    let setup = setup(Dimensions::Two, 0.04, vec![block(0, 0.0), block(1, 0.24)], vec![container]);
    let mut setup = setup.with_fluids(vec![Fluid::new("heavy", 1000.0), Fluid::new("light", 300.0)]);
    setup.parameters.solver.method = method;
    let (min, max) = (Vec3::new(0.36, 0.18, 0.0), Vec3::new(0.64, 0.3, 0.0));
    let law = AngleLaw::steady(4.0).expect("finite");
    let rotation = Rotation::new(0.5 * (min + max), Vec3::Z, law).expect("a direction");
    let motion = Motion::default().with_rotation(rotation);
    setup.bodies = vec![Body { min, max, slip: Slip::NoSlip, motion, ..Body::default() }];
    setup
}

fn tank(method: Method, structure: Structure) -> Setup {
    let mut setup = dam_break(Dimensions::Two, 12);
    setup.containers[0].max = Vec3::new(0.96, 0.72, 0.48);
    setup.parameters.solver.method = method;
    setup.parameters.grid.structure = structure;
    setup
}

#[test]
fn a_state_determines_the_next_step_with_every_solver() {
    for method in Method::ALL {
        compare_with_new_ones(&tank(method, Structure::SortedCells), 200);
    }
}

#[test]
fn a_state_determines_the_next_step_with_every_structure() {
    for structure in Structure::all() {
        compare_with_new_ones(&tank(Method::Wcsph, structure), 120);
    }
}

#[test]
fn a_state_determines_the_next_step_with_every_force_that_remembers() {
    let mut setup = tank(Method::Wcsph, Structure::SortedCells);
    setup.parameters.fluid.viscosity_model = ViscosityModel::Implicit;
    setup.parameters.fluid.kinematic_viscosity = 1e-2;
    setup.parameters.forces.vorticity_transfer = 0.05;
    setup.parameters.solver.wcsph.integration = Integration::PredictorCorrector;
    compare_with_new_ones(&setup, 200);
    setup.parameters.solver.method = Method::Dfsph;
    setup.domain = Domain { periodic: glam::BVec3::new(true, false, false), max: setup.containers[0].max, ..Domain::default() };
    setup.containers[0].max.x = setup.domain.max.x;
    compare_with_new_ones(&setup, 200);
}

#[test]
fn a_state_determines_the_next_step_of_two_fluids_around_a_turning_body() {
    for method in [Method::Wcsph, Method::Dfsph] {
        let setup = tank_of_two_fluids(method);
        let first_new = Simulation::new(&setup).expect("a valid setup").state().next_id;
        let simulation = compare_with_new_ones(&setup, 200);
        let Particles { ids, fluids, .. } = simulation.particles();
        for fluid in [0, 1] {
            let new = ids.iter().zip(fluids).filter(|&(&id, &of)| id >= first_new && of == fluid).count();
            assert!(new > 5, "{method:?}: {new} new particles of fluid {fluid}");
        }
        let force = simulation.bodies()[0].force;
        assert!(force.pressure.length() > 0.01 && force.torque.z != 0.0, "{method:?}: {force:?}");
    }
}

#[test]
fn all_particles_can_leave_and_others_come() {
    for method in Method::ALL {
        let mut simulation = Simulation::new(&tank(method, Structure::SortedCells)).expect("a valid setup");
        simulation.step();
        let ids = simulation.particles().ids.clone();
        simulation.remove(&ids).expect("their ids");
        for _ in 0..3 {
            let stats = simulation.step();
            assert!(stats.error.is_none() && stats.density_error == 0.0 && stats.dt > 0.0, "{method:?}: {stats:?}");
        }
        let new = NewParticle { position: Vec3::new(0.5, 0.5, 0.0), ..NewParticle::default() };
        assert_eq!(simulation.add(&[new]), Ok(ids.len() as u32..ids.len() as u32 + 1));
        let stats = simulation.step();
        assert!(stats.error.is_none() && stats.particles == 1 && simulation.particles().velocities[0].y < 0.0, "{method:?}");
    }
}

#[test]
fn invalid_changes_are_refused_and_change_nothing() {
    let setup = tank(Method::Dfsph, Structure::SortedCells);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.step();
    let before = simulation.state().clone();
    let add = |simulation: &mut Simulation, particle| simulation.add(&[NewParticle::default(), particle]).expect_err("refused");
    let invalid = |index, attribute| PopulationError::Invalid { index, attribute };
    let nan = Vec3::splat(f32::NAN);
    assert_eq!(add(&mut simulation, NewParticle { position: nan, ..NewParticle::default() }), invalid(1, "positions"));
    assert_eq!(add(&mut simulation, NewParticle { velocity: Vec3::Z, ..NewParticle::default() }), invalid(1, "velocities"));
    assert_eq!(simulation.remove(&[3, 4_000_000]), Err(PopulationError::UnknownId { id: 4_000_000 }));
    assert!(*simulation.state() == before);

    let refused = |change: fn(&mut State)| {
        let mut state = before.clone();
        change(&mut state);
        Simulation::from_state(&setup, state).expect_err("refused")
    };
    assert_eq!(refused(|state| state.particles.ids[1] = state.particles.ids[2]).to_string().split(' ').next(), Some("the"));
    assert!(matches!(refused(|state| state.next_id = 7), PopulationError::InvalidId { .. }));
    assert!(matches!(
        refused(|state| state.particles.velocities.truncate(3)),
        PopulationError::Length { attribute: "velocities", .. }
    ));
    assert!(matches!(refused(|state| state.particles.densities[5] = 0.0), PopulationError::Density { index: 5 }));
    assert_eq!(refused(|state| state.time = f64::NAN), PopulationError::Time { name: "time" });
    assert!(matches!(refused(|state| state.parameters.gravity.x = f32::NAN), PopulationError::Parameter(_)));
}

#[test]
fn new_particles_of_unknown_fluids_are_refused() {
    let add = |setup: &Setup, fluid: usize| {
        let mut simulation = Simulation::new(setup).expect("a valid setup");
        let before = simulation.state().clone();
        let position = Vec3::new(0.5, 0.6, 0.0);
        let particles = [NewParticle { position, ..NewParticle::default() }, NewParticle { fluid, ..NewParticle::default() }];
        let result = simulation.add(&particles);
        assert_eq!(*simulation.state() == before, result.is_err());
        result
    };
    let (one, two) = (tank(Method::Wcsph, Structure::SortedCells), tank_of_two_fluids(Method::Wcsph));
    // 256 is 0 in the eight bits of an index.
    for fluid in [2, 256, usize::MAX] {
        assert_eq!(add(&two, fluid), Err(PopulationError::UnknownFluid { index: 1, fluid }));
    }
    for fluid in [1, 256] {
        assert_eq!(add(&one, fluid), Err(PopulationError::UnknownFluid { index: 1, fluid }));
    }
    assert!(add(&two, 1).is_ok() && add(&one, 0).is_ok());
}

#[test]
fn states_whose_fluids_do_not_fit_the_setup_are_refused() {
    let (one, two) = (tank(Method::Dfsph, Structure::SortedCells), tank_of_two_fluids(Method::Dfsph));
    let resumed = |setup: &Setup, change: fn(&mut Vec<u8>, usize)| {
        let mut state = Simulation::new(setup).expect("a valid setup").state().clone();
        let count = state.particles.len();
        change(&mut state.particles.fluids, count);
        Simulation::from_state(setup, state).map(|_| count)
    };
    let count = resumed(&two, |_, _| ()).expect("unchanged");
    assert_eq!(resumed(&two, |fluids, _| fluids[3] = 2), Err(PopulationError::UnknownFluid { index: 3, fluid: 2 }));
    let length = |found| PopulationError::Length { attribute: "fluids", found, expected: count };
    assert_eq!(resumed(&two, |fluids, _| fluids.clear()), Err(length(0)));
    assert_eq!(resumed(&two, |fluids, _| fluids.truncate(3)), Err(length(3)));
    // With one fluid there is no table, so that not even 0 is in it.
    let given = resumed(&one, |fluids, count| fluids.resize(count, 0));
    assert_eq!(given, Err(PopulationError::UnknownFluid { index: 0, fluid: 0 }));
}

const SPACING: f32 = 0.02;

/// An emitter of 1 m/s into weightless space, 0.1 m wide.
fn jet(dimensions: Dimensions, method: Method) -> Setup {
    let mut setup = setup(dimensions, SPACING, Vec::new(), Vec::new());
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.solver.method = method;
    setup.openings.emitters = vec![Emitter {
        center: Vec3::ZERO,
        direction: Vec3::X,
        aperture: Aperture::Rectangle { size: Vec2::splat(0.1) },
        rate: Rate::Speed(Schedule::constant(1.0).expect("a schedule")),
        fluid: 0,
    }];
    setup.parameters.fluid.sound_speed = 20.0;
    setup
}

fn run(simulation: &mut Simulation, end: f64) -> Exchange {
    let mut all = Exchange::default();
    while simulation.time() < end {
        let stats = simulation.step();
        assert_eq!(stats.error, None);
        all.emitted += stats.exchange.emitted;
        all.withheld += stats.exchange.withheld;
        all.drained += stats.exchange.drained;
    }
    all
}

/// A jet without weight or viscosity keeps its speed, and its length is what has come out.
#[test]
fn a_weightless_jet_stays_a_jet_with_every_solver() {
    for (method, dimensions) in Method::ALL.into_iter().flat_map(|m| [(m, Dimensions::Two), (m, Dimensions::Three)]) {
        let mut simulation = Simulation::new(&jet(dimensions, method)).expect("a valid setup");
        let exchange = run(&mut simulation, 0.5);
        let sheet = 5usize.pow(dimensions.count() as u32 - 1);
        // 0.5 m are 25 sheets; the last step reaches a little further.
        assert!((24 * sheet..=26 * sheet).contains(&exchange.emitted), "{method:?} {dimensions:?}: {exchange:?}");
        assert_eq!((exchange.withheld, exchange.drained), (0, 0), "{method:?} {dimensions:?}");
        let Particles { positions, velocities, .. } = simulation.particles();
        let slowest = velocities.iter().map(|v| (*v - Vec3::X).length()).fold(0.0, f32::max);
        assert!(slowest < 0.05, "{method:?} {dimensions:?}: {slowest} m/s off");
        let front = positions.iter().map(|x| x.x).fold(0.0, f32::max);
        assert!((front - 0.49).abs() < 0.02, "{method:?} {dimensions:?}: front at {front} m");
    }
}

#[test]
fn a_drain_takes_what_an_emitter_gives_and_the_limit_holds() {
    let mut setup = jet(Dimensions::Two, Method::Wcsph);
    setup.openings.drains = vec![Drain { min: Vec3::new(0.4, -1.0, 0.0), max: Vec3::new(0.6, 1.0, 0.0), ..Drain::default() }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let exchange = run(&mut simulation, 1.5);
    let present = simulation.particles().len();
    assert_eq!(exchange.emitted - exchange.drained, present);
    // Between the emitter and the drain there is room for 20 sheets of 5.
    assert!((95..=105).contains(&present), "{present} particles");
    setup.openings.particle_limit = Some(60);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let exchange = run(&mut simulation, 0.39);
    assert_eq!((simulation.particles().len(), exchange.emitted), (60, 60));
    assert!(exchange.withheld > 0);
}

/// A jet flows over a sphere: what enters it goes, and nothing else. The oracle is the particles' own distance from the centre.
#[test]
fn a_spherical_drain_removes_what_enters_the_sphere() {
    let (center, radius) = (Vec3::new(0.3, 0.06, 0.0), 0.06f32);
    let mut setup = jet(Dimensions::Three, Method::Wcsph);
    let corners = [center - radius, center + radius];
    let ball = Shape::in_box(ShapeKind::Sphere, Dimensions::Three, corners[0], corners[1], Axis::Y).expect("a cube");
    let [min, max] = corners;
    setup.openings.drains = vec![Drain { min, max, region: Some(ball.into()), velocity: None }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let (mut drained, mut passed) = (0, 0);
    while simulation.time() < 0.6 {
        let distances = simulation.particles().positions.iter().map(|at| at.distance(center));
        let entered = distances.filter(|distance| *distance <= radius).count();
        let stats = simulation.step();
        assert_eq!((stats.error, stats.exchange.drained), (None, entered));
        drained += entered;
        passed = simulation.particles().positions.iter().filter(|at| at.x > center.x + radius).count();
    }
    // The sphere takes the upper part of the jet, which is 0.1 m thick; the rest flows past.
    assert!(drained > 100 && passed > 100, "{drained} gone, {passed} past");
}

#[test]
fn bits_with_openings_depend_on_the_state_alone() {
    let mut setup = jet(Dimensions::Two, Method::Dfsph);
    setup.openings.drains =
        vec![Drain { min: Vec3::new(0.1, -1.0, 0.0), max: Vec3::new(0.6, 1.0, 0.0), velocity: Some(Vec3::X), region: None }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    for _ in 0..150 {
        let mut resumed = Simulation::from_state(&setup, simulation.state().clone()).expect("a valid state");
        assert_eq!(simulation.step().exchange, resumed.step().exchange);
        assert_eq!(simulation.state(), resumed.state());
    }
}

/// A channel of uniform flow, driven by its ends, keeps its depth.
#[test]
fn a_channel_keeps_its_level() {
    let (depth, length, speed) = (0.16, 0.6, 1.0);
    let block = FluidBlock {
        max: Vec3::new(length, depth, 0.0),
        velocity: Vec3::new(speed, 0.0, 0.0),
        initial_pressure: InitialPressure::Hydrostatic,
        ..FluidBlock::default()
    };
    let container = Container {
        min: Vec3::new(-0.2, 0.0, 0.0),
        max: Vec3::new(length + 0.4, 0.4, 0.0),
        faces: [Face::YMin].into_iter().collect(),
        ..Container::default()
    };
    let mut setup = setup(Dimensions::Two, SPACING, vec![block], vec![container]);
    setup.openings.emitters = vec![Emitter {
        center: Vec3::new(0.0, 0.5 * depth, 0.0),
        direction: Vec3::X,
        aperture: Aperture::Rectangle { size: Vec2::new(depth, 1.0) },
        rate: Rate::Speed(Schedule::constant(speed.into()).expect("a schedule")),
        fluid: 0,
    }];
    setup.openings.drains = vec![Drain {
        min: Vec3::new(length - 0.06, -1.0, 0.0),
        max: Vec3::new(length, 1.0, 0.0),
        velocity: Some(Vec3::new(speed, 0.0, 0.0)),
        region: None,
    }];
    setup.parameters.fluid.sound_speed = setup.usual_sound_speed();
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    // Five times the time that the flow takes through it; the depth of the middle, over the last half.
    let end = 5.0 * f64::from(length / speed);
    let (mut sum, mut steps) = (0, 0);
    while simulation.time() < end {
        assert_eq!(simulation.step().error, None);
        if simulation.time() > 0.5 * end {
            sum += simulation.particles().positions.iter().filter(|x| (0.2..0.4).contains(&x.x)).count();
            steps += 1;
        }
    }
    let found = f64::from(sum as u32) / f64::from(steps) / 10.0 * f64::from(SPACING);
    assert!((found / f64::from(depth) - 1.0).abs() < 0.02, "{found} m deep");
}

/// The flow through a gate is the emitter's, and what has passed is the mass beyond it.
#[test]
fn a_gate_measures_the_flow_of_a_jet() {
    for dimensions in [Dimensions::Two, Dimensions::Three] {
        let mut simulation = Simulation::new(&jet(dimensions, Method::Wcsph)).expect("a valid setup");
        let aperture = Aperture::Rectangle { size: Vec2::splat(0.3) };
        let gate = FluxGate { center: 0.2 * Vec3::X, direction: 2.0 * Vec3::X, aperture };
        let back = FluxGate { direction: Vec3::NEG_X, ..gate };
        let beside = FluxGate { center: Vec3::new(0.2, 1.0, 0.0), ..gate };
        let mut instruments = Instruments::new([gate, back, beside].map(Probe::Flux));
        let mut restored = instruments.clone();
        instruments.record(&simulation.view());
        let (mut flows, mut steps) = (0.0, 0);
        while simulation.time() < 0.6 {
            assert_eq!(simulation.step().error, None);
            instruments.record(&simulation.view());
            if simulation.time() > 0.3 {
                flows += instruments.read(&simulation.view())[0].expect("a flow");
                steps += 1;
            }
        }
        let readings = instruments.read(&simulation.view());
        let view = simulation.view();
        let beyond = (0..view.particles.len()).filter(|&i| view.particles.positions[i].x > 0.2);
        let mass: f64 = beyond.map(|i| view.mass_of(i)).sum();
        // 1 m/s through 0.1 m, in space 0.1 m × 0.1 m, of water.
        let expected = 1000.0 * 0.1f64.powi(dimensions.count() as i32 - 1);
        let flow = flows / f64::from(steps);
        assert!((flow / expected - 1.0).abs() < 0.01, "{dimensions:?}: {flow} kg/s, expected {expected}");
        let passed = readings[1].expect("a mass");
        // A sheet of particles may be half through.
        let sheet = 0.02 * expected;
        assert!((passed - mass).abs() < sheet, "{dimensions:?}: {passed} kg passed, {mass} kg are beyond");
        assert_eq!((readings[2], readings[3]), (readings[0].map(|flow| -flow), Some(-passed)));
        assert_eq!((readings[4], readings[5]), (Some(0.0), Some(0.0)), "beside the jet");
        assert!(!restored.restore(&instruments.memory()[1..]) && restored.restore(&instruments.memory()));
        assert_eq!(restored.read(&simulation.view()), readings);
    }
}
