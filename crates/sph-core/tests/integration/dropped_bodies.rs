//! Bodies that are dropped while a simulation runs: their motion, the bits of what follows, and places where there is no room.

use crate::common::setup;
use crate::common::{POOL_SPACING, pool};
use glam::{BVec3, DVec3, Vec3};
use sph_core::*;

/// Standard gravity, m/s².
const GRAVITY: f64 = 9.81;

/// A box of half the density of water, in the air above it.
const BOX: DroppedBody = DroppedBody {
    center: Vec3::new(0.55, 0.68, 0.0),
    size: 0.3,
    shape: DroppedShape::Box,
    density: 500.0,
    velocity: Vec3::ZERO,
};

const BALL: DroppedBody = DroppedBody {
    center: Vec3::new(0.3, 1.2, 0.0),
    size: 0.2,
    shape: DroppedShape::Ball,
    density: 2000.0,
    velocity: Vec3::new(0.5, -1.0, 0.0),
};

fn steps(simulation: &mut Simulation, count: usize) {
    for _ in 0..count {
        assert_eq!(simulation.step().error, None, "at {} s", simulation.time());
    }
}

/// Runs `work` on `threads` threads.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
}

#[test]
fn before_it_touches_the_water_a_body_falls_along_a_parabola() {
    let mut simulation = Simulation::new(&pool(Method::Wcsph)).expect("a valid setup");
    steps(&mut simulation, 10);
    let start = simulation.time();
    simulation.drop_body(&BALL).expect("there is room");
    while simulation.time() < start + 0.15 {
        steps(&mut simulation, 1);
    }
    let time = simulation.time() - start;
    let velocity = BALL.velocity.as_dvec3() - GRAVITY * time * DVec3::Y;
    let place = BALL.center.as_dvec3() + time * BALL.velocity.as_dvec3() - 0.5 * GRAVITY * time * time * DVec3::Y;
    let [found, speed] = simulation.bodies()[0].motion();
    assert!(place.y > 0.7 && found.distance(place) < 2e-3, "{found} m instead of {place} m");
    assert!(speed.distance(velocity) < 1e-3, "{speed} m/s instead of {velocity} m/s");
}

/// Archimedes: half as dense as water, it displaces half its volume. Its weight is that of the water which it displaces: the water level
/// rises by ρ_b A/(ρ_w w).
#[test]
fn a_body_half_as_dense_as_water_floats_half_immersed() {
    let mut setup = pool(Method::Dfsph);
    setup.parameters.fluid.kinematic_viscosity = 5e-3;
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.drop_body(&DroppedBody { center: Vec3::new(0.6, 0.68, 0.0), ..BOX }).expect("there is room");
    let (mut sum, mut count) = (0.0, 0.0);
    while simulation.time() < 2.5 {
        steps(&mut simulation, 1);
        if simulation.time() > 1.0 {
            (sum, count) = (sum + simulation.bodies()[0].motion()[0].y, count + 1.0);
        }
    }
    let level = 0.5 + 0.5 * 0.3 * 0.3 / 1.2;
    let immersed = (level - (sum / count - 0.15)) / 0.3;
    // The body's surface is half a spacing from the nearest fluid: a part of it that is not wet.
    assert!((0.4..0.6).contains(&immersed), "{immersed} of it is immersed");
}

#[test]
fn a_state_with_dropped_bodies_determines_the_next_steps_to_the_bit() {
    // The other pairs have bodies that are moved.
    for (index, method) in Method::ALL.into_iter().enumerate() {
        for sampling in
            [WallSampling::Layers, WallSampling::SingleLayer, WallSampling::Analytic].into_iter().skip(index % 2).step_by(2)
        {
            let mut setup = pool(method);
            setup.wall_sampling = sampling;
            let run = |resumes: bool| {
                let mut simulation = Simulation::new(&setup).expect("a valid setup");
                let again = |simulation: Simulation| {
                    let resumed = || Simulation::from_state(&setup, simulation.state().clone()).expect("a valid state");
                    if resumes { resumed() } else { simulation }
                };
                steps(&mut simulation, 5);
                simulation.drop_body(&BOX).expect("there is room");
                simulation = again(simulation);
                steps(&mut simulation, 20);
                simulation.drop_body(&BALL).expect("there is room");
                steps(&mut simulation, 5);
                simulation = again(simulation);
                steps(&mut simulation, 25);
                simulation.state().clone()
            };
            let whole = on_threads(1, || run(false));
            assert_eq!((whole.dropped.as_slice(), whole.bodies.len()), ([BOX, BALL].as_slice(), 2));
            let resumed = on_threads(2, || run(true));
            assert_eq!(resumed.bodies, whole.bodies, "{method:?}, {sampling:?}");
            assert!(resumed == whole, "{method:?}, {sampling:?}: the bits differ");
        }
    }
}

#[test]
fn going_back_undoes_a_drop_and_going_forth_repeats_it() {
    for method in Method::ALL {
        let setup = pool(method);
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        steps(&mut simulation, 8);
        let before = simulation.state().clone();
        steps(&mut simulation, 30);
        let never = simulation.state().clone();
        simulation.restore(before.clone()).expect("its own state");
        simulation.drop_body(&BOX).expect("there is room");
        steps(&mut simulation, 15);
        let between = simulation.state().clone();
        steps(&mut simulation, 15);
        let dropped = simulation.state().clone();
        assert!(dropped.particles != never.particles, "{method:?}: the body has touched the water");
        simulation.restore(before).expect("its own state");
        assert!(simulation.bodies().is_empty());
        steps(&mut simulation, 30);
        assert!(*simulation.state() == never, "{method:?}: the bits differ without the body");
        simulation.restore(between).expect("its own state");
        steps(&mut simulation, 15);
        assert!(*simulation.state() == dropped, "{method:?}: the bits differ with the body");
    }
}

/// Volumes of a calibrated layer depend on what is near: not on bodies that are dropped.
#[test]
fn boundary_particles_of_the_setup_keep_their_indices_and_volumes() {
    for sampling in [WallSampling::Layers, WallSampling::SingleLayer, WallSampling::Analytic] {
        let mut setup = pool(Method::Wcsph);
        setup.wall_sampling = sampling;
        let (min, max) = (Vec3::new(0.8, 0.9, 0.0), Vec3::new(1.0, 1.1, 0.0));
        setup.bodies = vec![Body { min, max, dynamics: Some(Dynamics::default()), ..Body::default() }];
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        let before = simulation.boundary().clone();
        // Where the body of the setup has been at time 0.
        while simulation.bodies()[0].center().y > 0.6 {
            steps(&mut simulation, 1);
        }
        let body = DroppedBody { center: Vec3::new(0.9, 1.0, 0.0), size: 0.2, ..BOX };
        simulation.drop_body(&body).expect("it has fallen");
        let after = simulation.boundary();
        assert!(after.len() > before.len() && after.volumes[..before.len()] == before.volumes, "{sampling:?}");
        assert_eq!(simulation.bodies()[1].boundary_particles(), before.len()..after.len());
        steps(&mut simulation, 10);
        assert_eq!(simulation.bodies()[0].body.motion, setup.bodies[0].motion);
    }
}

#[test]
fn bodies_without_room_and_numbers_outside_their_ranges_are_refused() {
    let mut setup = pool(Method::Wcsph);
    setup.bodies = vec![Body { min: Vec3::new(0.9, 0.9, 0.0), max: Vec3::new(1.1, 1.1, 0.0), ..Body::default() }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    steps(&mut simulation, 3);
    let before = simulation.state().clone();
    let at = |x: f32, y: f32| DroppedBody { center: Vec3::new(x, y, 0.0), ..BOX };
    for (body, expected) in [
        (at(0.6, 0.3), Obstacle::Fluid),
        (at(0.1, 1.0), Obstacle::Wall),
        (at(0.19, 1.0), Obstacle::Wall),
        (at(1.0, 1.0), Obstacle::Body),
        (at(0.8, 1.0), Obstacle::Body),
        // Around all of it.
        (DroppedBody { size: 0.6, ..at(0.95, 0.95) }, Obstacle::Wall),
        (DroppedBody { size: 5.0, ..at(0.6, 0.8) }, Obstacle::Wall),
        (at(3.0, 1.0), Obstacle::Beyond),
        (at(0.6, -1.0), Obstacle::Beyond),
    ] {
        let result = simulation.drop_body(&body);
        let is_expected = match result {
            Err(HandError::NoRoom { obstacle }) => obstacle == expected || body.size > 0.5,
            _ => false,
        };
        assert!(is_expected, "{body:?}: {result:?}");
        assert!(*simulation.state() == before, "{body:?}");
    }
    for (body, name) in [
        (DroppedBody { center: Vec3::NAN, ..BOX }, "drop.center"),
        (DroppedBody { center: BOX.center.with_z(0.1), ..BOX }, "drop.center"),
        // Where floats are 0.06 m apart.
        (DroppedBody { center: Vec3::new(9e5, 1.0, 0.0), size: 0.1, ..BOX }, "drop.center"),
        (DroppedBody { size: POOL_SPACING, ..BOX }, "drop.size"),
        (DroppedBody { size: f32::INFINITY, ..BOX }, "drop.size"),
        (DroppedBody { density: 0.0, ..BOX }, "drop.density"),
        (DroppedBody { density: f32::NAN, ..BOX }, "drop.density"),
        (DroppedBody { density: 2e4, ..BOX }, "drop.density"),
        (DroppedBody { velocity: Vec3::Z, ..BOX }, "drop.velocity"),
        (DroppedBody { velocity: Vec3::splat(f32::NAN), ..BOX }, "drop.velocity"),
    ] {
        let error = simulation.drop_body(&body).expect_err("out of range").to_string();
        assert!(error.starts_with(name), "{body:?}: {error}");
        assert!(*simulation.state() == before, "{body:?}");
    }
    let huge = DroppedBody { size: 1e6, ..BOX };
    assert!(matches!(simulation.drop_body(&huge), Err(HandError::Population(PopulationError::TooMany { .. }))));
    simulation.drop_body(&BOX).expect("there is room");
    assert_eq!(simulation.drop_body(&BOX), Err(HandError::NoRoom { obstacle: Obstacle::Body }));
}

#[test]
fn states_with_impossible_bodies_are_refused() {
    let setup = pool(Method::Wcsph);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.drop_body(&BOX).expect("there is room");
    let good = simulation.state().clone();
    let refused = |change: &dyn Fn(&mut State)| {
        let mut state = good.clone();
        change(&mut state);
        let mut other = simulation.clone();
        let error = other.restore(state.clone()).expect_err("not possible");
        assert!(*other.state() == good, "{error}");
        assert_eq!(Simulation::from_state(&setup, state).err(), Some(error.clone()));
        error
    };
    let invalid = |index| PopulationError::InvalidDropped { index };
    assert_eq!(refused(&|state| state.dropped[0].size = f32::NAN), invalid(0));
    assert_eq!(refused(&|state| state.dropped[0].density = -1.0), invalid(0));
    assert_eq!(refused(&|state| state.dropped.clear()), PopulationError::Bodies { found: 1, expected: 0 });
    assert_eq!(refused(&|state| state.bodies.clear()), PopulationError::Bodies { found: 0, expected: 1 });
    let many = refused(&|state| {
        state.dropped = vec![BOX; DroppedBody::MAX + 1];
        state.bodies = vec![state.bodies[0]; DroppedBody::MAX + 1];
    });
    assert_eq!(many, invalid(DroppedBody::MAX));
    let large = refused(&|state| state.dropped[0].size = 1e6);
    assert!(matches!(large, PopulationError::TooMany { .. }), "{large}");
}

#[test]
fn the_site_finds_a_place_that_is_accepted() {
    for sampling in [WallSampling::Layers, WallSampling::SingleLayer, WallSampling::Analytic] {
        let mut setup = pool(Method::Dfsph);
        setup.wall_sampling = sampling;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        // In the water, in a corner, in a body that floats, and outside: one above the other.
        for (at, shape) in [
            ([0.6, 0.2], DroppedShape::Box),
            ([0.0, 0.0], DroppedShape::Ball),
            ([0.6, 0.4], DroppedShape::Ball),
            ([7.0, 0.3], DroppedShape::Box),
        ] {
            steps(&mut simulation, 10);
            let wanted = DroppedBody { center: Vec3::new(at[0], at[1], 0.0), size: 0.2, shape, ..BOX };
            let view = simulation.view();
            let bodies = view.bodies.iter().map(|placed| (&placed.body, placed.pose));
            let placed = DropSite::of(&view).place(wanted, bodies).expect("there is room above");
            assert!(placed.center.y > 0.5, "{placed:?}");
            assert_eq!(simulation.drop_body(&placed), Ok(()), "{sampling:?}: {placed:?}");
        }
        steps(&mut simulation, 50);
    }
}

/// The corners of the box around a cylinder are outside.
#[test]
fn a_container_that_is_no_box_ends_where_its_region_ends() {
    let (max, block) = (Vec3::new(0.8, 1.0, 0.8), [Vec3::new(0.2, 0.0, 0.2), Vec3::new(0.6, 0.2, 0.6)]);
    let cylinder = Shape::in_box(ShapeKind::Cylinder, Dimensions::Three, Vec3::ZERO, max, Axis::Y).expect("round");
    let block = FluidBlock { min: block[0], max: block[1], ..FluidBlock::default() };
    let setup = setup(Dimensions::Three, POOL_SPACING, vec![block], vec![Container::around(&cylinder.into(), Faces::ALL)]);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let at = |x: f32, size: f32| DroppedBody { center: Vec3::new(x, 0.7, x), size, ..BALL };
    assert_eq!(simulation.drop_body(&at(0.06, 0.1)), Err(HandError::NoRoom { obstacle: Obstacle::Beyond }));
    let view = simulation.view();
    let place = |body| DropSite::of(&view).place(body, []);
    assert_eq!(place(at(0.06, 0.1)), None);
    let inside = at(0.4, 0.2);
    assert_eq!(place(inside), Some(inside));
    assert_eq!(simulation.drop_body(&inside), Ok(()));
}

/// Above a container that is open at its top a body may be over the edge, between the other walls.
#[test]
fn a_container_that_is_open_at_its_top_has_room_above_it() {
    let mut open = pool(Method::Wcsph);
    open.containers[0].faces = Face::ALL.into_iter().filter(|&face| face != Face::YMax).collect();
    let mut simulation = Simulation::new(&open).expect("a valid setup");
    let wanted = DroppedBody { center: Vec3::new(7.0, 1.6, 0.0), size: 0.2, ..BOX };
    let placed = DropSite::of(&simulation.view()).place(wanted, []).expect("there is room");
    assert!(placed.center.y == 1.6 && placed.center.x < 1.1, "{placed:?}");
    assert_eq!(simulation.drop_body(&placed), Ok(()));
}

#[test]
fn a_body_does_not_meet_its_own_images() {
    let mut setup = pool(Method::Wcsph);
    setup.domain = Domain { periodic: BVec3::new(true, false, false), min: Vec3::ZERO, max: Vec3::new(1.2, 1.6, 0.0) };
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let wide = DroppedBody { center: Vec3::new(0.6, 1.2, 0.0), size: 1.15, shape: DroppedShape::Box, ..BOX };
    let error = simulation.drop_body(&wide).expect_err("its sides would meet").to_string();
    assert!(error.starts_with("drop.size"), "{error}");
    assert_eq!(DropSite::of(&simulation.view()).place(wide, []), None);
}
