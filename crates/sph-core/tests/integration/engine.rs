//! The contract of engines, which every kind of them keeps; cancelled steps, and timelines of steps.

use crate::common::{colliding_blocks, dam_break};
use glam::Vec3;
use sph_core::neighbors::Structure;
use sph_core::*;
use std::time::{Duration, Instant};

/// Constructors of a kind of engine.
struct Kind {
    start: fn(&Setup) -> Box<dyn Engine>,
    resume: fn(&Setup, State) -> Box<dyn Engine>,
}

const KINDS: &[Kind] = &[Kind {
    start: |setup| Box::new(Simulation::new(setup).expect("a valid setup")),
    resume: |setup, state| Box::new(Simulation::from_state(setup, state).expect("a valid state")),
}];

/// Tests a contract on an engine of each kind and for solvers with and without memory, after some steps.
fn every_engine(test: impl Fn(&Kind, &Setup, Box<dyn Engine>)) {
    for kind in KINDS {
        for method in [Method::Wcsph, Method::Dfsph] {
            let mut setup = dam_break(Dimensions::Two, 10);
            setup.parameters.solver.method = method;
            let mut engine = (kind.start)(&setup);
            advance(&mut *engine, 10);
            test(kind, &setup, engine);
        }
    }
}

fn advance(engine: &mut dyn Engine, steps: u64) {
    for _ in 0..steps {
        assert_eq!(engine.step().error, None);
    }
}

#[test]
fn the_view_is_of_the_present_state() {
    every_engine(|_, setup, mut engine| {
        let before = engine.view().particles.positions_by_id();
        let stats = engine.step();
        let (view, state) = (engine.view(), engine.snapshot());
        assert_eq!((view.steps, view.time, view.last_dt), (stats.step, stats.time, stats.dt));
        assert_eq!((view.particles, view.parameters), (&state.particles, &state.parameters));
        assert_eq!((view.steps, view.time, view.last_dt), (state.steps, state.time, state.last_dt));
        assert_eq!((view.steps, view.time, view.parameters), (engine.steps(), engine.time(), engine.parameters()));
        assert_ne!(view.particles.positions_by_id(), before);
        assert_eq!(view.particles.len() as u64, setup.particle_counts().fluid);
        assert_eq!(view.walls.len() as u64, setup.particle_counts().boundary);
        assert_eq!((view.discretization, view.containers), (&setup.discretization, &setup.containers[..]));
        // Mass and density of the particles fill the blocks: 0.48 m by 0.48 m of water.
        assert!((f64::from(view.mass) * view.particles.len() as f64 / 230.4 - 1.0).abs() < 0.01);
        let energy = probes::kinetic_energy(&view);
        assert!((energy / stats.kinetic_energy - 1.0).abs() < 1e-6);
    });
}

#[test]
fn a_fork_goes_on_alike_and_alone() {
    every_engine(|_, _, mut engine| {
        let (mut fork, before) = (engine.fork(), engine.snapshot());
        let mut parameters = before.parameters;
        parameters.grid.structure = Structure::CellHash(neighbors::Update::ALL[0]);
        fork.set_parameters(parameters).expect("valid parameters");
        advance(&mut *fork, 20);
        assert_eq!(engine.snapshot(), before, "the engine has changed with its fork");
        advance(&mut *engine, 20);
        assert_eq!(engine.view().particles, fork.view().particles);
    });
}

#[test]
fn a_snapshot_is_resumed_to_the_bit() {
    every_engine(|kind, setup, mut engine| {
        let mut resumed = (kind.resume)(setup, engine.snapshot());
        advance(&mut *engine, 20);
        advance(&mut *resumed, 20);
        assert_eq!(engine.snapshot(), resumed.snapshot());
    });
}

/// Whatever has happened since: fluid that moved on, another solver and grid, particles that came.
#[test]
fn an_engine_goes_back_to_a_state_to_the_bit() {
    every_engine(|_, _, mut engine| {
        engine.set_wall_reaction(true);
        engine.set_audit(4);
        let before = engine.snapshot();
        advance(&mut *engine, 20);
        let first = engine.snapshot();
        let mut parameters = first.parameters;
        parameters.grid.structure = Structure::CellHash(neighbors::Update::ALL[1]);
        parameters.solver.method = Method::Pcisph;
        engine.set_parameters(parameters).expect("valid parameters");
        engine.add(&[NewParticle { position: Vec3::new(1.0, 0.8, 0.0), ..NewParticle::default() }]).expect("a valid particle");
        advance(&mut *engine, 5);
        engine.restore(before.clone()).expect("a state of this engine");
        assert!(engine.snapshot() == before && *engine.parameters() == before.parameters);
        advance(&mut *engine, 20);
        assert_eq!(engine.snapshot(), first);
        assert!(engine.view().wall_reaction.is_some() && engine.step().audit.queries > 0);
        // A state that is none leaves the present one.
        let (present, mut other) = (engine.snapshot(), before);
        other.particles.densities[0] = f32::NAN;
        assert!(engine.restore(other).is_err());
        assert_eq!(engine.snapshot(), present);
    });
}

#[test]
fn what_is_refused_changes_nothing() {
    every_engine(|_, _, mut engine| {
        let before = engine.snapshot();
        let mut parameters = before.parameters;
        parameters.grid.table_size = 0;
        assert!(engine.set_parameters(parameters).is_err());
        let nowhere = NewParticle { position: Vec3::NAN, ..NewParticle::default() };
        assert!(engine.add(&[nowhere]).is_err());
        assert!(engine.remove(&[u32::MAX]).is_err());
        assert_eq!(engine.snapshot(), before);
        // A second in one step, which takes the fluid too far.
        parameters = before.parameters;
        parameters.time_step.fixed_dt = Some(1.0);
        engine.set_parameters(parameters).expect("valid parameters");
        assert!(engine.step().error.is_some());
        let after = engine.snapshot();
        assert_eq!(after.particles.positions_by_id(), before.particles.positions_by_id());
        assert_eq!((after.time, after.steps), (before.time, before.steps));
    });
}

/// State with its particles in the order of their ids.
fn by_id(mut state: State) -> State {
    let order = state.particles.order_by_id();
    state.particles.permute(&order, &mut Particles::default());
    state
}

/// A step that is refused, the first or a later one, leaves nothing behind: neither in the fluid nor in what solver and forces
/// remember.
#[test]
fn a_refused_step_leaves_the_whole_state() {
    for method in Method::ALL {
        for steps in [0, 5] {
            let mut setup = dam_break(Dimensions::Two, 12);
            setup.parameters.solver.method = method;
            setup.parameters.fluid.viscosity_model = ViscosityModel::Implicit;
            setup.parameters.fluid.kinematic_viscosity = 0.01;
            setup.parameters.forces.vorticity_transfer = 0.05;
            let mut simulation = Simulation::new(&setup).expect("a valid setup");
            advance(&mut simulation, steps);
            let before = by_id(simulation.snapshot());
            let mut parameters = before.parameters;
            // A second in one step, which takes the fluid too far.
            parameters.time_step.fixed_dt = Some(1.0);
            simulation.set_parameters(parameters).expect("valid parameters");
            assert!(simulation.step().error.is_some(), "{method:?}");
            simulation.set_parameters(before.parameters).expect("valid parameters");
            assert!(by_id(simulation.snapshot()) == before, "{method:?}, after {steps} steps");
            assert_eq!(simulation.step().error, None, "{method:?}, after {steps} steps");
        }
    }
}

#[test]
fn particles_come_and_go() {
    every_engine(|_, _, mut engine| {
        let count = engine.view().particles.len();
        let new = NewParticle { position: Vec3::new(1.0, 0.8, 0.0), ..NewParticle::default() };
        let ids = engine.add(&[new]).expect("a valid particle");
        assert_eq!((ids.clone().count(), engine.view().particles.len()), (1, count + 1));
        advance(&mut *engine, 1);
        engine.remove(&ids.clone().collect::<Vec<_>>()).expect("it is there");
        assert!(engine.view().particles.len() == count && !engine.view().particles.ids.contains(&ids.start));
        advance(&mut *engine, 1);
    });
}

#[test]
fn audits_and_timelines_are_made_on_demand() {
    every_engine(|_, _, mut engine| {
        assert!(engine.step().audit.queries == 0 && engine.timeline().is_none());
        engine.set_audit(7);
        engine.set_timeline(true);
        let audit = engine.step().audit;
        assert!(audit.queries > 0 && audit.is_clean());
        assert!(engine.timeline().is_some_and(|timeline| !timeline.spans.is_empty()));
        engine.set_timeline(false);
        engine.step();
        assert!(engine.timeline().is_none() && engine.memory().total() > 0);
    });
}

/// The causes are known: free fall, thick fluid whose blocks pass each other, fluid under a pressure that nothing holds.
#[test]
fn a_refused_step_says_what_accelerated_the_particle() {
    let refused = |change: fn(&mut Setup)| {
        let mut setup = colliding_blocks(Dimensions::Two);
        change(&mut setup);
        setup.parameters.time_step.fixed_dt = Some(1.0);
        let mut engine: Box<dyn Engine> = Box::new(Simulation::new(&setup).expect("a valid setup"));
        let stats = engine.step();
        assert!(stats.error.is_some_and(|error| error.particle().is_some()), "{:?}", stats.error);
        stats.accelerations.expect("it is of a particle")
    };
    let falling = refused(|setup| {
        setup.blocks.truncate(1);
        setup.parameters.gravity = Vec3::new(0.0, -50.0, 0.0);
        setup.parameters.fluid.kinematic_viscosity = 0.0;
        setup.parameters.fluid.artificial_viscosity = 0.0;
    });
    assert_eq!(falling.of(AccelerationTerm::External), Vec3::new(0.0, -50.0, 0.0));
    assert_eq!((falling.dominant().0, falling.of(AccelerationTerm::Viscosity)), (AccelerationTerm::External, Vec3::ZERO));
    let thick = refused(|setup| setup.parameters.fluid.kinematic_viscosity = 1e4);
    assert_eq!(thick.dominant().0, AccelerationTerm::Viscosity);
    let pressed = refused(|setup| {
        setup.parameters.gravity = Vec3::new(0.0, -50.0, 0.0);
        setup.blocks[0].initial_pressure = InitialPressure::Hydrostatic;
    });
    assert_eq!(pressed.dominant().0, AccelerationTerm::Pressure);
    assert_eq!(pressed.of(AccelerationTerm::Force(Force::SurfaceTension)), Vec3::ZERO);
}

/// Stages of the step, about, at which each solver is cancelled.
const MOMENTS: u32 = 12;

#[test]
fn a_cancelled_step_leaves_the_state_before_it() {
    let corrected = (Method::Dfsph, CoarseCorrection::On);
    for (method, correction) in Method::ALL.map(|method| (method, CoarseCorrection::Off)).into_iter().chain([corrected]) {
        let mut setup = dam_break(Dimensions::Two, 16);
        setup.parameters.solver.method = method;
        setup.parameters.solver.coarse_correction = correction;
        setup.parameters.forces.xsph = 0.1;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.step();
        let mut expected = simulation.clone();
        let start = Instant::now();
        expected.step();
        let length = start.elapsed();
        let mut cancelled = 0;
        for moment in 0..MOMENTS {
            let mut attempt = simulation.clone();
            let flag = CancelFlag::default();
            attempt.set_cancel_flag(flag.clone());
            let stats = std::thread::scope(|scope| {
                scope.spawn(|| {
                    spin(length * moment / MOMENTS);
                    flag.raise();
                });
                attempt.step()
            });
            // A step that was faster than the other thread is complete.
            if stats.error.is_none() {
                continue;
            }
            cancelled += 1;
            assert_eq!(stats.error, Some(StepError::Cancelled), "{method:?} {correction:?}");
            assert_eq!((stats.step, attempt.time()), (1, simulation.time()), "{method:?} {correction:?}");
            attempt.set_cancel_flag(CancelFlag::default());
            assert_eq!(attempt.step().error, None);
            assert!(
                attempt.state() == expected.state(),
                "{method:?} {correction:?}: not the bits of a step that was not cancelled before"
            );
        }
        assert!(cancelled > 0, "{method:?} {correction:?}: no step was cancelled");
    }
}

/// Waits more precisely than the system lets a thread sleep.
fn spin(duration: Duration) {
    let start = Instant::now();
    while start.elapsed() < duration {
        std::hint::spin_loop();
    }
}

#[test]
fn spans_do_not_overlap_and_add_up_to_the_phase_times() {
    for method in Method::ALL {
        let mut setup = dam_break(Dimensions::Two, 10);
        setup.parameters.solver.method = method;
        let mut simulation = Simulation::new(&setup).expect("a valid setup");
        simulation.set_timeline(true);
        for _ in 0..5 {
            let stats = simulation.step();
            assert_eq!(stats.error, None);
            let timeline = simulation.timeline().expect("asked for");
            let (mut end, mut iterated) = (Duration::ZERO, 0);
            for span in &timeline.spans {
                assert!(span.start >= end, "{method:?}: {span:?} begins before {end:?}");
                end = span.start + span.length;
                iterated += u32::from(span.phase == Phase::Pressure);
            }
            assert!(end <= timeline.length);
            for phase in Phase::ALL {
                let spans = timeline.spans.iter().filter(|span| span.phase == phase);
                assert_eq!(spans.map(|span| span.length).sum::<Duration>(), stats.phases[phase], "{method:?}: {phase:?}");
            }
            // Every iteration has a span, except for PBF, which measures all its iterations as one.
            let iterations = stats.density_solve.iterations + stats.divergence_solve.iterations;
            assert!(method == Method::Pbf || iterated >= iterations, "{method:?}: {iterated} spans, {iterations} iterations");
        }
        simulation.set_timeline(false);
        simulation.step();
        assert_eq!(simulation.timeline(), None);
    }
}

#[test]
fn a_refused_step_ends_its_timeline() {
    let mut setup = dam_break(Dimensions::Three, 4);
    setup.parameters.grid.structure = Structure::UniformGrid;
    let mut stray = setup.blocks[0].clone();
    stray.min = Vec3::splat(1e6);
    stray.max = stray.min + setup.discretization.particle_spacing;
    setup.blocks.push(stray);
    setup.containers.clear();
    let mut simulation = Simulation::new(&setup).expect("a valid setup");
    simulation.set_timeline(true);
    let stats = simulation.step();
    assert!(matches!(stats.error, Some(StepError::Search(_))), "{:?}", stats.error);
    let phases: Vec<Phase> = simulation.timeline().expect("asked for").spans.iter().map(|span| span.phase).collect();
    assert_eq!(phases, [Phase::Sort, Phase::Walls, Phase::Build, Phase::Statistics]);
}
