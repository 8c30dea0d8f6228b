//! A user's hand: closed forms, the impulse that it gives, the particles that it adds, and bits for any number of threads.

use crate::common::{dam_break, setup};
use glam::Vec3;
use sph_core::*;

/// Fluid without gravity and walls, with steps of a fixed length, s.
const DT: f32 = 1e-3;

fn weightless() -> Simulation {
    let mut setup = setup(Dimensions::Three, 0.05, vec![FluidBlock::new(Vec3::ZERO, Vec3::splat(0.3))], Vec::new());
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.time_step.fixed_dt = Some(DT);
    setup.blocks.iter_mut().for_each(|block| block.initial_pressure = InitialPressure::Zero);
    let mut simulation = Simulation::new(&setup).unwrap();
    assert_eq!(simulation.step().error, None);
    simulation
}

/// Momentum over the mass of a particle, m/s.
fn momentum(simulation: &Simulation) -> glam::DVec3 {
    simulation.particles().velocities.iter().map(|velocity| velocity.as_dvec3()).sum()
}

const PUSH: Push =
    Push { center: Vec3::new(0.15, 0.2, 0.1), radius: 0.2, strength: -30.0, drag: 5.0, velocity: Vec3::new(1.0, 0.5, 0.0) };

#[test]
fn drag_far_from_the_edge_follows_the_closed_form() {
    // All fluid is so near to the centre of a wide hand that it feels the same: v = u (1 − (1 + k dt)⁻ⁿ).
    let mut simulation = weightless();
    let push = Push { radius: 1e4, strength: 0.0, drag: 20.0, ..PUSH };
    for _ in 0..25 {
        simulation.apply_hand(&Hand::Push(push)).unwrap();
        assert_eq!(simulation.step().error, None);
    }
    let share = 1.0 - (1.0 + 20.0 * f64::from(DT)).powi(-25);
    let mean = momentum(&simulation) / simulation.particles().len() as f64;
    let expected = share * PUSH.velocity.as_dvec3();
    assert!((mean - expected).length() < 1e-3 * expected.length(), "{mean} instead of {expected}");
}

#[test]
fn momentum_gained_is_the_impulse_applied() {
    let mut simulation = weightless();
    let push = Push { drag: 0.0, ..PUSH };
    let mut impulse = momentum(&simulation);
    for _ in 0..20 {
        for position in &simulation.particles().positions {
            let offset = (push.center - *position).as_dvec3();
            let weight = (1.0 - offset.length() / f64::from(push.radius)).max(0.0);
            impulse += weight * f64::from(push.strength * DT) * offset.normalize_or_zero();
        }
        simulation.apply_hand(&Hand::Push(push)).unwrap();
        assert_eq!(simulation.step().error, None);
    }
    // Without walls the forces of the fluid cancel.
    let gained = momentum(&simulation);
    assert!(impulse.length() > 1.0, "{impulse}");
    assert!((gained - impulse).length() < 1e-3 * impulse.length(), "{gained} instead of {impulse}");
}

#[test]
fn nothing_beyond_the_radius_is_touched() {
    let mut simulation = weightless();
    let before = simulation.particles().clone();
    simulation.apply_hand(&Hand::Push(PUSH)).unwrap();
    let after = simulation.particles();
    let touched = |i: usize| before.velocities[i] != after.velocities[i];
    let is_near = |i: usize| before.positions[i].distance(PUSH.center) < PUSH.radius;
    let wrong = (0..before.len()).find(|&i| touched(i) != is_near(i));
    assert_eq!(wrong, None);
}

/// Tank of a cubic metre with fluid 0.1 m deep, without gravity, with steps of a fixed length.
fn shallow_tank() -> Setup {
    let block = FluidBlock { initial_pressure: InitialPressure::Zero, ..FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 0.1, 1.0)) };
    let mut setup = setup(Dimensions::Three, 0.05, vec![block], vec![Container::new(Vec3::ZERO, Vec3::ONE)]);
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.time_step.fixed_dt = Some(DT);
    setup
}

#[test]
fn pouring_adds_a_disc_and_the_next_one_a_spacing_later() {
    let setup = shallow_tank();
    let spacing = setup.discretization.particle_spacing;
    let mut simulation = Simulation::new(&setup).unwrap();
    let pour = Hand::Pour(Pour {
        center: Vec3::new(0.5, 0.8, 0.5),
        radius: 0.12,
        velocity: Vec3::new(0.0, -2.5, 0.0),
        fluid: 0,
        rate: None,
    });
    // Points of a lattice of five by five, within the radius.
    let expected =
        (-2..=2).flat_map(|x| (-2..=2).map(move |z| (x * x + z * z) as f32)).filter(|r2| r2.sqrt() * spacing <= 0.12);
    let disc = expected.count();
    assert_eq!(simulation.apply_hand(&pour), Ok(disc));
    assert_eq!(simulation.apply_hand(&pour), Ok(0), "the disc is still there");
    // A spacing's way takes 20 steps.
    let mut added = 0;
    for _ in 0..21 {
        assert_eq!(simulation.step().error, None);
        added += simulation.apply_hand(&pour).unwrap();
    }
    assert_eq!(added, disc);
    let at_wall = Pour { center: Vec3::new(0.0, 0.8, 0.5), radius: 0.12, velocity: Vec3::NEG_Y, fluid: 0, rate: None };
    let inside = simulation.apply_hand(&Hand::Pour(at_wall)).unwrap();
    assert!((1..disc).contains(&inside), "{inside} of {disc}: none in the wall");
    assert!(simulation.particles().positions.iter().all(|position| position.min_element() > 0.0));
}

/// A disc at a wall reaches beyond it; nothing is poured there, from where it would fall for ever.
#[test]
fn nothing_is_poured_beyond_a_wall() {
    let tank = Container::new(Vec3::ZERO, Vec3::ONE);
    let setup = setup(Dimensions::Three, 0.05, vec![FluidBlock::new(Vec3::ZERO, Vec3::new(1.0, 0.1, 1.0))], vec![tank]);
    for center in [Vec3::new(0.5, 0.5, 1.0), Vec3::new(1.0, 0.5, 0.0), Vec3::new(0.5, 0.0, 0.9)] {
        let mut simulation = Simulation::new(&setup).unwrap();
        let count = simulation.particles().len();
        let pour = Pour { center, radius: 0.2, velocity: Vec3::new(0.0, -2.5, 0.0), fluid: 0, rate: None };
        for _ in 0..5 {
            simulation.apply_hand(&Hand::Pour(pour)).unwrap();
            assert_eq!(simulation.step().error, None);
        }
        let positions = &simulation.particles().positions;
        assert!(positions.len() > count || center.y == 0.0, "a part of the disc is inside");
        assert!(positions.iter().all(|at| at.cmpge(Vec3::ZERO).all() && at.cmple(Vec3::ONE).all()), "{center}");
    }
}

#[test]
fn a_rate_limits_what_is_poured_to_a_stream_at_the_centre() {
    let setup = shallow_tank();
    let spacing = setup.discretization.particle_spacing;
    let (center, velocity) = (Vec3::new(0.5, 0.8, 0.5), Vec3::new(0.0, -2.5, 0.0));
    let full = Pour { center, radius: 0.12, velocity, fluid: 0, rate: None };
    let poured = |rate: Option<f32>| {
        let mut simulation = Simulation::new(&setup).unwrap();
        let before = simulation.particles().len();
        for _ in 0..100 {
            assert_eq!(simulation.step().error, None);
            simulation.apply_hand(&Hand::Pour(Pour { rate, ..full })).unwrap();
        }
        let distance = |&at: &Vec3| (at - center).with_y(0.0).length();
        let high = simulation.particles().positions.iter().filter(|at| at.y > 0.4);
        (simulation.particles().len() - before, high.map(distance).fold(0.0, f32::max))
    };
    let seconds = 100.0 * DT;
    // A place takes 50 particles a second, so that the nine in the middle are enough for 300 a second.
    for rate in [7.0, 50.0, 300.0] {
        let (number, farthest) = poured(Some(rate));
        assert!((number as f32 - rate * seconds).abs() <= 1.0, "{number} at a rate of {rate}");
        assert!(farthest < 1.5 * spacing, "{farthest} m from the centre at a rate of {rate}");
    }
    let whole = full.full_rate(&setup.discretization);
    let (number, farthest) = poured(None);
    // The first disc comes at once.
    let ratio = number as f32 / (whole * seconds);
    assert!((1.0..1.5).contains(&ratio), "{number} at a rate of about {whole}");
    assert!(farthest > 2.0 * spacing);
    assert_eq!(poured(Some(100.0 * whole)).0, number, "there is no more room");
}

#[test]
fn a_grabbed_body_comes_to_the_hand() {
    let mut setup = dam_break(Dimensions::Two, 12);
    let mut ball = Body { min: Vec3::new(0.7, 0.6, 0.0), max: Vec3::new(0.9, 0.8, 0.0), ..Body::default() };
    ball.shape = BlockShape::Ellipsoid;
    ball.density = 500.0;
    ball.dynamics = Some(Dynamics::default());
    setup.bodies = vec![ball];
    let mut simulation = Simulation::new(&setup).unwrap();
    let point = Vec3::new(0.75, 0.75, 0.0);
    let grab = Hand::Grab(Grab { body: 0, point, time: 0.02, top_speed: 5.0 });
    while simulation.time() < 0.16 {
        simulation.apply_hand(&grab).unwrap();
        assert_eq!(simulation.step().error, None);
    }
    // It hangs g τ² = 4 mm below the hand.
    let [place, _] = simulation.bodies()[0].motion();
    assert!((place.as_vec3() - point).length() < 0.01, "{place}");
    let missing = Hand::Grab(Grab { body: 1, point, time: 0.02, top_speed: 5.0 });
    assert_eq!(simulation.apply_hand(&missing), Err(HandError::Body { body: 1 }));
}

#[test]
fn the_same_hands_give_the_same_bits_on_any_number_of_threads() {
    let pour = Pour { center: Vec3::new(0.7, 0.7, 0.2), radius: 0.1, velocity: Vec3::NEG_Y, fluid: 0, rate: None };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::new(&dam_break(Dimensions::Three, 8)).unwrap();
            for step in 0..30 {
                let hand = if step % 2 == 0 { Hand::Pour(pour) } else { Hand::Push(PUSH) };
                simulation.apply_hand(&hand).unwrap();
                assert_eq!(simulation.step().error, None);
            }
            simulation.state().clone()
        })
    };
    let one = run(1);
    assert!(one == run(3));
    assert!(one.particles.len() > Simulation::new(&dam_break(Dimensions::Three, 8)).unwrap().particles().len());
}

#[test]
fn numbers_outside_their_ranges_are_refused() {
    let mut simulation = weightless();
    let before = simulation.state().clone();
    let pour = Pour { center: Vec3::ONE, radius: 0.1, velocity: Vec3::NEG_Y, fluid: 0, rate: None };
    let grab = Grab { body: 0, point: Vec3::ZERO, time: 0.02, top_speed: 1.0 };
    let bad = [
        Hand::Push(Push { center: Vec3::NAN, ..PUSH }),
        Hand::Push(Push { radius: 0.0, ..PUSH }),
        Hand::Push(Push { strength: f32::INFINITY, ..PUSH }),
        Hand::Push(Push { drag: -1.0, ..PUSH }),
        Hand::Push(Push { velocity: Vec3::splat(1e5), ..PUSH }),
        Hand::Pour(Pour { radius: f32::NAN, ..pour }),
        Hand::Pour(Pour { radius: 1e6, ..pour }),
        Hand::Pour(Pour { velocity: Vec3::ZERO, ..pour }),
        Hand::Pour(Pour { fluid: 7, ..pour }),
        Hand::Pour(Pour { rate: Some(0.0), ..pour }),
        Hand::Grab(Grab { time: 0.0, ..grab }),
        Hand::Grab(grab),
    ];
    for hand in bad {
        assert!(simulation.apply_hand(&hand).is_err(), "{hand:?}");
        assert!(*simulation.state() == before, "{hand:?}");
    }
}
