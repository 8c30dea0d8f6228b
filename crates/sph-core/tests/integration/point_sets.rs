//! Point sets in a simulation, by a toy: marbles without size that fall freely, and stop at what is solid.

use std::any::Any;

use crate::common::{POOL_SPACING, pool};
use glam::{DVec3, Vec3};
use sph_core::neighbors::{Registration, Structure};
use sph_core::point_sets::{
    ColumnValues, PointDynamics, PointReport, PointSet, PointSetup, PointSource, PointStep, SolidImpulse, Surface,
};
use sph_core::probes::PresentSearch;
use sph_core::*;

/// Mass of a marble, kg.
const MASS: f32 = 0.5;

/// Marbles at rest at these places, m.
#[derive(Clone, Debug, PartialEq)]
struct Marbles(Vec<Vec3>);

impl PointSource for Marbles {
    fn sets(&self) -> Vec<PointSet> {
        let count = self.0.len();
        vec![PointSet {
            name: "marbles".to_owned(),
            positions: self.0.clone(),
            velocities: vec![Vec3::ZERO; count],
            radii: vec![0.01; count],
            masses: vec![MASS; count],
            ids: (0..count as u32).collect(),
            ..PointSet::default()
        }]
    }

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn dynamics(&self) -> Box<dyn PointDynamics> {
        Box::new(FreeFall)
    }

    fn grids(&self) -> Vec<neighbors::GridParameters> {
        vec![Default::default()]
    }

    fn fits(&self, sets: &[PointSet]) -> bool {
        sets.iter().map(|set| (set.name.as_str(), set.len())).eq([("marbles", self.0.len())])
    }

    fn is_same(&self, other: &dyn PointSource) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `v += g dt`, `x += v dt`; a surface takes away the velocity into it.
#[derive(Clone, Debug)]
struct FreeFall;

impl PointDynamics for FreeFall {
    fn advance(&mut self, sets: &mut [PointSet], step: &PointStep<'_>) -> PointReport {
        let mut report = PointReport::default();
        let dt = step.dt as f32;
        let PointSet { positions, velocities, radii, .. } = &mut sets[0];
        for ((position, velocity), radius) in positions.iter_mut().zip(velocities).zip(radii) {
            *velocity += dt * (step.acceleration)(*position);
            *position += dt * *velocity;
            step.surfaces.each_near(*position, *radius, 1.0, &mut |Surface { distance, normal, velocity: own, solid }| {
                *position += (*radius - distance) * normal;
                let change = (own - *velocity).dot(normal).max(0.0) * normal;
                *velocity += change;
                report.impulses.push(SolidImpulse { solid, point: *position - *radius * normal, impulse: -MASS * change });
            });
        }
        report
    }

    fn fork(&self) -> Box<dyn PointDynamics> {
        Box::new(self.clone())
    }

    fn memory(&self) -> usize {
        0
    }
}

/// An empty tank of 1 m with marbles.
fn tank(marbles: &[Vec3]) -> Setup {
    let container = Container::new(Vec3::ZERO, Vec3::ONE);
    let mut setup = Setup::new(Discretization::new(Dimensions::Three, 0.05), Vec::new(), vec![container]);
    setup.points = Some(PointSetup::new(Marbles(marbles.to_vec())));
    setup
}

fn run(simulation: &mut Simulation, seconds: f64) {
    let end = simulation.time() + seconds;
    while simulation.time() < end - 1e-9 {
        let stats = simulation.step();
        assert_eq!(stats.error, None, "at {} s", simulation.time());
        assert!(stats.dt > 0.0);
    }
}

fn place(simulation: &Simulation, marble: usize) -> Vec3 {
    simulation.view().sets[0].positions[marble]
}

#[test]
fn a_scene_without_fluid_moves_its_points_until_they_meet_a_wall() {
    let mut simulation = Simulation::new(&tank(&[Vec3::new(0.5, 0.9, 0.5)])).expect("a valid setup");
    run(&mut simulation, 0.2);
    let (fallen, time, dt) = (0.9 - place(&simulation, 0).y, simulation.time() as f32, simulation.last_dt());
    // Symplectic Euler: g t (t + dt)/2.
    let expected = 0.5 * 9.81 * time * (time + dt);
    assert!((fallen / expected - 1.0).abs() < 1e-3, "{fallen} of {expected}");
    run(&mut simulation, 0.8);
    assert!((place(&simulation, 0).y - 0.01).abs() < 1e-6);
    assert!(simulation.memory().points > 0);
}

/// Sound, viscosity and surface tension are the fluid's, so they limit no step without any.
#[test]
fn without_fluid_the_maximum_limits_the_step() {
    for method in Method::ALL {
        let mut setup = tank(&[Vec3::splat(0.5)]);
        setup.parameters.solver.method = method;
        setup.parameters.fluid.sound_speed = 1e4;
        setup.parameters.fluid.kinematic_viscosity = 10.0;
        setup.parameters.time_step.max_dt = 1.0 / 60.0;
        let expected = setup.forecast().step;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        for _ in 0..3 {
            let stats = simulation.step();
            assert_eq!((stats.dt, stats.dt_limit), (1.0 / 60.0, TimeStepLimit::Maximum), "{method:?}");
            assert_eq!((expected.dt, expected.limit), (stats.dt, stats.dt_limit), "{method:?}");
        }
    }
}

/// The window shows the search that the next step will make.
#[test]
fn the_present_search_of_a_set_holds_its_points() {
    let marbles = [Vec3::splat(0.3), Vec3::splat(0.31), Vec3::new(0.9, 0.5, 0.1)];
    let mut simulation = Simulation::new(&tank(&marbles)).expect("a valid setup");
    let mut search = PresentSearch::default();
    for structure in Structure::all() {
        let grid = neighbors::GridParameters { structure, ..simulation.view().set_grids[0] };
        simulation.set_point_grid(0, grid).expect("a valid grid");
        let contents = search.update_sets(&simulation.view(), 0..1).expect("few cells").expect("a set").contents();
        let points: u32 = contents.cells.iter().map(|cell| cell.points).sum();
        // Some structures register a point in several cells.
        let is_once = !matches!(structure, Structure::BlockMap(..) | Structure::BucketHash(_, _, Registration::Everywhere));
        assert!(if is_once { points == 3 } else { points >= 3 }, "{structure:?}: {points}");
        simulation.step();
    }
    assert!(search.update_sets(&simulation.view(), 1..2).expect("nothing to cover").is_none());
}

#[test]
fn a_setup_without_anything_to_simulate_is_refused() {
    let empty = Setup { points: None, ..tank(&[]) };
    assert_eq!(empty.validate(), Err(SetupError::NoFluid));
    let mut planar = pool(Method::Wcsph);
    planar.points = tank(&[Vec3::ONE]).points;
    assert_eq!(planar.validate(), Err(SetupError::PlanarPoints));
}

#[test]
fn the_search_of_a_set_is_replaced_within_its_range() {
    let mut simulation = Simulation::new(&tank(&[Vec3::splat(0.5)])).expect("a valid setup");
    let grid = simulation.view().set_grids[0];
    let other = neighbors::GridParameters { table_size: 77, cell_size: 0.5 * grid.cell_size, ..grid };
    assert_eq!(simulation.set_point_grid(0, other), Ok(()));
    assert_eq!(simulation.view().set_grids, [other]);
    let bad = [
        neighbors::GridParameters { cell_size: 100.0 * grid.cell_size, ..grid },
        neighbors::GridParameters { cell_size: f32::NAN, ..grid },
        neighbors::GridParameters { table_size: 0, ..grid },
        neighbors::GridParameters { bucket_capacity: 0, ..grid },
    ];
    for bad in bad {
        assert!(simulation.set_point_grid(0, bad).is_err(), "{bad:?}");
    }
    assert!(simulation.set_point_grid(1, grid).is_err(), "there is one set");
    assert_eq!(simulation.view().set_grids, [other], "a refused grid changes nothing");
}

#[test]
fn a_turning_plate_takes_points_along_at_the_speed_of_its_surface() {
    let mut setup = tank(&[Vec3::new(0.7, 0.54, 0.5)]);
    setup.parameters.gravity = Vec3::ZERO;
    setup.parameters.time_step.fixed_dt = Some(1e-3);
    let law = AngleLaw::steady(2.0).expect("a rate");
    let center = Vec3::splat(0.5);
    let motion = Motion::default().with_rotation(Rotation::new(center, Vec3::Z, law).expect("a rotation"));
    let half = Vec3::new(0.3, 0.03, 0.3);
    setup.bodies = vec![Body { min: center - half, max: center + half, motion, ..Body::default() }];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    run(&mut simulation, 0.05);
    let set = &simulation.view().sets[0];
    // v = ω r, along the normal, r being measured along the plate.
    let angle = 2.0 * simulation.time() as f32;
    let along = (set.positions[0] - center).dot(Vec3::new(angle.cos(), angle.sin(), 0.0));
    let normal = set.velocities[0].dot(Vec3::new(-angle.sin(), angle.cos(), 0.0));
    assert!((normal / (2.0 * along) - 1.0).abs() < 0.01, "{normal} m/s at {along} m");
    assert!(set.positions[0].y > 0.55);
}

/// What points lose, bodies that move by forces gain, one step later.
#[test]
fn momentum_goes_from_points_to_a_free_body() {
    let mut setup = tank(&[Vec3::new(0.5, 0.5, 0.5)]);
    setup.parameters.gravity = Vec3::ZERO;
    let dynamics = Some(Dynamics { velocity: Vec3::new(0.0, 1.0, 0.0), ..Dynamics::default() });
    let (min, max) = (Vec3::new(0.4, 0.2, 0.4), Vec3::new(0.6, 0.4, 0.6));
    setup.bodies = vec![Body { min, max, dynamics, density: 500.0, ..Body::default() }];
    setup.parameters.time_step.fixed_dt = Some(1e-3);
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    let momentum = |simulation: &Simulation| {
        let set = &simulation.view().sets[0];
        let [_, velocity] = simulation.bodies()[0].motion();
        let waiting = simulation.state().bodies[0].contact.force;
        let body = 500.0 * f64::from((max - min).element_product()) * velocity;
        body + waiting + f64::from(MASS) * set.velocities[0].as_dvec3()
    };
    let before = momentum(&simulation);
    run(&mut simulation, 0.3);
    let after = momentum(&simulation);
    assert!(simulation.view().sets[0].velocities[0].y > 0.5, "it is hit");
    assert!(before.distance(after) < 1e-5 * before.length(), "{before} became {after}");
    assert!(simulation.bodies()[0].motion()[1].distance(DVec3::Y) > 0.05);
}

#[test]
fn a_fork_and_a_restored_state_go_on_to_the_bit() {
    let mut setup = tank(&[Vec3::new(0.5, 0.9, 0.5), Vec3::new(0.3, 0.4, 0.5)]);
    let spacing = setup.discretization.particle_spacing;
    setup.blocks = vec![FluidBlock::new(Vec3::ZERO, Vec3::splat(6.0 * spacing))];
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    run(&mut simulation, 0.02);
    let (state, mut fork) = (simulation.snapshot(), simulation.fork());
    run(&mut simulation, 0.02);
    while fork.time() < simulation.time() {
        fork.step();
    }
    let again = Simulation::from_state(&setup, state.clone());
    let mut again = again.expect("a state of this setup");
    run(&mut again, 0.02);
    assert!(simulation.state() == &fork.snapshot() && simulation.state() == again.state());
    again.restore(state.clone()).expect("a state of this setup");
    run(&mut again, 0.02);
    assert!(simulation.state() == again.state());
    // Foreign and damaged sets are refused, and change nothing.
    let before = again.snapshot();
    let foreign = State { sets: Vec::new(), set_grids: Vec::new(), ..state.clone() };
    assert_eq!(again.restore(foreign), Err(PopulationError::ForeignSets));
    let mut damaged = state;
    damaged.sets[0].velocities[1].x = f32::NAN;
    assert_eq!(again.restore(damaged), Err(PopulationError::InvalidSet { set: 0 }));
    assert!(again.state() == &before);
}

#[test]
fn a_point_that_would_not_be_finite_refuses_the_step() {
    let setup = tank(&[Vec3::new(0.5, 0.9, 0.5)]);
    let mut state = Simulation::new(&setup).expect("a valid setup").snapshot();
    state.sets[0].positions[0] = Vec3::splat(0.6 * f32::MAX);
    state.sets[0].velocities[0] = Vec3::splat(0.6 * f32::MAX);
    state.parameters.time_step.fixed_dt = Some(1.0);
    let mut simulation = Simulation::from_state(&setup, state.clone()).expect("finite so far");
    let error = simulation.step().error;
    assert!(matches!(error, Some(StepError::Point { set: 0, id: 0, .. })), "{error:?}");
    assert_eq!((simulation.state().sets.clone(), simulation.time()), (state.sets, 0.0));
}

#[test]
fn columns_are_found_by_their_names() {
    let mut set = Marbles(vec![Vec3::ONE]).sets().remove(0);
    let values = ColumnValues::Scalars(vec![POOL_SPACING]);
    set.columns.push(point_sets::Column { name: "age".to_owned(), unit: "s".to_owned(), values: values.clone() });
    assert_eq!((set.column("age"), set.column("spin")), (Some(&values), None));
    assert!(set.is_valid());
}

#[test]
fn a_push_accelerates_points_within_its_radius_but_none_of_infinite_mass() {
    let mut simulation = Simulation::new(&tank(&[Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.9, 0.5, 0.5)])).expect("a valid setup");
    run(&mut simulation, 0.01);
    let velocities = |simulation: &Simulation| simulation.view().sets[0].velocities.clone();
    let (before, dt) = (velocities(&simulation), simulation.last_dt());
    let center = place(&simulation, 0) + Vec3::new(0.1, 0.0, 0.0);
    let push = Push { center, radius: 0.2, strength: 40.0, drag: 0.0, velocity: Vec3::ZERO };
    assert_eq!(simulation.apply_hand(&Hand::Push(push)), Ok(0));
    let after = velocities(&simulation);
    // w = 1 − 0.1/0.2 of 40 m/s², towards the centre.
    let change = (after[0] - before[0]) / dt;
    assert!((change - Vec3::new(20.0, 0.0, 0.0)).length() < 1e-3, "{change}");
    assert_eq!(after[1], before[1]);

    let mut state = simulation.state().clone();
    state.sets[0].masses[0] = f32::INFINITY;
    simulation.restore(state).expect("a state of this scene");
    assert_eq!(simulation.apply_hand(&Hand::Push(push)), Ok(0));
    assert_eq!(velocities(&simulation)[0], after[0]);
}
