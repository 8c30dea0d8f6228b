//! Balls, cloth and fluid: buoyancy, momentum, leaks, and the bits.

use std::any::Any;
use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use sph_core::neighbors::{GridParameters, Structure};
use sph_core::point_sets::{
    Coating, ColumnValues, PENDING_IMPULSE, PointDynamics, PointReport, PointSet, PointSetup, PointSource, PointStep,
};
use sph_core::{
    Container, Dimensions, Discretization, Engine as _, FluidBlock, Hand, InitialPressure, Method, Pour, Remark, Setup,
    Simulation, WallSampling,
};
use sph_pbd::balls::{BallMaterial, BallsSetup, Placement, Radii};
use sph_pbd::cloth::{ClothSettings, ClothSetup, Grid, TORN};
use sph_pbd::{BallSettings, PbdSetup};

/// Particle spacing, m.
const SPACING: f32 = 0.05;

/// Density of water, kg/m³, and gravity, m/s².
const WATER: f64 = 1000.0;
const GRAVITY: f64 = 9.81;

/// A set of balls of `radius` (m) around `centers` (m).
pub fn balls(radius: f32, centers: Vec<Vec3>, density: f32) -> BallsSetup {
    BallsSetup {
        name: "balls".to_owned(),
        count: centers.len(),
        radii: Radii::Equal(radius),
        seed: 1,
        placement: Placement::At(centers),
        density,
        material: BallMaterial::default(),
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        color: None,
    }
}

fn points(sets: &[BallsSetup]) -> PointSetup {
    points_with(&[], sets)
}

fn points_with(cloths: &[ClothSetup], sets: &[BallsSetup]) -> PointSetup {
    let setup = PbdSetup::new(cloths, ClothSettings::default()).expect("valid cloths");
    let sets = sets.iter().map(|set| set.build().expect("valid balls")).collect();
    PointSetup::new(setup.with_balls(sets, BallSettings::default()))
}

/// A pool with a square floor, `width` (m) wide, of this `depth`, m.
fn pool(method: Method, width: f32, depth: f32, points: PointSetup) -> Setup {
    let max = Vec3::new(width, depth, width);
    let block =
        FluidBlock { max, around_bodies: true, initial_pressure: InitialPressure::Hydrostatic, ..FluidBlock::default() };
    let container = Container { max: max.with_y(2.0 * depth), ..Container::default() };
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, SPACING), vec![block], vec![container]);
    setup.parameters.solver.method = method;
    setup.points = Some(points);
    setup
}

fn start(setup: &Setup) -> Simulation {
    Simulation::new(setup).expect("a valid setup")
}

fn step(simulation: &mut Simulation) -> f64 {
    let stats = simulation.step();
    assert_eq!(stats.error, None, "at {} s", simulation.time());
    f64::from(stats.dt)
}

fn volume(radius: f32) -> f64 {
    4.0 / 3.0 * PI * f64::from(radius).powi(3)
}

/// A ball of a tenth of the density of water that falls into a pool bobs less and less, with steps of 10 ms as well, in which its load would throw it up if
/// it were answered late.
#[test]
fn a_light_ball_in_long_steps_comes_to_rest() {
    let depth = 0.3;
    let ball = balls(0.1, vec![Vec3::new(0.3, 0.5, 0.3)], 100.0);
    let mut setup = pool(Method::Iisph, 0.6, depth, points(&[ball]));
    let live = &mut setup.parameters;
    (live.solver.iisph.tolerance, live.solver.warm_start) = (0.003, 0.6);
    (live.time_step.cfl_factor, live.time_step.max_dt) = (1.4, 0.01);
    let mut simulation = start(&setup);
    let mut highest = [0.0_f32; 4];
    while simulation.time() < 4.0 {
        let time = simulation.time();
        step(&mut simulation);
        let height = simulation.view().sets[0].positions[0].y;
        let highest = &mut highest[time as usize];
        *highest = highest.max(height);
    }
    // A tenth of its volume is immersed: its centre is 0.061 m above the water.
    assert!((0.05..0.075).contains(&(highest[3] - depth)), "{highest:?}");
}

// Balls that are held, to weigh the load on them.

/// Balls that nothing moves.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    centers: Vec<Vec3>,
    radius: f32,
}

/// Column of the impulses in the last step, N s.
const LOAD: &str = "load";

impl PointSource for Held {
    fn sets(&self) -> Vec<PointSet> {
        let count = self.centers.len();
        vec![PointSet {
            name: "held".to_owned(),
            positions: self.centers.clone(),
            velocities: vec![Vec3::ZERO; count],
            radii: vec![self.radius; count],
            masses: vec![f32::INFINITY; count],
            ids: (0..count as u32).collect(),
            ..PointSet::default()
        }]
    }

    fn count(&self) -> u64 {
        self.centers.len() as u64
    }

    fn coating(&self, _: usize) -> Coating {
        Coating::Balls(vec![self.radius; self.centers.len()].into())
    }

    fn dynamics(&self) -> Box<dyn PointDynamics> {
        Box::new(Weigh)
    }

    fn grids(&self) -> Vec<GridParameters> {
        vec![GridParameters::default()]
    }

    fn fits(&self, sets: &[PointSet]) -> bool {
        sets.iter().map(PointSet::len).eq([self.centers.len()])
    }

    fn is_same(&self, other: &dyn PointSource) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Writes the load to a column.
#[derive(Clone, Debug)]
struct Weigh;

impl PointDynamics for Weigh {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let loads = step.impulses[0].iter().map(|impulse| impulse.linear).collect();
        sets[0].set_column(LOAD, "N s", ColumnValues::Vectors(loads));
        PointReport::default()
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(self.clone())
    }

    fn memory(&self) -> usize {
        0
    }
}

fn vectors(set: &PointSet, column: &str) -> Vec<Vec3> {
    match set.column(column) {
        Some(ColumnValues::Vectors(values)) => values.clone(),
        _ => Vec::new(),
    }
}

#[test]
fn buoyancy_is_the_weight_of_the_displaced_water() {
    for (radius, walls, tolerance) in
        [(0.2, WallSampling::Layers, 0.05), (0.06, WallSampling::Layers, 0.3), (0.2, WallSampling::SingleLayer, 0.1)]
    {
        let held = Held { centers: vec![Vec3::new(0.4, 0.35, 0.4)], radius };
        let mut setup = pool(Method::Dfsph, 0.8, 0.7, PointSetup::new(held));
        setup.wall_sampling = walls;
        let mut simulation = start(&setup);
        let (mut sum, mut time) = (DVec3::ZERO, 0.0);
        while simulation.time() < 0.6 {
            let dt = step(&mut simulation);
            if simulation.time() > 0.3 {
                sum += vectors(&simulation.view().sets[0], LOAD)[0].as_dvec3();
                time += dt;
            }
        }
        let buoyancy = sum / time / (WATER * GRAVITY * volume(radius));
        assert!(
            (buoyancy.y - 1.0).abs() < tolerance && buoyancy.x.abs() < 0.5 * tolerance,
            "{radius} m: {buoyancy} of the weight"
        );
    }
}

/// Momentum of fluid and points, with what has yet to act on the points, and that of the fluid alone, N s.
fn momentum(simulation: &Simulation) -> [DVec3; 2] {
    let view = simulation.view();
    let velocities = view.particles.velocities.iter().enumerate();
    let fluid: DVec3 = velocities.map(|(i, velocity)| view.mass_of(i) * velocity.as_dvec3()).sum();
    let moving = |set: &PointSet| {
        let moving = set.velocities.iter().zip(&set.masses);
        moving.map(|(velocity, &mass)| f64::from(mass) * velocity.as_dvec3()).sum::<DVec3>()
    };
    let pending = |set: &PointSet| vectors(set, PENDING_IMPULSE).iter().map(|impulse| impulse.as_dvec3()).sum::<DVec3>();
    let points: DVec3 = view.sets.iter().map(|set| moving(set) + pending(set)).sum();
    [fluid + points, fluid]
}

/// Throws `block` at `points` in free space, and checks that they exchange momentum, at least the part `least` of the block's, and lose none.
#[track_caller]
fn check_exchange(method: Method, block: FluidBlock, points: PointSetup, least: f64) {
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, SPACING), vec![block], Vec::new());
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.solver.method = method;
    setup.parameters.fluid.sound_speed = 20.0;
    setup.points = Some(points);
    let mut simulation = start(&setup);
    let [before, of_fluid] = momentum(&simulation);
    while simulation.time() < 0.3 {
        step(&mut simulation);
    }
    let [after, of_fluid_after] = momentum(&simulation);
    let (drift, exchanged) = (before.distance(after), of_fluid.distance(of_fluid_after));
    assert!(exchanged > least * before.length(), "{method:?}: {exchanged} N s");
    assert!(drift < 1e-4 * exchanged, "{method:?}: {drift} N s of {exchanged} N s");
}

#[test]
fn momentum_goes_from_the_fluid_to_a_ball() {
    // The lightest ball has a hundredth of the momentum of the fluid once it is as fast.
    for (method, density, least) in [(Method::Wcsph, 500.0, 0.01), (Method::Dfsph, 100.0, 0.005), (Method::Dfsph, 2000.0, 0.01)]
    {
        let block = FluidBlock {
            min: Vec3::new(-0.5, -0.2, -0.2),
            max: Vec3::new(-0.05, 0.2, 0.2),
            velocity: Vec3::new(1.0, 0.1, 0.0),
            initial_pressure: InitialPressure::Zero,
            ..FluidBlock::default()
        };
        check_exchange(method, block, points(&[balls(0.12, vec![Vec3::new(0.1, 0.02, 0.0)], density)]), least);
    }
}

/// Part of the volume of a ball below a level `depth` (m) above its lowest point.
fn immersed(depth: f64, radius: f64) -> f64 {
    let depth = depth.clamp(0.0, 2.0 * radius);
    0.25 * (depth / radius).powi(2) * (3.0 - depth / radius)
}

#[test]
fn a_ball_of_half_the_density_floats_half_immersed() {
    let (radius, width, depth) = (0.2, 0.8, 0.5);
    let setup = pool(Method::Dfsph, width, depth, points(&[balls(radius, vec![Vec3::new(0.4, 0.52, 0.4)], 500.0)]));
    let mut simulation = start(&setup);
    let (mut sum, mut time) = (0.0, 0.0);
    while simulation.time() < 1.6 {
        let dt = step(&mut simulation);
        if simulation.time() > 0.8 {
            sum += dt * f64::from(simulation.view().sets[0].positions[0].y);
            time += dt;
        }
    }
    let (height, radius, floor) = (sum / time, f64::from(radius), f64::from(width * width));
    let of_water = simulation.particles().len() as f64 * f64::from(SPACING).powi(3);
    // The level at which water and the immersed part fill the pool.
    let mut part = 0.5;
    for _ in 0..50 {
        let level = (of_water + part * volume(0.2)) / floor;
        part = immersed(level - height + radius, radius);
    }
    assert!((part - 0.5).abs() < 0.02, "{part} immersed");
}

/// A pool into which two kinds of balls are poured, one after the other.
fn poured() -> Setup {
    let pour = |name: &str, x: f32, density: f32| BallsSetup {
        name: name.to_owned(),
        count: 3,
        placement: Placement::Pour {
            min: Vec3::new(x, 0.3, 0.05),
            max: Vec3::new(x + 0.16, 0.45, 0.35),
            start: 0.0,
            rate: 20.0,
        },
        velocity: 2.0 * Vec3::NEG_Y,
        spin: Vec3::X,
        ..balls(0.06, vec![Vec3::ZERO; 3], density)
    };
    pool(Method::Dfsph, 0.4, 0.25, points(&[pour("light", 0.02, 300.0), pour("heavy", 0.22, 3000.0)]))
}

/// A block of water that falls on a slack sheet.
// FIXME: from some heights of fall, 1 mm apart, it ends in a step that stalls, as light sheets under thick water do (docs/guide/cloth.md,
// Limits); the cause is not known. From this height it does not.
fn caught() -> Setup {
    let is_corner = |at: Vec3| (at.x - 0.2).abs() > 0.19 && (at.z - 0.2).abs() > 0.19;
    let cloth = held(sheet(Vec3::new(0.0, 0.2, 0.0), 0.4, 0.04), is_corner);
    let mut setup = pool(Method::Dfsph, 0.4, 0.5, points_with(&[cloth], &[]));
    (setup.blocks[0].min, setup.blocks[0].max) = (Vec3::new(0.1, 0.251, 0.1), Vec3::new(0.3, 0.401, 0.3));
    setup
}

#[test]
fn threads_and_grids_do_not_change_a_bit() {
    let run = |setup: &Setup, threads: usize, structure: Structure| {
        let mut setup = setup.clone();
        setup.parameters.grid.structure = structure;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut simulation = start(&setup);
            while simulation.time() < 0.2 {
                step(&mut simulation);
            }
            let state = simulation.snapshot();
            (state.sets, state.particles.positions_by_id(), state.particles.velocities.len())
        })
    };
    for setup in [poured(), caught()] {
        let first = run(&setup, 1, Structure::SortedCells);
        assert!(first.0.iter().all(|set| set.len() >= 2), "balls have come");
        assert!(first.0.iter().any(|set| vectors(set, PENDING_IMPULSE).iter().any(|of| *of != Vec3::ZERO)), "they are wet");
        assert!(first == run(&setup, 2, Structure::SpatialHash));
    }
}

#[test]
fn forks_and_restored_states_go_on_to_the_bit_while_balls_come() {
    let setup = poured();
    let mut simulation = start(&setup);
    let beginning = simulation.snapshot();
    run(&mut simulation, 0.07);
    let (state, mut fork) = (simulation.snapshot(), simulation.clone());
    assert_eq!(state.sets[0].len(), 2, "one is still to come");
    run(&mut simulation, 0.14);
    run(&mut fork, 0.14);
    let mut again = Simulation::from_state(&setup, state.clone()).expect("a state of this setup");
    run(&mut again, 0.14);
    assert!(simulation.state() == fork.state() && simulation.state() == again.state());
    // Back to fewer balls, and to none.
    for state in [state, beginning] {
        again.restore(state).expect("a state of this setup");
        run(&mut again, 0.14);
        assert!(simulation.state() == again.state());
    }
}

#[test]
fn fluid_poured_into_a_scene_without_any_meets_balls_and_stays_out_of_them() {
    let pour = |radius: f32, center: Vec3| {
        let container = Container::new(Vec3::ZERO, Vec3::ONE);
        let mut setup = Setup::new(Discretization::new(Dimensions::Three, SPACING), Vec::new(), vec![container]);
        setup.points = Some(points(&[balls(radius, vec![Vec3::new(0.5, 0.3, 0.5)], 500.0)]));
        let mut simulation = start(&setup);
        step(&mut simulation);
        let pour = Pour { center, radius: 0.1, velocity: Vec3::NEG_Y, fluid: 0, rate: None };
        let poured = simulation.apply_hand(&Hand::Pour(pour)).expect("there is room");
        step(&mut simulation);
        (poured, simulation.view().boundary_of_points)
    };
    let (poured, coat) = pour(0.2, Vec3::new(0.5, 0.7, 0.5));
    assert!(poured > 5 && coat > 100, "{poured} particles over {coat} of the ball");
    assert_eq!(pour(0.2, Vec3::new(0.5, 0.3, 0.5)), (0, 0), "inside the ball");
    // The boundary particles of this one would take gigabytes.
    assert_eq!(pour(300.0, Vec3::new(0.5, 0.7, 0.5)).1, 0);
}

#[test]
fn balls_that_are_too_small_and_those_in_fluid_are_remarked_on() {
    let small = balls(0.02, vec![Vec3::splat(0.1), Vec3::splat(0.3)], 500.0);
    let mut setup = pool(Method::Dfsph, 0.4, 0.2, points(&[small]));
    let expected = Remark::SmallBalls { set: "balls".to_owned(), count: 2, all: 2, spacing: SPACING };
    assert_eq!(setup.review(), [expected]);
    assert_eq!(start(&setup).boundary().len() as u64, setup.particle_counts().boundary);
    setup.points = Some(points(&[balls(0.06, vec![Vec3::splat(0.1)], 500.0)]));
    assert_eq!(setup.review(), []);
    let around = start(&setup).particles().len();
    setup.blocks[0].around_bodies = false;
    assert_eq!(setup.review(), [Remark::BallsInFluid { set: "balls".to_owned(), block: 0, count: 1 }]);
    assert!(start(&setup).particles().len() > around);
}

/// A level square sheet, `width` (m) wide, with its first corner at `corner` (m).
fn sheet(corner: Vec3, width: f32, spacing: f32) -> ClothSetup {
    let squares = (width / spacing).round();
    let (along, across) = (Vec3::X * (width / squares), Vec3::Z * (width / squares));
    let grid = Grid { corner, along, across, columns: squares as u32 + 1, rows: squares as u32 + 1 };
    ClothSetup { areal_density: 0.3, ..ClothSetup::grid("sheet", &grid) }
}

/// The sheet with those vertices pinned for whose places (m) `is_held` is true.
fn held(cloth: ClothSetup, is_held: impl Fn(Vec3) -> bool) -> ClothSetup {
    let held: Vec<u32> = (0..).zip(&cloth.vertices).filter(|(_, vertex)| is_held(**vertex)).map(|(vertex, _)| vertex).collect();
    cloth.pinned(held)
}

/// A column of water on a sheet that fills its shaft lets nothing through, and the sheet bears its weight.
#[test]
fn a_held_sheet_lets_nothing_through() {
    for (method, spacing) in [(Method::Dfsph, 0.04), (Method::Dfsph, 0.15), (Method::Wcsph, 0.04)] {
        let (width, height, depth) = (0.3, 0.3, 0.3);
        let cloth = held(sheet(Vec3::new(0.0, height, 0.0), width, spacing), |_| true);
        let mut setup = pool(method, width, depth, points_with(&[cloth], &[]));
        let lift = Vec3::Y * (height + SPACING);
        (setup.blocks[0].min, setup.blocks[0].max) = (lift, setup.blocks[0].max + lift);
        setup.containers[0].max.y = 1.0;
        let mut simulation = start(&setup);
        let count = simulation.particles().len();
        while simulation.time() < 1.0 {
            step(&mut simulation);
        }
        let lowest = simulation.particles().positions.iter().map(|position| position.y).fold(f32::INFINITY, f32::min);
        assert!(lowest > height, "{method:?} {spacing}: a particle is at {lowest} m");
        assert_eq!(simulation.particles().len(), count);
    }
}

/// Water on a sheet that is held by its edges along the walls comes to rest: none passes it, and none is thrown out of the tank.
#[test]
fn a_sheet_held_by_its_edges_bears_deep_water() {
    for method in [Method::Dfsph, Method::Wcsph] {
        let (width, height, depth) = (0.4, 0.3, 0.4);
        let is_edge = |at: Vec3| [at.x, at.z].iter().any(|&along| !(0.001..=width - 0.001).contains(&along));
        let cloth = ClothSetup { areal_density: 2.0, damping: 20.0, ..sheet(Vec3::new(0.0, height, 0.0), width, 0.05) };
        let mut setup = pool(method, width, depth, points_with(&[held(cloth, is_edge)], &[]));
        let lift = Vec3::Y * (height + 0.5 * SPACING);
        (setup.blocks[0].min, setup.blocks[0].max) = (lift, setup.blocks[0].max + lift);
        setup.containers[0].max.y = 1.2;
        let mut simulation = start(&setup);
        while simulation.time() < 2.0 {
            step(&mut simulation);
        }
        let lowest = simulation.view().sets[0].positions.iter().map(|vertex| vertex.y).fold(f32::INFINITY, f32::min);
        for (&position, velocity) in simulation.particles().positions.iter().zip(&simulation.particles().velocities) {
            let is_on_it = position.y > lowest && setup.containers[0].max.cmpge(position).all();
            assert!(is_on_it && velocity.length() < 1.0, "{method:?}: {position} at {velocity}");
        }
    }
}

/// Water that hits a slack sheet in free space.
#[test]
fn momentum_goes_from_the_fluid_to_a_sheet() {
    for method in [Method::Wcsph, Method::Dfsph] {
        let cloth = sheet(Vec3::new(-0.4, 0.0, -0.4), 0.8, 0.05);
        let block = FluidBlock {
            min: Vec3::new(-0.2, 0.05, -0.2),
            max: Vec3::new(0.2, 0.25, 0.2),
            velocity: Vec3::new(0.1, -1.0, 0.0),
            initial_pressure: InitialPressure::Zero,
            ..FluidBlock::default()
        };
        check_exchange(method, block, points_with(&[cloth], &[]), 0.01);
    }
}

/// Takes steps until `end`, s.
fn run(simulation: &mut Simulation, end: f64) {
    while simulation.time() < end {
        step(simulation);
    }
}

#[test]
fn a_restored_wet_sheet_goes_on_to_the_bit() {
    let setup = caught();
    let mut simulation = start(&setup);
    run(&mut simulation, 0.1);
    let state = simulation.snapshot();
    run(&mut simulation, 0.2);
    let mut again = Simulation::from_state(&setup, state.clone()).expect("a state of this setup");
    run(&mut again, 0.2);
    assert!(simulation.state() == again.state());
    again.restore(state).expect("a state of this setup");
    run(&mut again, 0.2);
    assert!(simulation.state() == again.state());
}

/// Whole and torn states of a wet sheet, restored over each other, go on as they do in a simulation of their own: the coat has the triangles of each.
#[test]
fn torn_states_are_restored_over_each_other() {
    let setup = caught();
    let mut simulation = start(&setup);
    run(&mut simulation, 0.1);
    let whole = simulation.snapshot();
    let coat = |simulation: &Simulation| simulation.view().boundary_of_points;
    let all = coat(&simulation);
    for edges in [8, 20, 0, 20, 8] {
        let mut state = whole.clone();
        if let Some(ColumnValues::Integers(bits)) = state.sets[0].column_mut(TORN) {
            bits[0] = (1 << edges) - 1;
        }
        simulation.restore(state.clone()).expect("a state of this setup");
        let mut alone = Simulation::from_state(&setup, state).expect("a state of this setup");
        run(&mut simulation, 0.13);
        run(&mut alone, 0.13);
        assert!(simulation.state() == alone.state(), "{edges} torn edges");
        assert_eq!(coat(&simulation) < all, edges > 0, "{edges} torn edges");
        assert_eq!(coat(&simulation), coat(&alone));
    }
}
